import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createReadClient, type ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { createReadTogether, type ShortRead } from '../../../../lib/stores/redis/observing/read-together.ts'
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

const READS: readonly ShortRead[] = [
  ['EXISTS', 'job', 'none'], ['HMGET', 'job', 'name', 'none', 'data'], ['HMGET', 'none', 'name'], ['HSTRLEN', 'job', 'data'],
  ['LLEN', 'list'], ['LLEN', 'none'], ['LRANGE', 'list', 0, -1], ['LRANGE', 'none', 0, -1], ['ZCARD', 'sorted'],
  ['ZCOUNT', 'sorted', '(1', '+inf'], ['ZRANGE', 'sorted', 0, -1, 'WITHSCORES'], ['ZREVRANGE', 'sorted', 0, 0]
]

/** Enough commands to be sent together. */
const many = [...READS, ...READS]

t.test('many short commands are sent in one script, with the same responses as one by one', async t => {
  const { url, calls } = await fill(t)
  const client = await open(t, url)
  const alone = await Promise.all(many.map(([command, ...parameters]) => client.read(command, ...parameters)))
  t.strictSame(await client.readAll(READS), alone.slice(0, READS.length))
  t.notOk('eval_ro' in await calls(), 'few are sent one by one')
  t.strictSame(await client.readAll(many), alone)
  const { eval_ro: scripts, hmget } = await calls()
  t.equal(scripts, 1)
  t.equal(hmget, 4)
  await client.readAll(Array.from({ length: 450 }, () => ['LLEN', 'list']))
  t.equal((await calls()).eval_ro, 3, 'no script is long')
  const keys = Array.from({ length: 349 }, (_, index) => `none:${index}`)
  const counts = await client.readAll(Array.from({ length: 40 }, () => ['EXISTS', 'list', ...keys]))
  t.strictSame(counts, Array.from({ length: 40 }, () => 1))
  t.equal((await calls()).eval_ro, 7, 'nor one of commands with many keys')
  t.strictSame(await client.readAll([]), [])
})

t.test('a refused command has its own error, and the others have their responses', async t => {
  const { url } = await fill(t)
  const client = await open(t, url)
  const answers = await client.readAll([['LLEN', 'job'], ['ZRANGE', 'sorted', 'first', 'last'], ...many])
  t.strictSame(answers.flatMap(answer => answer instanceof Error ? [answer.message] : []), [
    'WRONGTYPE Operation against a key holding the wrong kind of value', 'ERR value is not an integer or out of range'
  ])
  t.strictSame(answers.slice(2), await client.readAll(many))
})

t.test('a user who may not run EVAL_RO, or some of the commands, gets the same responses', async t => {
  const { url, redis, calls } = await fill(t)
  const expected = await (await open(t, url)).readAll(many)
  const commands = [...new Set(READS.map(([command]) => `+${command.toLowerCase()}`))]
  const users: Array<[name: string, rights: string[], scripts: number]> = [
    ['none', commands, 0], ['script', [...commands, '+eval_ro'], 2], ['lists', [...commands, '+eval_ro', '-zcard'], 2]
  ]
  for (const [name, rights, scripts] of users) {
    await redis.acl('SETUSER', name, 'on', '>secret', '~*', '-@all', ...rights)
    const client = await open(t, url.replace('redis://', `redis://${name}:secret@`))
    await calls()
    for (const round of [1, 2]) {
      const answers = await client.readAll(many)
      for (const [index, [command]] of many.entries()) {
        const title = `${name}, round ${round}: ${command}`
        if (name === 'lists' && command === 'ZCARD') t.match((answers[index] as Error).message, /^NOPERM .*'zcard' command/, title)
        else t.strictSame(answers[index], expected[index], title)
      }
    }
    t.equal((await calls()).eval_ro ?? 0, scripts, `${name}: scripts that ran`)
  }
  const denied = await redis.call('ACL', 'LOG') as unknown[][]
  t.equal(denied.filter(entry => entry.includes('eval_ro')).map(entry => entry[entry.indexOf('count') + 1])[0], 1, 'it is tried once')
})

t.test('a server that refuses commands only within the script gets them one by one from then on', async t => {
  let scripts = 0
  const readAll = createReadTogether({
    isRefusal: () => false, mayUseScript: () => true,
    async send(command, [, key]) {
      if (command !== 'EVAL_RO') return key === 'away' ? Promise.reject(new Error('away')) : 'value'
      scripts++
      return Array.from({ length: 20 }, () => new Error('script tried accessing undeclared key'))
    }
  })
  const reads = (key: string) => Array.from({ length: 20 }, (): ShortRead => ['HMGET', 'job', key])
  for (const expected of [1, 2]) {
    t.ok((await readAll(reads('away'))).every(answer => answer instanceof Error))
    t.equal(scripts, expected, 'a refusal that is not of the script is not remembered')
  }
  t.same(await readAll(reads('name')), Array.from({ length: 20 }, () => 'value'))
  t.same(await readAll(reads('name')), Array.from({ length: 20 }, () => 'value'))
  t.equal(scripts, 3)
})

t.test('a stopped client rejects reads', async t => {
  const { url } = await fill(t)
  const client = await open(t, url)
  const reading = client.readAll(many)
  await client.stop()
  t.equal((await reading).length, many.length, 'reads in progress end')
  for (const answers of [await client.readAll(many), await client.readAll(READS)])
    for (const answer of answers) t.match((answer as Error).message, /stopped/)
})
