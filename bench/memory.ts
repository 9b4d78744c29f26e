import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { createRecorder } from '../lib/backend/upkeep/recorder.ts'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { createStore } from '../lib/stores/create-store.ts'
import type { RedisStore } from '../lib/stores/store.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { waitFor } from '../test/support/wait-for.ts'
import { recordsOf } from './ledger-records.ts'

/**
 * Memory of this process while its recorder writes a million executions to Redis, and Redis memory per execution without payload, compared
 * with what BullMQ needs for a completed job without data. Run: npm run bench memory [executions]
 */
const EXECUTIONS = Number(process.argv[2] ?? 1_000_000)
const BULLMQ_JOBS = 50_000
const STEPS = 10

const server = await createRedisServer({ persistent: false })
const store = createStore(server.url, { namespace: 'bench', role: 'result backend', onError() {} }) as RedisStore
await store.start()
const used = async () => Number(/used_memory:(\d+)/.exec(await store.client.info('memory'))![1])

const backend = createResultBackend(store)
await backend.start()
const recorder = createRecorder({ backend, onError(error) { throw error } })
const atStart = await used()
const end = Date.now()
let first: number | undefined
for (let step = 1; step <= STEPS; step++) {
  for (let done = (step - 1) * EXECUTIONS / STEPS; done < step * EXECUTIONS / STEPS; done += 500) {
    for (const execution of recordsOf(done, 500, EXECUTIONS, end)) recorder.record({ ...execution, args: [] })
    while (recorder.status().queued > 5_000) await sleep(1)
  }
  await recorder.flush(60_000)
  globalThis.gc?.()
  const rss = process.memoryUsage.rss() / 2 ** 20
  first ??= rss
  console.log(
    `${step * EXECUTIONS / STEPS} recorded: ${rss.toFixed(0)} MB (${(rss - first).toFixed(0)} MB more than after the first ` +
      `${EXECUTIONS / STEPS}), heap ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MB`
  )
}
console.log(`Redis: ${Math.round((await used() - atStart) / EXECUTIONS)} bytes an execution`)
await store.client.flushall()

const queue = new Queue('bare', { connection: { url: server.url } })
const before = await used()
for (let done = 0; done < BULLMQ_JOBS; done += 1_000) await queue.addBulk(Array.from({ length: 1_000 }, () => ({ name: 'x', data: {} })))
const worker = new Worker('bare', async () => null, { connection: { url: server.url, maxRetriesPerRequest: null }, concurrency: 50 })
await waitFor('every job', async () => await queue.getCompletedCount() === BULLMQ_JOBS)
console.log(`BullMQ: ${Math.round((await used() - before) / BULLMQ_JOBS)} bytes a completed job without data`)
await worker.close()
await queue.close()
await store.stop()
await server.remove()
