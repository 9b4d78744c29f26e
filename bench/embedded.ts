import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { QueueApp, dashboardPlugin } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { recordsOf } from './ledger-records.ts'

/**
 * What the embedded store costs its host: the delay of the event loop with executions stored, 50 tasks a second and a dashboard that polls;
 * executions a second; start and memory. Run: npm run bench embedded [executions] [seconds]
 */
const EXECUTIONS = Number(process.argv[2] ?? 100_000)
const SECONDS = Number(process.argv[3] ?? 30)
const PER_SECOND = 50
const PATHS = ['stats', 'executions?limit=50', 'tasks', 'schedules', 'health']

const folder = await mkdtemp(join(tmpdir(), 'bench-embedded-'))
const url = `embedded:${join(folder, 'store')}`
const end = Date.now()
const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError: console.error })
await store.start()
const backend = createResultBackend(store)
await backend.start()
for (let done = 0; done < EXECUTIONS; done += 500) await backend.record(recordsOf(done, 500, EXECUTIONS, end))
await backend.stop()
await store.stop()

const begun = performance.now()
const queueApp = QueueApp.fromUrls({ broker: url })
const task = queueApp.task('bench', async (number: number) => number, { concurrency: 50 })
await queueApp.start()
console.log(`start with ${EXECUTIONS} executions: ${Math.round(performance.now() - begun)} ms, memory ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`)

const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
await fastify.listen({ port: 0, host: '127.0.0.1' })
const address = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}/tasks/api/`
const refused: number[] = []
const answers: number[] = []

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const until = performance.now() + SECONDS * 1_000
const enqueuing = (async () => {
  for (let number = 0; performance.now() < until; number++) {
    void queueApp.enqueue(task, [number]).catch(console.error)
    await sleep(1_000 / PER_SECOND)
  }
})()
while (performance.now() < until) {
  await Promise.all(PATHS.map(poll))
  await sleep(1_000)
}
await enqueuing
delay.disable()
const ms = (nanoseconds: number) => `${(nanoseconds / 1e6).toFixed(1)} ms`
answers.sort((one, other) => one - other)
console.log(`event loop: p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, worst ${ms(delay.max)}`)
console.log(`dashboard: ${answers.length} answers, p50 ${answers[Math.floor(answers.length / 2)]!.toFixed(0)} ms, worst ${answers.at(-1)!.toFixed(0)} ms, refused ${refused.length}`)

const JOBS = 5_000
const started = performance.now()
const ids = await queueApp.enqueueMany('bench', Array.from({ length: JOBS }, (_, number) => [number]))
while ((await queueApp.result(ids.at(-1)!))?.status !== 'success') await sleep(20)
console.log(`throughput: ${Math.round(JOBS / (performance.now() - started) * 1_000)} executions/s, enqueued and run; memory ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`)

await fastify.close()
await queueApp.stop()
await rm(folder, { recursive: true, force: true })

function poll(path: string): Promise<void> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    get(address + path, answer => {
      if (answer.statusCode !== 200) refused.push(answer.statusCode!)
      answer.resume().on('end', () => {
        answers.push(performance.now() - start)
        resolve()
      })
    }).on('error', reject)
  })
}
