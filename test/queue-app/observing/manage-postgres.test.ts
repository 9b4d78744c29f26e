/** Changes to queues that BullMQ 6 keeps on PostgreSQL, compared and mixed with changes by its own classes. */
import { createPostgresBackend, FlowProducer, Queue, Worker, type Job } from 'bullmq'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createManagedPostgres } from '../../../lib/engine/observing/managing/manage-postgres.ts'
import type { ManagedQueues } from '../../../lib/engine/observing/managing/manage-queues.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import type { ObserveOptions, QueueApp } from '../../../lib/index.ts'
import { observe } from '../../support/observe.ts'
import { untilStored } from '../../support/programs/owners-of-queues.ts'
import { createRole } from '../../support/servers/postgres-role.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

interface Data { readonly to?: number; readonly fail?: boolean }

async function openOwner(t: Test, url: string, name = 'emails'): Promise<Queue> {
  const queue = new Queue(name, { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  await untilStored(queue)
  return queue
}

function startWorker(t: Test, url: string, work: (job: Job<Data>) => Promise<unknown> = async ({ data }) => {
  if (data.fail) throw new TypeError('cannot send')
}) {
  const ran: string[] = []
  const worker = new Worker('emails', work, { connection: { connectionString: url } }, createPostgresBackend as never)
  worker.on('error', () => {})
  worker.on('active', job => { ran.push(job.id!) })
  t.teardown(() => worker.close())
  return ran
}

async function open(t: Test, url: string, options: ObserveOptions = {}): Promise<QueueApp> {
  return await observe(t, { broker: url }, { manage: true, onError() {}, ...options })
}

async function only(queueApp: QueueApp, status: 'failed' | 'success' | 'cancelled') {
  return await waitFor(`one that is ${status}`, async () => {
    const { executions } = await queueApp.monitoring.executions({ status })
    return executions.length === 1 && executions[0]!
  })
}

async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

const EMAILS: ObservedQueue = { taskName: 'emails', name: 'emails', prefix: 'bullmq', server: undefined as never }

function managedBy(client: pg.Client): ManagedQueues {
  return createManagedPostgres(() => ({
    start: async () => {}, stop: async () => {},
    run: async <Row extends object>(statement: (schema: string) => string, schema: string, parameters: readonly unknown[]) =>
      (await client.query(statement(schema), [...parameters])).rows as Row[],
    runAlone: () => Promise.reject(new TypeError('not used here'))
  }))
}

/** All rows of the tables of BullMQ, without times and numbers that always differ. */
async function contentOf(client: pg.Client): Promise<unknown> {
  const { rows: jobs } = await client.query<Record<string, unknown>>(
    'SELECT *, rank() OVER (ORDER BY priority, seq) AS place FROM bullmq.job ORDER BY id')
  const { rows: events } = await client.query<{ event: string; data: object }>('SELECT event, data FROM bullmq.event ORDER BY id')
  const { rows: meta } = await client.query('SELECT * FROM bullmq.meta ORDER BY field')
  return {
    jobs: jobs.map(({ seq: _seq, added_at_ms: at, process_at_ms: due, ...job }) =>
      ({ ...job, isNow: Math.abs(Date.now() - Number(at)) < 60_000, delay: due === null ? null : Number(due) - Number(at) })),
    events: events.map(({ event, data }) => [event, Object.entries(data).filter(([name]) => name !== 'delay')]),
    meta
  }
}

t.test('changes by this package leave a queue on PostgreSQL in the same state as the calls of its owner', async t => {
  const contents = []
  for (const who of ['owner', 'us']) {
    const url = await postgresUrl(t)
    const queue = await openOwner(t, url)
    const client = await connect(t, url)
    const managed = managedBy(client)
    const isOwner = who === 'owner'
    await queue.add('send', { to: 'first' }, { jobId: 'first' })
    const runs = [{}, { priority: 7 }, { delay: 3_600_000 }, { delay: 3_600_000, priority: 2 }]
    for (const [index, { priority = 0, delay = 0 }] of runs.entries()) {
      const opts = { jobId: `id-${index}`, ...priority > 0 && { priority }, ...delay > 0 && { delay } }
      if (isOwner) await queue.add('send', { to: index }, opts)
      else await managed.add(EMAILS, {
        jobId: opts.jobId, name: 'send', data: JSON.stringify({ to: index }), now: Date.now(), delayMs: delay, priority
      })
    }
    for (const [id, priority] of [['id-0', 3], ['id-1', 0], ['id-3', 5], ['first', 3]] as const) {
      if (isOwner) await (await queue.getJob(id))!.changePriority({ priority })
      else t.equal(await managed.changePriority(EMAILS, id, priority), 'changed')
    }
    await (isOwner ? queue.pause() : managed.pause(EMAILS))
    t.equal(await queue.isPaused(), true)
    contents.push(await contentOf(client))
    await (isOwner ? queue.resume() : managed.resume(EMAILS))
    for (const id of ['id-1', 'id-2']) {
      if (isOwner) await queue.remove(id)
      else t.equal(await managed.remove(EMAILS, id), 'removed')
    }
    contents.push(await contentOf(client))
  }
  t.same(contents.slice(2), contents.slice(0, 2))
})

t.test('a retried job runs again with the same id, and both of its finishes are in the history', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const job = await queue.add('send', { fail: true })
  const ran = startWorker(t, url)
  const queueApp = await open(t, url)
  const failed = await only(queueApp, 'failed')
  await job.updateData({ fail: false })
  t.same(await queueApp.operations.retryExecution(failed.executionId), {
    executionId: `emails:${job.id}`, taskName: 'emails', args: null
  })
  t.match(await only(queueApp, 'success'), { taskName: 'emails' })
  t.same(ran, [job.id, job.id])
  await t.rejects(queueApp.operations.retryExecution(failed.executionId), { code: 'ALREADY_RETRIED', executionId: `emails:${job.id}` })
})

t.test('jobs of a paused queue can be cancelled, changed and added, and run after it is resumed', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const queueApp = await open(t, url)
  const { operations, monitoring } = queueApp
  const [first, second] = await queue.addBulk([{ name: 'send', data: { to: 1 } }, { name: 'send', data: { to: 2 } }])
  await waitFor('the queue', async () => await monitoring.queue('emails') !== null)
  await operations.pauseQueue('emails', { reason: 'the provider is down' })
  t.equal(await queue.isPaused(), true)
  const ran = startWorker(t, url)
  const run = { id: '0190b5a0-0000-7000-8000-000000000001', isRepeated: false }
  const added = await waitFor('the name of the jobs', () =>
    operations.runTask('emails', { args: [{ to: 3 }] }, run).catch(() => null))
  t.equal(await operations.runTask('emails', { args: [{ to: 3 }] }, { ...run, isRepeated: true }), added, 'once for each request')
  await t.rejects(operations.runTask('emails', { args: [{ to: 'a\0' }] }), { code: 'INVALID_INPUT', message: /PostgreSQL cannot store/ })
  t.match(await operations.updateExecution(`emails:${first!.id}`, { priority: 9 }), { priority: 9 })
  const cancelled = await operations.cancelExecution(`emails:${second!.id}`, { reason: 'twice', by: 'ada' })
  t.match(await monitoring.execution(cancelled.executionId), { args: [{ to: 2 }], status: 'cancelled' })
  t.same(ran, [], 'a paused queue runs nothing')
  await operations.resumeQueue('emails')
  await waitFor('the others', async () => ran.length === 2)
  t.same(ran, [added.replace('emails:', ''), first!.id])
  t.equal(await queue.count(), 0)
})

t.test('running jobs, jobs of flows and of job schedulers, and queues of other versions are left alone', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const connection = { connectionString: url } as never
  const flows = new FlowProducer({ connection }, createPostgresBackend as never)
  t.teardown(() => flows.close())
  const client = await connect(t, url)
  const managed = managedBy(client)
  let end = () => {}
  const active = await queue.add('send', {})
  const ran = startWorker(t, url, () => new Promise<void>(resolve => { end = resolve }))
  await waitFor('it to run', async () => ran.length === 1)
  for (const outcome of [await managed.remove(EMAILS, active.id!), await managed.changePriority(EMAILS, active.id!, 1)])
    t.equal(outcome, 'running')
  await queue.pause()
  end()
  await waitFor('its end', async () => await active.getState() === 'completed')
  const one = { name: 'one', queueName: 'emails', data: {} }
  const { job, children } = await flows.add({ name: 'all', queueName: 'emails', children: [one] })
  await queue.upsertJobScheduler('hourly', { every: 3_600_000 }, { name: 'report' })
  const planned = (await queue.getJobs(['delayed', 'wait'])).find(({ name }) => name === 'report')!
  const before = await contentOf(client)
  t.equal(await managed.remove(EMAILS, active.id!), 'over')
  t.equal(await managed.changePriority(EMAILS, active.id!, 1), 'over')
  for (const { id } of [job, children![0]!.job]) {
    t.equal(await managed.remove(EMAILS, id!), 'in_flow')
    t.equal(await managed.changePriority(EMAILS, id!, 1), 'in_flow')
  }
  t.equal(await managed.remove(EMAILS, planned.id!), 'planned')
  t.equal(await managed.changePriority(EMAILS, planned.id!, 1), 'planned')
  t.equal(await managed.remove(EMAILS, 'none'), 'over')
  t.equal(await managed.retry(EMAILS, 'none', 1), 'gone')
  t.equal(await managed.retry(EMAILS, active.id!, 1), 'moved')
  t.same(await contentOf(client), before)
  const queueApp = await open(t, url)
  t.match(await queueApp.monitoring.queues(), [{ changes: 'some' }])
  await client.query(`UPDATE bullmq.meta SET value = 'bullmq:7.0.0' WHERE field = 'version'`)
  t.match(await queueApp.monitoring.queues(), [{ changes: 'none' }])
  await t.rejects(managed.pause(EMAILS), { code: 'CONFLICT', message: /neither 5 nor 6/ })
  await t.rejects(managed.retry({ ...EMAILS, prefix: 'none' }, '1', 1), { code: 'CONFLICT', message: /neither 5 nor 6/ })
})

t.test('a job that a worker takes during its cancellation is either cancelled or runs, and none waits for ever', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const client = await connect(t, url)
  const managed = managedBy(client)
  const ids = Array.from({ length: 60 }, (_, index) => `job-${index}`)
  await queue.addBulk(ids.map(jobId => ({ name: 'send', data: {}, opts: { jobId } })))
  const ran = startWorker(t, url)
  const outcomes = new Map<string, string>()
  for (const id of ids.toReversed()) outcomes.set(id, await managed.remove(EMAILS, id))
  await waitFor('the rest', async () => await queue.count() === 0 && await queue.getActiveCount() === 0)
  const removed = ids.filter(id => outcomes.get(id) === 'removed')
  await waitFor('all that run', async () => ran.length >= ids.length - removed.length)
  t.same(new Set(ran), new Set(ids.filter(id => !removed.includes(id))))
  t.equal(ran.length, new Set(ran).size)
})

t.test('a cancellation never deadlocks with a call of the owner, whether that locks the job or its deduplication key first', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const [owner, cancelling] = [await connect(t, url), await connect(t, url)]
  const key = 'SELECT FROM bullmq.dedup WHERE job_id = $1 FOR UPDATE'
  const row = 'SELECT FROM bullmq.job WHERE id = $1 FOR UPDATE'
  // A `queue.add()` that replaces a job locks the key first, and a job that finishes locks itself first.
  for (const locks of [[key, row], [row, key]]) {
    const job = await queue.add('send', {}, { delay: 60_000, deduplication: { id: 'one' } })
    await owner.query('BEGIN')
    await owner.query(locks[0]!, [job.id])
    const cancelled = managedBy(cancelling).remove(EMAILS, job.id!)
    await sleep(100)
    await owner.query(`SET LOCAL lock_timeout = '200ms'`)
    await owner.query(locks[1]!, [job.id])
    await owner.query('COMMIT')
    t.equal(await cancelled, 'removed')
    t.same((await owner.query('SELECT FROM bullmq.dedup')).rows, [], 'its key is free')
  }
})

t.test('a change to a job that another transaction has locked fails in time, and is not made later', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const job = await queue.add('send', {})
  const queueApp = await open(t, url)
  const other = await connect(t, url)
  await other.query('BEGIN')
  await other.query('SELECT FROM bullmq.job FOR UPDATE')
  for (const change of [
    (): Promise<unknown> => queueApp.operations.cancelExecution(`emails:${job.id}`),
    () => queueApp.operations.updateExecution(`emails:${job.id}`, { priority: 3 })
  ]) await t.rejects(change, { code: 'BROKER_UNAVAILABLE' })
  await other.query('ROLLBACK')
  t.match(await queueApp.operations.updateExecution(`emails:${job.id}`, { priority: 4 }), { priority: 4 })
  t.equal(await queue.count(), 1)
})

t.test('a user with read rights only can observe, and a change fails with the missing right', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const job = await queue.add('send', {})
  const admin = await connect(t, url)
  const { role, asRole } = await createRole(t, url)
  await admin.query(`GRANT USAGE ON SCHEMA bullmq TO ${role}`)
  await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  const reader = await open(t, asRole)
  const cancel = () => reader.operations.cancelExecution(`emails:${job.id}`)
  await t.rejects(cancel(), { code: 'STORE_REFUSED' })
  t.equal(await queue.count(), 1)
  await admin.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  await admin.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA bullmq TO ${role}`)
  t.match(await cancel(), { status: 'cancelled' })
  await reader.operations.pauseQueue('emails')
  await reader.operations.resumeQueue('emails')
  t.equal(await queue.isPaused(), false)
})

t.test('all failed jobs can be retried in bulk', async t => {
  const url = await postgresUrl(t)
  const queue = await openOwner(t, url)
  const ran = startWorker(t, url)
  const jobs = await queue.addBulk(Array.from({ length: 20 }, (_, to) => ({ name: 'send', data: { fail: true, to } })))
  const queueApp = await open(t, url)
  await waitFor('the history', async () => (await queueApp.monitoring.statistics()).executions.failed === 20)
  for (const job of jobs) await job.updateData({ fail: false })
  const { operationId } = await queueApp.operations.bulk.create({ action: 'retry', filter: {}, taskNames: ['emails'], tasksLeftOut: 0 })
  const ended = await waitFor('the end', async () => {
    const operation = await queueApp.monitoring.bulk.find(operationId)
    return operation?.state === 'done' && operation
  })
  t.match(ended.progress, { done: 20, skipped: 0, failed: 0 })
  await waitFor('their retries', async () => (await queueApp.monitoring.statistics()).executions.success === 20)
  t.equal(ran.length, 40)
})
