import Fastify from 'fastify'
import { currentExecution, dashboardPlugin, QueueApp, type DashboardOptions } from '../../lib/index.ts'
import { addForeignOperation, addUndoingOperation, FOREIGN_OPERATION, UNDOING_OPERATION } from '../../test/end-to-end/actions/earlier.ts'
import { createRedisServer } from '../../test/support/servers/redis-server.ts'
import { waitFor } from '../../test/support/wait-for.ts'

const CHARGE = 'billing:charge'
const SEND = 'email:send'
const SYNC = 'warehouse:sync'
const RECORDED_WITHIN_MS = 60_000
const HOUR_MS = 3_600_000

export type ActionsApp = Awaited<ReturnType<typeof openActionsApp>>

/** Opens a shop with everything that users can act on, in each of its states. */
export async function openActionsApp() {
  const redis = await createRedisServer()
  await addForeignOperation(redis.url)
  await addUndoingOperation(redis.url, CHARGE)
  const queueApp = QueueApp.fromUrls({ broker: redis.url, stopGraceMs: 100, onError() {} })
  const { operations, monitoring } = queueApp
  const failing = new Set(['card declined', 'bank is away'])
  queueApp.task(CHARGE, async (order: number, problem: string) => {
    if (problem === 'no card') throw new RangeError(`order ${order} has no card`)
    if (failing.has(problem)) throw new Error(`order ${order}: ${problem}`)
    return { order, charged: true }
  }, { concurrency: 20, description: 'Charges the card of an order' })
  queueApp.task(SEND, async () => ({ sent: true }), { description: 'Sends one email' })
  queueApp.task(SYNC, async () => {
    const { signal } = currentExecution()
    await new Promise(resolve => { signal.addEventListener('abort', () => setTimeout(resolve, HOUR_MS).unref(), { once: true }) })
  }, { concurrency: 4 })
  queueApp.task('report:build', async () => {}, { concurrency: 8, rateLimit: { max: 100, durationMs: 60_000 } })
  await queueApp.start()

  const ended = async (id: string, status: string): Promise<string> => {
    await waitFor(`${id} to be ${status}`, async () => (await monitoring.execution(id))?.status === status, RECORDED_WITHIN_MS)
    return id
  }
  const fail = async (problem: string, count: number): Promise<string[]> => {
    const ids = await queueApp.enqueueMany(CHARGE, Array.from({ length: count }, (_, order) => [1_000 + order, problem]))
    for (const id of ids) await ended(id, 'failed')
    await waitFor(`the group of ${problem}`, async () => (await monitoring.execution(ids[0]!))?.errorGroup)
    return ids
  }
  const groupOf = async (id: string): Promise<string> => (await monitoring.execution(id))!.errorGroup!
  const by = { by: 'ada' } as const

  const declined = await fail('card declined', 240)
  const [withoutCard] = await fail('no card', 3) as [string]
  const [away] = await fail('bank is away', 2) as [string]
  await operations.resolveFailureGroup(await groupOf(withoutCard), { ...by, note: 'orders without a card are refused since 2.4' })
  await operations.resolveFailureGroup(await groupOf(away), { ...by, note: 'the bank is back' })
  await fail('bank is away', 1)
  const retried = declined[0]!
  await operations.retryExecution(retried)
  const edited = (await operations.retryExecution(declined[1]!, { args: [1_001, 'paid by invoice'] })).executionId

  const [running, cancelling] = await Promise.all([queueApp.enqueue(SYNC), queueApp.enqueue(SYNC)])
  await Promise.all([ended(running, 'running'), ended(cancelling, 'running')])
  await operations.cancelExecution(cancelling, { ...by, reason: 'it holds the stock table' })
  const delayed = await queueApp.enqueue(SEND, ['ana@example.com', 'Welcome'], { delayMs: HOUR_MS })
  const cancelled = await queueApp.enqueue(SEND, ['ben@example.com', 'Welcome'], { delayMs: HOUR_MS })
  await operations.cancelExecution(cancelled, { ...by, reason: 'unsubscribed' })
  const deleted = await ended(await queueApp.enqueue(SEND, ['cleo@example.com', 'Welcome']), 'success')
  await operations.deleteExecution(deleted)
  const succeeded = await ended(await queueApp.enqueue(SEND, ['dan@example.com', 'Welcome']), 'success')
  await operations.pauseQueue(SEND, { ...by, reason: 'the mail server moves', until: Date.now() + HOUR_MS })
  const paused = await queueApp.enqueue(SEND, ['eve@example.com', 'Welcome'])
  await operations.limitQueue('report:build', { ...by, concurrency: 2, rate: { max: 10, durationMs: 60_000 }, reason: 'slow database' })

  const named = { taskNames: [CHARGE], tasksLeftOut: 0, ...by } as const
  const start = async (ids: readonly string[], rate?: number): Promise<string> => (await operations.bulk.create({
    action: 'retry', filter: { executionIds: ids }, ...named, reason: 'the bank is back', ...rate !== undefined && { rate }
  })).operationId
  const endedBulk = async (id: string): Promise<string> => {
    await waitFor(`${id} to end`, async () => typeof (await monitoring.bulk.find(id))?.finishedAt === 'number', RECORDED_WITHIN_MS)
    return id
  }
  // Paused, so that none of the retries starts before they are undone.
  await operations.pauseQueue(CHARGE)
  const undone = await endedBulk(await start(declined.slice(8, 12)))
  await operations.bulk.undo(undone, by)
  await waitFor('the undo', async () => (await monitoring.bulk.find(undone))?.state === 'undone', RECORDED_WITHIN_MS)
  await operations.resumeQueue(CHARGE)
  const slow = declined.slice(12, 200)
  const bulk = {
    done: await endedBulk(await start(declined.slice(0, 8))),
    running: await start(slow, 1),
    suspended: (await operations.bulk.suspend(await start(slow, 1), by)).operationId,
    aborted: await endedBulk((await operations.bulk.abort(await start(slow, 1), by)).operationId),
    undone,
    undoing: UNDOING_OPERATION,
    unsupported: FOREIGN_OPERATION
  }
  await operations.createSchedule({
    taskName: SEND, timing: { cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' }, description: 'Daily digest'
  })

  const servers = [Fastify({ forceCloseConnections: true }), Fastify({ forceCloseConnections: true })] as const
  const serve = async (server: (typeof servers)[number], options: Partial<DashboardOptions>): Promise<string> => {
    await server.register(dashboardPlugin, {
      prefix: '/tasks', queueApp, title: 'Shop', environment: 'staging', identify: () => 'ada', ...options
    } as DashboardOptions)
    return `${await server.listen({ host: '127.0.0.1', port: 0 })}/tasks`
  }
  const address = await serve(servers[0], {})
  const readOnly = await serve(servers[1], { readOnly: true })

  // Only requests over HTTP are in the audit log.
  const write = async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await fetch(`${address}/api${path}`, {
      method, headers: { 'audit-reason': 'the database is slow', ...body && { 'content-type': 'application/json' } },
      ...body && { body: JSON.stringify(body) }
    })
    if (answer.status >= 500) throw new Error(`${method} ${path} answered ${answer.status}`)
  }
  const queue = `/queues/${encodeURIComponent('report:build')}`
  await write('PUT', `${queue}/pause`, { reason: 'the database is slow' })
  await write('PUT', `${queue}/resume`, {})
  await write('POST', `/executions/${declined[2]!}/retry`)
  await write('POST', `/executions/${declined[2]!}/retry`)
  await write('DELETE', `/executions/${declined[3]!}`)

  return {
    address, readOnly, bulk,
    ids: { failed: declined.at(-1)!, retried, edited, running, cancelling, delayed, cancelled, deleted, succeeded, paused },
    groups: { open: await groupOf(declined[0]!), resolved: await groupOf(withoutCard), regressed: await groupOf(away) },
    async stop() {
      for (const server of servers) await server.close()
      await queueApp.stop()
      await redis.remove()
    }
  }
}
