import t from 'tap'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { ObservedJob } from '../../../../lib/engine/observing/observed-job.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'

/** A server with jobs of a queue, by id. */
function serverWith(jobs: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const alone: string[] = []
  const together: string[] = []
  const asked: string[] = []
  const answer = (command: string, key: string, fields: readonly string[]): unknown => {
    asked.push(command)
    const job = jobs[key.slice('bull:mail:'.length)]
    return command === 'HSTRLEN' ? job?.[fields[0]!]?.length ?? 0 : fields.map(field => job?.[field] ?? null)
  }
  const client = {
    forKey: () => client,
    async read(command: string, key: string, ...fields: string[]) {
      alone.push(key)
      return answer(command, key, fields)
    },
    readAll: readOneByOne(async (command, key, ...fields) => {
      if (command === 'HMGET') together.push(String(key))
      return answer(command, String(key), fields.map(String))
    })
  } as unknown as ReadClient
  return { server: createObservedRedis(client), alone, together, asked }
}

t.test('fields that may be long are read together for many jobs if they are short, and one by one if they are long', async t => {
  const long = 'x'.repeat(60_000)
  const { server, alone, together } = serverWith({
    1: { timestamp: '1', name: 'short' }, 2: { timestamp: '2', name: 'long', failedReason: long }, 4: { timestamp: '4', name: 'last' },
    5: { timestamp: '5', name: 'cut', failedReason: `${long}${long}` }
  })
  const queue = { taskName: 'mail', name: 'mail', prefix: 'bull' }
  const listed = ['1', '2', '3', '4', '5'].map(id => ({ queue, job: { id } as ObservedJob }))
  const found = await server.jobs.complete(listed)
  t.same(found.map(job => job && [job.id, job.name, job.failedReason?.length ?? null, job.unread]), [
    ['1', 'short', null, []], ['2', 'long', 60_000, []], null, ['4', 'last', null, []], ['5', 'cut', null, ['failedReason']]
  ])
  t.same(alone, ['bull:mail:2'])
  t.same(together.toSorted(), ['bull:mail:1', 'bull:mail:3', 'bull:mail:4', 'bull:mail:5'])
})

t.test('names of workers and schedulers that are too long are not read, and cost waiting jobs no command', async t => {
  const long = 'x'.repeat(60_000)
  const { server, asked } = serverWith({
    1: { timestamp: '1', name: 'waiting' }, 2: { timestamp: '2', name: 'run', processedOn: '3', pb: 'worker-1' },
    3: { timestamp: '3', name: 'long', processedOn: '4', pb: long }, 'repeat:a:5': { timestamp: '5', name: 'planned', rjk: 'a' },
    'repeat:b:6': { timestamp: '6', name: 'planned', rjk: long }
  })
  const queue = { taskName: 'mail', name: 'mail', prefix: 'bull' }
  for (const id of ['1', '2', '3', 'repeat:a:5', 'repeat:b:6']) {
    const job = await server.jobs.read(queue, id)
    t.match(job, { processedBy: id === '2' ? 'worker-1' : null, repeatJobKey: id === 'repeat:a:5' ? 'a' : null }, id)
    t.same(job!.unread, id === '3' ? ['pb'] : id === 'repeat:b:6' ? ['rjk'] : [])
    asked.length = 0
    const [listed] = await server.jobs.complete([{ queue, job: job! }])
    t.same(listed, job)
    t.equal(asked.filter(command => command === 'HSTRLEN').length, id === '1' ? 5 : 6, `${id} in a list`)
  }
})
