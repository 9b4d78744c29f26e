import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { ReadCommand } from '../../../../lib/stores/redis/observing/read-commands.ts'
import { createReadClient, type ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { parseRedisSource } from '../../../../lib/stores/redis/source/redis-source.ts'
import { startRedis } from '../../../support/servers/stores.ts'

async function open(t: Test, url: string): Promise<ReadClient> {
  const client = createReadClient(parseRedisSource({ url }, 'redis:', 'broker'), error => { t.fail(error.message) })
  t.teardown(() => client.stop())
  await client.start()
  return client
}

/** @returns how often each command was called since the last call, by everyone */
function countCalls(redis: Redis): () => Promise<Record<string, number>> {
  return async () => {
    const stats = await redis.info('commandstats')
    await redis.config('RESETSTAT')
    return Object.fromEntries([...stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g)].map(([, name, calls]) => [name!, Number(calls)]))
  }
}

async function fill(t: Test) {
  const { url } = await startRedis(t)
  const redis = new Redis(url)
  t.teardown(() => { redis.disconnect() })
  await redis.hset('job', { name: 'send', data: '{}' })
  await redis.rpush('list', 'a', 'b', 'c')
  await redis.zadd('sorted', 1, 'one', 2, 'two')
  return { url, redis, calls: countCalls(redis) }
}

const QUESTIONS: ReadonlyArray<readonly [ReadCommand, ...Array<string | number>]> = [
  ['EXISTS', 'job', 'none'], ['HMGET', 'job', 'name', 'none', 'data'], ['HMGET', 'none', 'name'], ['HSTRLEN', 'job', 'data'],
  ['LLEN', 'list'], ['LLEN', 'none'], ['LRANGE', 'list', 0, -1], ['LRANGE', 'none', 0, -1], ['ZCARD', 'sorted'],
  ['ZCOUNT', 'sorted', '(1', '+inf'], ['ZRANGE', 'sorted', 0, -1, 'WITHSCORES'], ['ZREVRANGE', 'sorted', 0, 0]
]

/** Enough to be sent together. */
const asked = [...QUESTIONS, ...QUESTIONS]

t.test('short commands of one turn are sent in one, with the answers that each has by itself', async t => {
  const { url, calls } = await fill(t)
  const client = await open(t, url)
  const alone = []
  for (const [command, ...parameters] of asked) alone.push(await client.read(command, ...parameters))
  t.notOk('eval_ro' in await calls(), 'one after the other')
  t.strictSame(await Promise.all(asked.map(([command, ...parameters]) => client.read(command, ...parameters))), alone)
  const { eval_ro: scripts, hmget } = await calls()
  t.equal(scripts, 1)
  t.equal(hmget, 4)
  await Promise.all(Array.from({ length: 450 }, () => client.read('LLEN', 'list')))
  t.equal((await calls()).eval_ro, 3, 'no script is long')
})

t.test('a refused command has its own error, and the others have their answers', async t => {
  const { url } = await fill(t)
  const client = await open(t, url)
  const answers = await Promise.allSettled([
    client.read('LLEN', 'job'), client.read('ZRANGE', 'sorted', 'first', 'last'),
    ...asked.map(([command, ...parameters]) => client.read(command, ...parameters))
  ])
  const reasons = answers.flatMap(answer => answer.status === 'rejected' ? [(answer.reason as Error).message] : [])
  t.strictSame(reasons, [
    'WRONGTYPE Operation against a key holding the wrong kind of value', 'ERR value is not an integer or out of range'
  ])
})

t.test('commands arrive in their order, also beside those that are sent by themselves', async t => {
  const { url, redis } = await fill(t)
  const client = await open(t, url)
  const seen: string[] = []
  const monitor = await redis.monitor()
  t.teardown(() => { monitor.disconnect() })
  monitor.on('monitor', (_time: string, [command]: string[]) => { seen.push(command!.toLowerCase()) })
  const many = (command: ReadCommand, ...parameters: string[]) => Array.from({ length: 20 }, () => client.read(command, ...parameters))
  await Promise.all([...many('LLEN', 'list'), client.read('HGET', 'job', 'name'), ...many('ZCARD', 'sorted')])
  await client.read('TIME')
  const repeated = (command: string) => ['eval_ro', ...Array.from({ length: 20 }, () => command)]
  t.strictSame(seen.filter(command => command !== 'time'), [...repeated('llen'), 'hget', ...repeated('zcard')])
})

t.test('a user who may not run EVAL_RO, or not all commands, has the same answers', async t => {
  const { url, redis, calls } = await fill(t)
  const commands = [...new Set(QUESTIONS.map(([command]) => `+${command.toLowerCase()}`))]
  const users: Array<[name: string, rights: string[], scripts: number]> = [
    ['none', commands, 1], ['script', [...commands, '+eval_ro'], 2], ['lists', [...commands, '+eval_ro', '-zcard'], 2]
  ]
  for (const [name, rights, scripts] of users) {
    await redis.acl('SETUSER', name, 'on', '>secret', '~*', '-@all', ...rights)
    const client = await open(t, url.replace('redis://', `redis://${name}:secret@`))
    const free = await open(t, url)
    await calls()
    for (const round of [1, 2]) {
      const [own, all] = await Promise.all([client, free].map(each =>
        Promise.allSettled(asked.map(([command, ...parameters]) => each.read<unknown>(command, ...parameters)))))
      const refused = own!.flatMap((answer, index) => answer.status === 'rejected' ? [[asked[index]![0], answer.reason.message]] : [])
      const isKept = (_: unknown, index: number): boolean => own![index]!.status === 'fulfilled'
      t.strictSame(own!.filter(isKept), all!.filter(isKept), `${name}, round ${round}`)
      t.strictSame([...new Set(refused.map(([command]) => command))], name === 'lists' ? ['ZCARD'] : [], name)
      for (const [, message] of refused) t.match(message, /^NOPERM .*'zcard' command/)
    }
    const { eval_ro: sent = 0 } = await calls()
    t.equal(sent - 2, name === 'none' ? 0 : scripts, `${name}: the free client sent two of these scripts`)
  }
  const denied = await redis.call('ACL', 'LOG') as unknown[][]
  t.equal(denied.filter(entry => entry.includes('eval_ro')).map(entry => entry[entry.indexOf('count') + 1])[0], 1, 'it is tried once')
})

t.test('a read of a client that was stopped in the same turn rejects', async t => {
  const { url } = await fill(t)
  const client = await open(t, url)
  const reading = asked.map(([command, ...parameters]) => client.read(command, ...parameters))
  await client.stop()
  for (const answer of await Promise.allSettled(reading)) t.match(answer, { status: 'rejected', reason: Error })
})
