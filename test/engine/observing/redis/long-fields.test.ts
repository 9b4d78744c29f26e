import t from 'tap'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { ObservedJob } from '../../../../lib/engine/observing/observed-job.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'

/** A server with jobs of a queue, by id. */
function serverWith(jobs: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const alone: string[] = []
  const together: string[] = []
  const answer = (command: string, key: string, fields: readonly string[]): unknown => {
    const job = jobs[key.split(':')[2]!]
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
  return { server: createObservedRedis(client), alone, together }
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
