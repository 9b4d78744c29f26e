/**
 * What our worker costs beside a bare BullMQ worker: executions of a no-op a second, of the same jobs on one Redis, in one process, in turn.
 * Ours counts from the first start until the last is recorded. Run: npm run bench worker [jobs] [rounds] [ours|bare]
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/redis-server.ts'

const JOBS = Number(process.argv[2] ?? 50_000)
const ROUNDS = Number(process.argv[3] ?? 5)
/** One alone, to profile it. */
const ONLY = process.argv[4]
const CONCURRENCY = 50
const PREFIX = '{tasks}'

const server = await createRedisServer({ persistent: false })
const connection = new Redis(server.url, { maxRetriesPerRequest: null })
const ratios: number[] = []
// The first round warms up.
for (let round = 0; round <= ROUNDS; round++) {
  const ours = ONLY === 'bare' ? null : await rateOf(runOurs)
  const bare = ONLY === 'ours' ? null : await rateOf(runBare)
  const ratio = ours === null || bare === null ? NaN : ours.rate / bare.rate
  console.log(`${round === 0 ? 'warm-up: ' : ''}ours ${ours?.told}, bare ${bare?.told}, ratio ${ratio.toFixed(2)}`)
  if (round > 0) ratios.push(ratio)
}
console.log(`median ratio ${ratios.sort((one, other) => one - other)[Math.floor(ratios.length / 2)]!.toFixed(2)}`)
connection.disconnect()
await server.remove()

/** `run` calls its argument for each execution, and resolves when it has done all of them. */
async function rateOf(run: (handle: () => void, isDone: () => boolean) => Promise<void>): Promise<{ rate: number; told: string }> {
  await connection.flushall()
  const queue = new Queue('noop', { connection, prefix: PREFIX })
  for (let added = 0; added < JOBS; added += 1000) {
    await queue.addBulk(Array.from({ length: 1000 }, (_, index) => ({
      name: 'noop',
      data: { args: JSON.stringify(['ana@example.com', added + index]) },
      opts: { jobId: randomUUID(), attempts: 1, keepLogs: 1000 }
    })))
  }
  await queue.close()
  let begin = 0
  let handled = 0
  let end = 0
  const [processBefore, redisBefore] = [process.cpuUsage(), await redisCpu()]
  await run(() => {
    begin ||= performance.now()
    handled++
  }, () => {
    end = performance.now()
    return handled === JOBS
  })
  const { user, system } = process.cpuUsage(processBefore)
  const rate = Math.round(JOBS / (end - begin) * 1000)
  return { rate, told: `${rate}/s (CPU an execution: process ${Math.round((user + system) / JOBS)} µs, Redis ${Math.round((await redisCpu() - redisBefore) / JOBS)} µs)` }
}

/** Microseconds. */
async function redisCpu(): Promise<number> {
  const info = await connection.info('cpu')
  return [...info.matchAll(/used_cpu_(?:user|sys):([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds) * 1e6, 0)
}

async function runOurs(handle: () => void, isDone: () => boolean): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: server.url })
  queueApp.task('noop', async (_to: string, _index: number) => { handle() }, { concurrency: CONCURRENCY })
  await queueApp.start()
  while (!isDone()) await sleep(10)
  while ((await queueApp.monitoring.statistics()).executions.success < JOBS) await sleep(2)
  isDone()
  await queueApp.stop()
}

async function runBare(handle: () => void, isDone: () => boolean): Promise<void> {
  const worker = new Worker('noop', async () => { handle() }, { connection, prefix: PREFIX, concurrency: CONCURRENCY })
  let completed = 0
  worker.on('completed', () => { completed++ })
  while (!isDone() || completed < JOBS) await sleep(2)
  await worker.close()
}
