import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { createRedisServer } from '../../test/support/servers/redis-server.ts'
import { waitFor } from '../../test/support/wait-for.ts'

const EXECUTIONS = 120
const LARGE_CHARACTERS = 3_000_000
const MINUTE_MS = 60_000
const RECORDED_WITHIN_MS = 60_000

export interface Fault {
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

export interface FaultyApp {
  readonly address: string
  readonly broker: Fault
  readonly backend: Fault
  /** After `kill`, no server listens at the address. */
  readonly server: Fault
  /** After `kill`, no one is signed in. */
  readonly signIn: Fault
  /** The id of an execution with arguments of 3 MB. */
  readonly largeExecution: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** Opens a small shop whose broker, result backend, server and sign-in can be stopped. */
export async function openFaultyApp(): Promise<FaultyApp> {
  const [broker, backend] = [await createRedisServer(), await createRedisServer()]
  const queueApp = QueueApp.fromUrls({ broker: broker.url, backend: backend.url, onError() {} })
  queueApp.task('email:send', async () => ({ sent: true }))
  const importOrders = queueApp.task('orders:import', async (rows: string) => ({ rows: rows.length }))
  queueApp.task('billing:charge', async (order: number) => {
    if (order % 5 === 0) throw new Error(`order ${order} has no card`)
  })
  await queueApp.createScheduler().scheduleCron('email:send', '0 8 * * 1-5', 'Morning digest')
  await queueApp.start()
  await queueApp.enqueueMany('email:send', Array.from({ length: EXECUTIONS / 2 }, () => []))
  await queueApp.enqueueMany('billing:charge', Array.from({ length: EXECUTIONS / 2 }, (_, order) => [order]))
  await finished(queueApp, EXECUTIONS)
  // Charts draw only whole minutes.
  await sleep(MINUTE_MS - Date.now() % MINUTE_MS + 1_000)

  let isSignedIn = true
  const listen = async (port: number): Promise<FastifyInstance> => {
    const server = Fastify({ forceCloseConnections: true })
    await server.register(dashboardPlugin, {
      prefix: '/tasks', queueApp, title: 'Shop', environment: 'staging', signInUrl: '/login?return_to={return}',
      authorize() {
        if (!isSignedIn) throw Object.assign(new Error('signed out'), { statusCode: 401 })
        return true
      }
    })
    await server.listen({ host: '127.0.0.1', port })
    return server
  }
  let server = await listen(0)
  const port = Number(new URL(server.listeningOrigin).port)

  return {
    address: `http://127.0.0.1:${port}/tasks`, broker, backend,
    server: {
      kill: () => server.close(),
      async start() { server = await listen(port) }
    },
    signIn: {
      async kill() { isSignedIn = false },
      async start() { isSignedIn = true }
    },
    async largeExecution() {
      const id = await queueApp.enqueue(importOrders, ['row of an import; '.repeat(LARGE_CHARACTERS / 18)])
      await finished(queueApp, EXECUTIONS + 1)
      return id
    },
    async stop() {
      await server.close()
      await queueApp.stop()
      await broker.remove()
      await backend.remove()
    }
  }
}

async function finished(queueApp: QueueApp, count: number): Promise<void> {
  await waitFor(`${count} executions in the history`, async () => {
    const { success, failed } = (await queueApp.monitoring.statistics()).executions
    return success + failed >= count
  }, RECORDED_WITHIN_MS)
}
