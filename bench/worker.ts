/**
 * The cost of our worker compared with a bare BullMQ worker: no-op executions per second, with the same jobs on one Redis, in turns. Each
 * runs in a separate process, because once `AsyncLocalStorage` is used, it slows down all promises of its process on Node 20, including
 * those of the bare worker. Ours is measured from the first start until the last execution is recorded.
 * Run: npm run bench worker [jobs] [rounds] [ours|bare]
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const CONCURRENCY = 50
const PREFIX = '{tasks}'

type Side = 'ours' | 'bare'
interface Measured { readonly rate: number; readonly processMicroseconds: number; readonly redisMicroseconds: number }

if (process.send) {
  const [url, side, jobs] = process.argv.slice(2) as [string, Side, string]
  // The first round is a warm-up.
  for (let time = 0; time < 2; time++) {
    const measured = await measure(url, side, Number(jobs))
    if (time > 0) process.send(measured, () => process.exit(0))
  }
} else {
  const [jobs = '50000', rounds = '5', only] = process.argv.slice(2)
  const server = await createRedisServer({ persistent: false })
  const ratios: number[] = []
  for (let round = 0; round < Number(rounds); round++) {
    const rates: number[] = []
    for (const side of ['ours', 'bare'] as const) {
      if (only !== undefined && only !== side) continue
      const { rate, processMicroseconds, redisMicroseconds } = await inProcess(server.url, side, jobs)
      rates.push(rate)
      console.log(`${side}: ${rate}/s, CPU an execution: process ${processMicroseconds} µs, Redis ${redisMicroseconds} µs`)
    }
    if (rates.length === 2) ratios.push(rates[0]! / rates[1]!)
  }
  await server.remove()
  if (ratios.length > 0)
    console.log(
      `ratios ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}, median ` +
        `${ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)]!.toFixed(2)}`
    )
}

async function inProcess(url: string, side: Side, jobs: string): Promise<Measured> {
  const child = fork(fileURLToPath(import.meta.url), [url, side, jobs])
  const [measured] = await Promise.race([
    once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`${side} ended with ${code}`) })
  ]) as [Measured]
  await once(child, 'exit')
  return measured
}

async function measure(url: string, side: Side, jobs: number): Promise<Measured> {
  const connection = new Redis(url, { maxRetriesPerRequest: null })
  await connection.flushall()
  const queue = new Queue('noop', { connection, prefix: PREFIX })
  for (let added = 0; added < jobs; added += 1000) {
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
  const [processBefore, redisBefore] = [process.cpuUsage(), await redisCpu(connection)]
  const handle = () => {
    begin ||= performance.now()
    handled++
  }
  const isDone = () => {
    end = performance.now()
    return handled === jobs
  }
  await (side === 'ours' ? runOurs(url, jobs, handle, isDone) : runBare(connection, jobs, handle, isDone))
  const { user, system } = process.cpuUsage(processBefore)
  const redisMicroseconds = Math.round((await redisCpu(connection) - redisBefore) / jobs)
  connection.disconnect()
  return { rate: Math.round(jobs / (end - begin) * 1000), processMicroseconds: Math.round((user + system) / jobs), redisMicroseconds }
}

/** CPU time used by Redis, in microseconds. */
async function redisCpu(connection: Redis): Promise<number> {
  const info = await connection.info('cpu')
  return [...info.matchAll(/used_cpu_(?:user|sys):([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds) * 1e6, 0)
}

async function runOurs(url: string, jobs: number, handle: () => void, isDone: () => boolean): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: url })
  queueApp.task('noop', async (_to: string, _index: number) => { handle() }, { concurrency: CONCURRENCY })
  await queueApp.start()
  while (!isDone()) await sleep(10)
  while ((await queueApp.monitoring.statistics()).executions.success < jobs) await sleep(2)
  isDone()
  await queueApp.stop()
}

async function runBare(connection: Redis, jobs: number, handle: () => void, isDone: () => boolean): Promise<void> {
  const worker = new Worker('noop', async () => { handle() }, { connection, prefix: PREFIX, concurrency: CONCURRENCY })
  let completed = 0
  worker.on('completed', () => { completed++ })
  while (!isDone() || completed < jobs) await sleep(2)
  await worker.close()
}
