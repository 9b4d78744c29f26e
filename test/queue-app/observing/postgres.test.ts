import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp, type ObserveOptions } from '../../../lib/index.ts'
import { isTaskDashboardError } from '../../../lib/errors.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker, untilStored } from '../../support/programs/owners-of-queues.ts'
import { createRole } from '../../support/servers/postgres-role.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

async function openOwner(t: Test, name: string, url: string, options: object = {}) {
  const queue = openQueue(t, 6, name, url, options)
  await queue.waitUntilReady()
  await untilStored(queue)
  return queue
}

async function rowsOf(url: string, statement: string, values: readonly unknown[]): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

async function observeJobs(t: Test, url: string, options: ObserveOptions = {}): Promise<QueueApp> {
  return await observe(t, { broker: url }, {
    // Repeat the request if the server responds late on a busy machine.
    onError: error => { if (!isLate(error)) t.fail(error.message) }, ...options
  })
}

function isLate(error: Error): boolean {
  return isTaskDashboardError(error) && error.statusCode === 503 || /did not answer within|timeout exceeded/.test(error.message)
}

async function historyOf(queueApp: QueueApp): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ limit: 200, ...cursor !== undefined && { cursor } })
    ids.push(...page.executions.filter(({ finishedAt }) => finishedAt !== null).map(({ executionId, status }) =>
      `${executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')} ${status}`))
    if (page.nextCursor === null) return ids.sort()
    cursor = page.nextCursor
  }
}

t.test('jobs in every state are counted and listed, with their position and schedules, and nothing is written', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await queue.addBulk(Array.from({ length: 20 }, (_, to) => ({ name: 'send', data: { to, fail: to % 9 === 0 } })))
  await waitFor('the worker', async () => worker.outcomes.length === 20)
  await worker.close()
  await queue.add('later', { to: 1 }, { delay: 600_000 })
  await queue.add('urgent', { to: 2 }, { priority: 3 })
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'Europe/Berlin' }, { name: 'report', data: { to: 'all' } })
  await queue.pause()
  const waiting = await queue.add('waits', { to: 3 })
  await queue.close()
  const before = await dump(url)
  const queueApp = await observeJobs(t, url)
  const [schedule] = await waitFor('its schedule', async () => {
    const schedules = await queueApp.monitoring.schedules()
    return schedules.length > 0 && schedules
  })
  t.match(schedule, { scheduleId: 'emails:nightly', cron: '0 3 * * *', timezone: 'Europe/Berlin', args: [{ to: 'all' }], enabled: true })
  t.match(await queueApp.monitoring.queue('emails'), { pending: 3, running: 0, pause: {} })
  const { executions } = await queueApp.monitoring.executions({ status: 'pending' })
  t.same(executions.map(({ state }) => state).sort(), ['delayed', 'prioritized', 'waiting'])
  t.match(await queueApp.monitoring.execution(`emails:${waiting.id}`), { args: [{ to: 3 }], status: 'pending', jobName: 'waits' })
  t.ok(await queueApp.monitoring.why(`emails:${waiting.id}`))
  t.match(await queueApp.monitoring.health(), { status: 'healthy' })
  await waitFor('the history', async () => (await historyOf(queueApp)).length === 20)
  await queueApp.stop()
  t.same(await dump(url), before, 'every row is the same')
})

t.test('no event of a transaction that commits late is lost, even if later numbers were read before', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, 'emails', url)
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  const queueApp = await observeJobs(t, url)
  await waitFor('the queue', async () => (await queueApp.monitoring.tasks()).length === 1)
  const publish = (by: pg.Client, jobId: string) => by.query(`SELECT bullmq.publish_event('emails', 'completed', $1::jsonb)`, [
    JSON.stringify({ jobId, returnvalue: '1', prev: 'active' })
  ])
  await client.query('BEGIN')
  await publish(client, 'slow')
  const other = new pg.Client(url)
  await other.connect()
  t.teardown(() => other.end())
  await publish(other, 'fast')
  await new Promise(resolve => { setTimeout(resolve, 600) })
  await client.query('COMMIT')
  await waitFor('both', async () => (await historyOf(queueApp)).length === 2)
  t.same(await historyOf(queueApp), ['fast success', 'slow success'])
  await queue.close()
})

t.test('events that BullMQ removed before they could be read are reported as a gap', async t => {
  const [url, backend] = [await postgresUrl(t), await postgresUrl(t)]
  const queue = await openOwner(t, 'emails', url, { streams: { events: { maxLen: 10 } } })
  const first = await observeJobs(t, url, { backend })
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await queue.add('send', {}, { removeOnComplete: true })
  await waitFor('its event', async () => (await historyOf(first)).length === 1)
  await worker.close()
  await first.stop()
  // BullMQ removes events with every 256th one that is written by itself.
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`SELECT bullmq.publish_event('emails', 'progress', '{"jobId":"1","data":1}') FROM generate_series(1, 600)`)
  await client.end()
  const errors: string[] = []
  await observeJobs(t, url, { backend, onError: error => { errors.push(error.message) } })
  await waitFor('the gap', async () => errors.length > 0)
  t.match(errors, [/^An unknown number of events of the queue emails were removed before they could be read/])
})

for (const where of ['away', 'attached'] as const) {
  t.test(`what a queue lost whose rows were deleted while the dashboard was ${where} is stated`, async t => {
    const [url, backend] = [await postgresUrl(t), await postgresUrl(t)]
    const queue = await openOwner(t, 'emails', url)
    const worker = startOwnersWorker(t, 6, 'emails', url)
    const run = async (count: number) => {
      const before = worker.outcomes.length
      await queue.addBulk(Array.from({ length: count }, (_, to) => ({ name: 'send', data: { to }, opts: { removeOnComplete: true } })))
      await waitFor('the worker', async () => worker.outcomes.length === before + count)
    }
    const errors: string[] = []
    const options = { backend, onError: (error: Error) => { if (!isLate(error)) errors.push(error.message) } }
    const first = await observeJobs(t, url, options)
    await run(20)
    await waitFor('the history', async () => (await historyOf(first)).length === 20)
    if (where === 'away') await first.stop()
    await run(40)
    await rowsOf(url, 'DELETE FROM bullmq.event WHERE queue = $1', ['emails'])
    await run(10)
    const queueApp = where === 'away' ? await observeJobs(t, url, options) : first
    await waitFor('the gap', async () => errors.length > 0)
    t.match(errors, [/^The queue emails was removed from its server, or the server was flushed, between .*: executions .* may be missing/])
    await waitFor('the rest', async () => (await historyOf(queueApp)).length >= 30)
  })
}

t.test('a user with read rights is sufficient, and without them the error names the rights to grant', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, 'emails', url)
  await queue.add('send', {})
  const admin = new pg.Client(url)
  await admin.connect()
  t.teardown(() => admin.end())
  const { role, asRole } = await createRole(t, url)
  await t.rejects(QueueApp.fromQueues({ broker: asRole }).start(), {
    code: 'STORE_UNSUITABLE', message: /GRANT USAGE ON SCHEMA "bullmq"/
  })
  await admin.query(`GRANT USAGE ON SCHEMA bullmq TO ${role}`)
  await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  const queueApp = await observeJobs(t, asRole)
  t.match(await queueApp.monitoring.queue('emails'), { pending: 1 })
  await queueApp.stop()
})

/** Every row of BullMQ's tables. */
async function dump(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'bullmq' ORDER BY table_name`
  )
  const all: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT each::text AS row FROM bullmq."${name}" AS each ORDER BY 1`)
    all.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  await client.end()
  return all
}
