/**
 * A bulk retry: its speed, the memory it takes, how long an abort takes, and how long another client of the stores waits. Then
 * the first response of a dry run over a large history, which is written to the result backend directly. The failed executions are only in
 * the history and no longer in the broker, as after a day. Run: npm run bench actions redis|postgres [failed] [in the history]
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPostgresBackend, Queue } from 'bullmq'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { makeExecution } from '../test/backend/make-execution.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { seed } from './ledger-reads.ts'

const TASK = 'mail'
const TASKS = [TASK, ...Array.from({ length: 50 }, (_, index) => `task-${index}`)]
const BATCH = 500
const CALLS_BEFORE = 300
const ABORT_AFTER_MS = 500

const [kind = 'redis', failed = '2000', kept = '10000', other] = process.argv.slice(2)
// The other client is a process of its own, so that it waits only for the store, not for this process.
if (kind === 'reader') await read(failed)
else await measure(Number(failed), Number(kept), other)

async function measure(items: number, size: number, given?: string): Promise<void> {
  const server = given !== undefined
    ? { url: given, async remove() {} }
    : await (kind === 'redis' ? createRedisServer({ persistent: false }) : createPostgresServer({ settings: { max_wal_size: '8GB' } }))
  const store = createStore(server.url, { namespace: 'tasks', role: 'result backend', onError() {} })
  const queueApp = QueueApp.fromUrls({ broker: server.url, tasks: Object.fromEntries(TASKS.map(name => [name, {}])) })
  await queueApp.start()
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const end = Date.now() - 60_000
  for (let done = 0; done < 2 * items; done += BATCH) {
    await backend.record(Array.from({ length: Math.min(BATCH, 2 * items - done) }, (_, index) => makeExecution({
      executionId: randomUUID(), taskName: TASK, queue: TASK, status: 'failed', finishedAt: end - done - index
    })))
  }
  const all = await preview([TASK])
  if (all.relation === 'exact' && all.value !== 2 * items) throw new Error(`The queue app sees ${all.value} of ${2 * items} failures`)
  const { operations } = queueApp
  const order = { action: 'retry' as const, tasksLeftOut: 0, taskNames: [TASK] }

  const reader = fork(fileURLToPath(import.meta.url), ['reader', server.url])
  const times: number[] = []
  reader.on('message', message => times.push(message as number))
  while (times.length < CALLS_BEFORE) await sleep(20)
  const before = times.splice(0)
  globalThis.gc?.()
  const atStart = process.memoryUsage()
  let [rss, heap, retained] = [0, 0, 0]
  const watch = setInterval(() => {
    const now = process.memoryUsage()
    rss = Math.max(rss, now.rss - atStart.rss)
    heap = Math.max(heap, now.heapUsed - atStart.heapUsed)
  }, 20)
  const collect = setInterval(() => {
    globalThis.gc?.()
    retained = Math.max(retained, process.memoryUsage().heapUsed - atStart.heapUsed)
  }, 1_000)
  const begun = performance.now()
  // Retries the older half. The newer half is for the abort.
  const { operationId } = await operations.bulk.create({ ...order, filter: { taskName: TASK, to: end - items + 1 } })
  let found = await queueApp.monitoring.bulk.find(operationId)
  while (found!.state === 'running') {
    await sleep(50)
    found = await queueApp.monitoring.bulk.find(operationId)
  }
  const seconds = (performance.now() - begun) / 1_000
  clearInterval(watch)
  clearInterval(collect)
  const meanwhile = times.splice(0)
  reader.kill()
  await once(reader, 'exit')
  const { done } = found!.progress!
  if (done !== items) throw new Error(`Only ${done} of ${items} were retried: ${JSON.stringify(found)}`)
  const bare = await bareSpeed(server.url, Math.min(items, 20_000))
  console.log(`${kind}: ${done} retries in ${seconds.toFixed(1)} s: ${Math.round(done / seconds)}/s; ` +
    `bare addBulk of ${BATCH} ${Math.round(bare)}/s, ratio ${(done / seconds / bare).toFixed(2)}`)
  console.log(`memory: rss +${mb(rss)}, heap +${mb(heap)}, of which in use after a collection +${mb(retained)}`)
  console.log(`a read of another client: before p50 ${at(before, 0.5)}, p95 ${at(before, 0.95)}; meanwhile (${meanwhile.length}) ` +
    `p50 ${at(meanwhile, 0.5)}, p95 ${at(meanwhile, 0.95)} ms; ratio ` +
    `${(of(meanwhile, 0.5) / of(before, 0.5)).toFixed(2)} / ${(of(meanwhile, 0.95) / of(before, 0.95)).toFixed(2)}`)

  const second = await operations.bulk.create({ ...order, filter: { taskName: TASK, from: end - items + 1 } })
  await sleep(ABORT_AFTER_MS)
  const abortedAt = performance.now()
  let aborted = await operations.bulk.abort(second.operationId).catch(() => null)
  while (aborted !== null && aborted.finishedAt === null) {
    await sleep(10)
    aborted = await queueApp.monitoring.bulk.find(second.operationId)
  }
  console.log(aborted === null
    ? 'abort: not measured, it was done before'
    : `abort: ended after ${Math.round(performance.now() - abortedAt)} ms, ${aborted.progress!.done} retries made`)

  await seed(backend, size)
  const dryAt = performance.now()
  const count = await preview(TASKS)
  console.log(`dry run over ${size + 2 * items}: ${Math.round(performance.now() - dryAt)} ms, ${count.relation} ${count.value}`)
  await queueApp.stop()
  await store.stop()
  await server.remove()

  async function preview(taskNames: readonly string[]) {
    return (await queueApp.monitoring.bulk.preview({ action: 'retry', filter: {}, taskNames, tasksLeftOut: 0 })).count
  }
}

async function bareSpeed(url: string, jobs: number): Promise<number> {
  const queue = kind === 'redis'
    ? new Queue('bare', { connection: { url } })
    : new Queue('bare', { connection: { connectionString: url, schema: 'bare', migrate: true } }, createPostgresBackend)
  const begun = performance.now()
  for (let done = 0; done < jobs; done += BATCH)
    await queue.addBulk(Array.from({ length: BATCH }, () => ({ name: 'x', data: ['a@example.org', 'Hello'] })))
  const seconds = (performance.now() - begun) / 1_000
  await queue.close()
  return jobs / seconds
}

/** Reads the page of failures that an operator sees, repeatedly. */
async function read(url: string): Promise<void> {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  for (;;) {
    const begun = performance.now()
    await backend.list({ order: 'newest', limit: 50, taskName: TASK })
    process.send!(performance.now() - begun)
    await sleep(5)
  }
}

function of(times: readonly number[], share: number): number {
  return times.toSorted((one, two) => one - two)[Math.floor(times.length * share)] ?? NaN
}
function at(times: readonly number[], share: number): string { return of(times, share).toFixed(2) }
function mb(bytes: number): string { return `${Math.round(bytes / 2 ** 20)} MB` }
