/**
 * What large waiting payloads cost a dashboard: 101 pending executions of 2 MB each, and 100 clients that poll its pages.
 * Run: npm run bench payloads redis|postgres [seconds]
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { fixedDelay } from '../lib/time/backoff.ts'
import { createBullmqEngine } from '../lib/engine/bullmq-engine.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const [kind = 'redis', seconds = '20'] = process.argv.slice(2)
const EXECUTIONS = 101
const CLIENTS = 100
const PATHS = [
  'stats', 'executions?limit=50', 'executions?status=pending&limit=200', 'executions?search=args%3Anothing', 'tasks', 'schedules', 'health'
]

// The payloads are created in another process, so that its memory is not counted.
if (kind === 'seed') {
  await seed(seconds)
  process.exit()
}
const server = await (kind === 'redis' ? createRedisServer({ persistent: false }) : createPostgresServer())
await once(fork(fileURLToPath(import.meta.url), ['seed', server.url]), 'exit')

const queueApp = QueueApp.fromUrls({ broker: server.url })
queueApp.task('another', () => {})
await queueApp.start()
const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp })
await fastify.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}/tasks/api/`
const pending = await (await fetch(`${url}executions?status=pending`)).json() as { total: { value: number } }
const memory = () => process.memoryUsage().rss / 2 ** 20
globalThis.gc?.()
const before = memory()
let peak = before
const watch = setInterval(() => { peak = Math.max(peak, memory()) }, 20)

const until = performance.now() + Number(seconds) * 1_000
const statuses = new Map<number, number>()
const refusals = new Map<string, number>()
const times: number[] = []
await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
  for (let turn = client; performance.now() < until; turn++) {
    const begun = performance.now()
    const answer = await fetch(url + PATHS[turn % PATHS.length]!)
    const body = await answer.text()
    times.push(performance.now() - begun)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status !== 200) {
      const refusal = `${PATHS[turn % PATHS.length]} ${(JSON.parse(body) as { code: string }).code}`
      refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
    }
    await sleep(200)
  }
}))
clearInterval(watch)
times.sort((one, other) => one - other)
const quantile = (share: number) => Math.round(times[Math.floor(times.length * share)]!)
console.log(`${kind}: ${pending.total.value} pending; ${times.length} answers ${JSON.stringify([...statuses])}, p50 ${quantile(0.5)} ms, ` +
  `p99 ${quantile(0.99)} ms, worst ${quantile(0.9999)} ms; ` +
  `memory ${Math.round(before)} MB before, ${Math.round(peak)} MB at most: +${Math.round(peak - before)} MB`)
if (refusals.size > 0) console.log('refused:', Object.fromEntries(refusals))
await fastify.close()
await queueApp.stop()
await server.remove()

async function seed(url: string): Promise<void> {
  const store = createStore(url, { namespace: 'tasks', role: 'broker', onError: console.error })
  await store.start()
  const seenAt = { firstSeenAt: Date.now(), lastSeenAt: Date.now() }
  await store.documents.put('tasks', 'large', {
    name: 'large', type: 'io', description: null, retries: 0, backoff: fixedDelay(0), timeoutMs: null, concurrency: 1, ...seenAt
  })
  const engine = createBullmqEngine(store)
  await engine.start()
  const common = {
    taskName: 'large', args: ['x'.repeat(2_000_000)], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null,
    retryOf: null
  }
  for (let index = 0; index < EXECUTIONS; index++) await engine.enqueue([{ ...common, executionId: randomUUID() }])
  await engine.stop()
  await store.stop()
}
