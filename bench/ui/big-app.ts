import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { Queue } from 'bullmq'
import Fastify, { type FastifyInstance } from 'fastify'
import { createResultBackend } from '../../lib/backend/create-result-backend.ts'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { createRedisServer } from '../../test/support/servers/redis-server.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { recordsOf, scatter } from '../ledger-records.ts'

export interface Size { readonly tasks: number; readonly schedules: number; readonly executions: number }

export interface BigApp {
  readonly queueApp: QueueApp
  readonly host: FastifyInstance
  /** Addresses of both dashboards, without a slash at the end. */
  readonly ours: string
  readonly board: string
  readonly stop: () => Promise<void>
}

const AREAS = 'billing orders email search warehouse reports images users exports webhooks payments stock'.split(' ')
const VERBS = 'send sync charge import export reconcile index clean notify archive resize verify merge'.split(' ')
/** This many tasks have a worker. The others are only declared, as by a process that only enqueues. */
const WORKED = 10
const WAITING_EACH = 2
/** Changes in the audit log. */
const CHANGES = 60
const BATCH = 1_000
const SET_UP_WITHIN_MS = 240_000

/** `billing:send`, `orders:send`, …: a number is appended only after all combinations of area and verb are used. */
export function taskName(index: number): string {
  const round = Math.floor(index / (AREAS.length * VERBS.length))
  const verb = VERBS[Math.floor(index / AREAS.length) % VERBS.length]!
  return `${AREAS[index % AREAS.length]!}:${verb}${round === 0 ? '' : `-${round + 1}`}`
}

/** Opens a queue app of this size on its own Redis, and a bull-board on the same queues. The history is written as a recorder writes it. */
export async function openBigApp({ tasks, schedules, executions }: Size): Promise<BigApp> {
  const server = await createRedisServer({ persistent: false })
  const names = Array.from({ length: tasks }, (_, index) => taskName(index))
  await seedHistory(server.url, names, executions)

  const queueApp = QueueApp.fromUrls({ broker: server.url, tasks: Object.fromEntries(names.slice(WORKED).map(name => [name, {}])) })
  for (const name of names.slice(0, WORKED)) queueApp.task(name, () => {})
  const scheduler = queueApp.createScheduler()
  const ids: string[] = []
  for (let index = 0; index < schedules; index++) {
    const cron = index % 40 === 0 ? `*/${5 + index % 25} * * * *` : `${index % 60} ${Math.floor(index / 60) % 24} * * *`
    const name = names[index % tasks]!
    const description = `${name.replace(':', ' ')}, plan ${index}`
    ids.push(await scheduler.scheduleCron(name, cron, description, { id: `plan-${index}`, enabled: index % 10 !== 0 }))
  }
  // All schedules are written when the queue app starts, which is faster than writing them one by one.
  await queueApp.start()
  await waitFor('all schedules', async () => (await queueApp.monitoring.statistics()).schedules.total >= schedules, SET_UP_WITHIN_MS)
  for (const name of names.slice(WORKED, WORKED * 3))
    await queueApp.enqueueMany(name, Array.from({ length: WAITING_EACH }, () => []))

  const host = Fastify()
  await host.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', title: 'Orders', environment: 'production' })
  const queues = names.map(name => new Queue(queueNameFromTask(name), { connection: { url: server.url }, prefix: '{tasks}' }))
  const board = new FastifyAdapter()
  board.setBasePath('/board')
  createBullBoard({ queues: queues.map(queue => new BullMQAdapter(queue)), serverAdapter: board })
  await host.register(board.registerPlugin(), { prefix: '/board' })
  for (const id of ids.slice(0, CHANGES)) {
    const { statusCode, body } = await host.inject({ method: 'PUT', url: `/tasks/api/schedules/${id}/disable` })
    if (statusCode !== 200) throw new Error(body)
  }
  const address = await host.listen({ port: 0, host: '127.0.0.1' })

  return {
    queueApp, host, ours: `${address}/tasks`, board: `${address}/board`,
    async stop() {
      await host.close()
      await Promise.all(queues.map(queue => queue.close()))
      await queueApp.stop()
      await server.remove()
    }
  }
}

async function seedHistory(url: string, names: readonly string[], executions: number): Promise<void> {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError: console.error })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const end = Date.now()
  for (let first = 0; first < executions; first += BATCH) {
    const records = recordsOf(first, Math.min(BATCH, executions - first), executions, end)
    await backend.record(records.map((record, index) => {
      const name = names[Math.floor(scatter(first + index, 13) ** 2 * names.length)]!
      return { ...record, taskName: name, queue: queueNameFromTask(name) }
    }))
  }
  await backend.stop()
  await store.stop()
}
