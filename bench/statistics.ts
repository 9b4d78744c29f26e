/**
 * Statistics on Redis compared with a bare round trip, for 5 and for 200 tasks, and over HTTP. Half of the tasks have pending executions, a
 * tenth have a schedule; the history is one hour. Run: npm run bench statistics
 */
import { randomUUID } from 'node:crypto'
import { Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { dashboardPlugin, QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { makeExecution } from '../test/backend/make-execution.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const CLIENTS = 10
const MINUTE_MS = 60_000
/** A snapshot is valid for a second; after that, each response is new. */
const SNAPSHOT_OVER_MS = 1_050

const server = await createRedisServer({ persistent: false })
for (const tasks of [5, 200]) await measure(tasks)
await server.remove()

async function measure(tasks: number): Promise<void> {
  const client = new Redis(server.url)
  await client.flushall()
  const names = Array.from({ length: tasks }, (_, index) => `task ${index}`)
  await recordHour(names)
  const queueApp = QueueApp.fromUrls({ broker: server.url })
  for (const name of names) queueApp.task(name, () => {})
  await queueApp.start()
  for (const name of names.slice(0, tasks / 2))
    await queueApp.enqueueMany(name, Array.from({ length: 5 }, () => []), { delayMs: 3_600_000 })
  for (const name of names.slice(tasks / 4, tasks / 2)) {
    await queueApp.enqueueMany(name, Array.from({ length: 5 }, () => []), { delayMs: 3_600_000, priority: 3 })
  }
  const scheduler = queueApp.createScheduler()
  for (const name of names.slice(0, Math.ceil(tasks / 10))) await scheduler.scheduleCron(name, '0 0 1 1 *', null, { id: `of ${name}` })
  const app = Fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const stats = () => request(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/tasks/api/stats`, agent)

  console.log(`${tasks} tasks`)
  report('a bare round trip (PING)', await series(() => client.ping(), 300, 5))
  report('statistics()', await series(() => queueApp.monitoring.statistics(), 200, 20))
  report('tasks()', await series(() => queueApp.monitoring.tasks(), 50, 20))
  report('GET /api/stats, not from the snapshot', await series(stats, 10, SNAPSHOT_OVER_MS))
  report('GET /api/stats, one client', await series(stats, 500, 0))
  const start = performance.now()
  const all = (await Promise.all(Array.from({ length: CLIENTS }, () => series(stats, 500, 0)))).flat()
  report(`GET /api/stats, ${CLIENTS} clients, ${Math.round(all.length / (performance.now() - start) * 1000)} per second`, all)

  agent.destroy()
  client.disconnect()
  await app.close()
  await queueApp.stop()
}

async function recordHour(names: readonly string[]): Promise<void> {
  const store = createStore(server.url, { namespace: 'tasks', role: 'result backend', onError: console.error })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const now = Date.now()
  for (let minute = 0; minute < 60; minute++) {
    await backend.record(Array.from({ length: 200 }, (_, index) => {
      const finishedAt = now - minute * MINUTE_MS - index
      const durationMs = Math.round(10 ** (Math.random() * 4))
      return makeExecution({
        executionId: randomUUID(), taskName: names[index % names.length]!, finishedAt, startedAt: finishedAt - durationMs, durationMs
      })
    }))
  }
  await backend.stop()
  await store.stop()
}

/** The duration of each round in milliseconds. */
async function series(work: () => Promise<unknown>, rounds: number, pauseMs: number): Promise<number[]> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs))
    const start = performance.now()
    await work()
    took.push(performance.now() - start)
  }
  return took
}

function request(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, answer => {
      if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    }).on('error', reject)
  })
}

function report(what: string, took: number[]): void {
  took.sort((one, other) => one - other)
  console.log(`  ${what}: median ${took[Math.floor(took.length / 2)]!.toFixed(2)} ms, fastest ${took[0]!.toFixed(2)} ms`)
}
