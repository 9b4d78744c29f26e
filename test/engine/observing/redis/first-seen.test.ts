import t from 'tap'
import { createObservedRedis } from '../../../../lib/engine/observing/redis/redis-server.ts'
import type { ReadClient } from '../../../../lib/stores/redis/observing/read-client.ts'
import { readOneByOne } from '../../../support/read-one-by-one.ts'

const QUEUE = { taskName: 'plain', name: 'plain', prefix: 'bull' }

/** A server with jobs that do not tell when they were added. */
function startServer(jobs: Map<string, Record<string, string>>) {
  const read = async (command: string, ...parameters: Array<string | number>): Promise<unknown> => {
    const [key, ...fields] = parameters.map(String)
    const job = jobs.get(key!.split(':')[2]!)
    if (command === 'HMGET') return fields.map(field => job?.[field] ?? null)
    if (command === 'HSTRLEN') return job?.[fields[0]!]?.length ?? 0
    throw new Error(`not answered here: ${command}`)
  }
  const client = { forKey: () => client, read, readAll: readOneByOne(read) } as unknown as ReadClient
  return createObservedRedis(client)
}

t.test('a job with the id of an earlier one has waited since it was read, not since the earlier one was', async t => {
  for (const end of ['removed', 'finished'] as const) {
    const jobs = new Map([['daily', { name: 'report', data: '{}' } as Record<string, string>]])
    const server = startServer(jobs)
    const first = (await server.jobs.read(QUEUE, 'daily'))!.timestamp
    await new Promise(resolve => { setTimeout(resolve, 30) })
    t.equal((await server.jobs.read(QUEUE, 'daily'))!.timestamp, first, 'its place in a list stays the same')
    if (end === 'removed') jobs.delete('daily')
    else jobs.set('daily', { name: 'report', data: '{}', processedOn: '5', finishedOn: '6' })
    await server.jobs.read(QUEUE, 'daily')
    const since = Date.now()
    jobs.set('daily', { name: 'report', data: '{}' })
    t.ok((await server.jobs.read(QUEUE, 'daily'))!.timestamp >= since, end)
  }
})
