/** Existing queues of BullMQ 6 on PostgreSQL beside own tasks, and own tasks in the same database. */
import { createPostgresBackend, Queue, Worker, type Job } from 'bullmq'
import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import { createRole } from '../../support/servers/postgres-role.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

const JOBS = 100
const OWN = 40

async function openOwner(t: Test, name: string, url: string): Promise<Queue> {
  const queue = new Queue(name, { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  await queue.waitUntilReady()
  return queue
}

function startWorker(t: Test, name: string, url: string) {
  const ended: Array<readonly [id: string, status: string]> = []
  const worker = new Worker(name, async (job: Job<{ fail?: boolean }>) => {
    if (job.data.fail) throw new TypeError('cannot send')
  }, { connection: { connectionString: url }, concurrency: 5 }, createPostgresBackend as never)
  worker.on('error', () => {})
  worker.on('completed', job => { ended.push([job.id!, 'success']) })
  worker.on('failed', job => { ended.push([job!.id!, 'failed']) })
  t.teardown(() => worker.close())
  return { ended, close: () => worker.close() }
}

async function startBoth(t: Test, url: string, owners: string, options: QueueAppOptions = {}) {
  const mail = await openOwner(t, 'mail', url)
  const worker = startWorker(t, 'mail', url)
  const app = await startCombined(t, { broker: url, queues: { broker: owners }, ...options }, queueApp => {
    queueApp.task('report', async (index: number) => { if (index % 5 === 0) throw new Error('no paper') })
  })
  return { ...app, mail, worker }
}

t.test('own tasks and queues of BullMQ 6 in one database of PostgreSQL are counted and listed together', async t => {
  const url = await postgresUrl(t)
  const { queueApp, mail, worker } = await startBoth(t, url, url)
  const adding = mail.addBulk(Array.from({ length: JOBS }, (_, index) => ({ name: 'send', data: { fail: index % 4 === 0 } })))
  await queueApp.enqueueMany('report', Array.from({ length: OWN }, (_, index) => [index]))
  await adding
  await waitFor('the owner', async () => worker.ended.length === JOBS)
  const { monitoring } = queueApp
  const counted = await waitFor('everything', async () => {
    const { executions } = await monitoring.statistics()
    return executions.success + executions.failed === JOBS + OWN && executions
  })
  t.match(counted, { success: JOBS * 3 / 4 + OWN * 4 / 5, failed: JOBS / 4 + OWN / 5, pending: 0, running: 0 })
  const { executions } = await monitoring.executions({ limit: 200, taskName: 'mail' })
  t.same(new Map(executions.map(each => [each.executionId.slice('mail:'.length).split('@')[0]!, each.status])), new Map(worker.ended))
  t.same((await monitoring.tasks()).map(({ name, type }) => [name, type]), [['mail', 'external'], ['report', 'io']])
  await worker.close()
  await mail.addBulk(Array.from({ length: 30 }, () => ({ name: 'send', data: {} })))
  await queueApp.operations.pauseQueue('report')
  await queueApp.enqueueMany('report', Array.from({ length: 20 }, () => [1]))
  const page = await monitoring.executions({ status: 'pending', limit: 200 })
  t.same([page.executions.length, page.total.value], [50, 50])
  await t.rejects(queueApp.operations.retryExecution(executions.find(({ status }) => status === 'failed')!.executionId),
    { code: 'OBSERVED_ONLY' })
})

t.test('existing queues need only a user who can read the tables of BullMQ, and none of their rows changes', async t => {
  const url = await postgresUrl(t)
  const mail = await openOwner(t, 'mail', url)
  const worker = startWorker(t, 'mail', url)
  await mail.addBulk(Array.from({ length: 10 }, (_, index) => ({ name: 'send', data: { fail: index % 5 === 0 } })))
  await waitFor('the owner', async () => worker.ended.length === 10)
  await worker.close()
  await mail.add('send', {})
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  const { role, asRole } = await createRole(t, url)
  await client.query(`GRANT USAGE ON SCHEMA bullmq TO ${role}`)
  await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  const content = async () => Promise.all(['job', 'event', 'meta'].map(async table =>
    (await client.query(`SELECT xmin::text AS version, * FROM bullmq.${table} ORDER BY ctid`)).rows as unknown[]))
  const before = await content()
  const { queueApp } = await startCombined(t, { broker: await postgresUrl(t), queues: { broker: asRole } }, app => {
    app.task('report', async () => 'done')
  })
  await queueApp.enqueue('report', [])
  const { executions } = await waitFor('the history', async () => {
    const page = await queueApp.monitoring.executions({ limit: 50 })
    return page.executions.filter(({ finishedAt }) => finishedAt !== null).length === 11 && page
  })
  for (const { executionId, taskName } of executions) {
    if (taskName !== 'mail') continue
    await t.rejects(queueApp.operations.retryExecution(executionId), { code: 'OBSERVED_ONLY' })
    await queueApp.monitoring.why(executionId)
  }
  await queueApp.stop()
  t.same(await content(), before)
})

t.test('own queues on PostgreSQL are never existing queues', async t => {
  const url = await postgresUrl(t)
  t.throws(() => QueueApp.fromUrls({ broker: url, namespace: 'shop', queues: { broker: url, prefix: 'shop_queue' } }),
    { code: 'INVALID_OPTIONS', message: /own queues/ })
})
