/** Job schedulers that BullMQ 6 keeps on PostgreSQL: what happens at the same time, and what is refused. */
import { createPostgresBackend, FlowProducer, Worker, type Queue } from 'bullmq'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createManagedPostgres, MANAGING_STATEMENTS } from '../../../../lib/engine/observing/managing/manage-postgres.ts'
import { PLAN_ROW } from '../../../../lib/engine/observing/managing/postgres-plan.ts'
import type { ManagedQueues, PlanChange } from '../../../../lib/engine/observing/managing/manage-queues.ts'
import type { ObservedQueue } from '../../../../lib/engine/observing/observed-queue.ts'
import { alone, createChangeDatabase } from '../../../../lib/stores/postgres/observing/change-database.ts'
import type { PostgresSource } from '../../../../lib/stores/postgres/source/postgres-source.ts'
import { parseStoreSource } from '../../../../lib/stores/source/parse-store-source.ts'
import { observe } from '../../../support/observe.ts'
import { openQueue, untilStored } from '../../../support/programs/owners-of-queues.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { createRole } from '../../../support/servers/postgres-role.ts'
import { postgresUrl } from '../../../support/servers/stores.ts'
import { isSoak } from '../../../support/soak.ts'

const EMAILS: ObservedQueue = { taskName: 'emails', name: 'emails', prefix: 'bullmq', server: undefined as never }
const IN_2100 = Date.UTC(2100, 0)
const TOKEN = 'token'
const ROUNDS = isSoak ? 3_000 : 150

interface Setting { readonly url: string; readonly queue: Queue; readonly admin: pg.Client; readonly managed: ManagedQueues }

async function open(t: Test): Promise<Setting> {
  const url = await postgresUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  await untilStored(queue)
  const admin = new pg.Client(url)
  await admin.connect()
  t.teardown(() => admin.end())
  const database = createChangeDatabase(parseStoreSource(url, 'broker') as PostgresSource, MANAGING_STATEMENTS, () => {})
  await database.start()
  t.teardown(() => database.stop())
  return { url, queue, admin, managed: createManagedPostgres(() => database) }
}

const hourly = (queue: Queue, id = 'report') => queue.upsertJobScheduler(id, { every: 3_600_000 }, { name: 'report', data: { to: 'ada' } })
const daily = (queue: Queue, id = 'report') => queue.upsertJobScheduler(id, { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report' })

async function plannedAt(admin: pg.Client, id = 'report'): Promise<number> {
  const { rows } = await admin.query<{ at: string }>('SELECT next_run_ms AS at FROM bullmq.scheduler WHERE scheduler_id = $1', [id])
  return Number(rows[0]!.at)
}

/** All rows that a change of a scheduler may touch. */
async function contentOf(admin: pg.Client): Promise<unknown> {
  const tables = ['scheduler', 'job', 'job_log', 'event', 'meta']
  return await Promise.all(tables.map(async table => (await admin.query(`SELECT * FROM bullmq.${table} ORDER BY 1, 2, 3`)).rows as unknown))
}

const change = (plannedAt: number, to: number, rest: Partial<PlanChange> = {}): PlanChange => ({ plannedAt, to, now: Date.now(), ...rest })

t.test('whatever an owner or a worker does at the same time, a scheduler has one next run, and no run happens twice', async t => {
  const { url, queue, admin, managed } = await open(t)
  const worker = new Worker('emails', null, { connection: { connectionString: url } }, createPostgresBackend as never)
  worker.on('error', () => {})
  t.teardown(() => worker.close())
  await hourly(queue)
  const random = seededRandom(7)
  const taken: string[] = []
  const outcomes = new Map<string, number>()
  const busy = /slots busy|collision|slots|job already exists/i

  async function we(): Promise<void> {
    const [planned, now] = [await plannedAt(admin), Date.now()]
    const to = [IN_2100, now, now + 60_000, planned][Math.floor(random() * 4)]!
    const outcome = await managed.plan(EMAILS, 'report', change(planned, to))
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const upsert = () => (random() < 0.5 ? hourly(queue) : daily(queue))
    // Two calls of owners at the same time can refuse each other.
    .catch((error: unknown) => { if (!busy.test(String(error))) throw error })
  async function take(): Promise<void> {
    const job = await worker.getNextJob(TOKEN, { block: false })
    if (!job) return
    taken.push(job.id!)
    await job.moveToCompleted('yes', TOKEN, false)
  }

  for (let round = 1; round <= ROUNDS; round++) {
    // An owner and a worker are not at work at the same time: without this package too, that can leave two next runs.
    await Promise.all([we(), random() < 0.6 ? upsert() : take(), random() < 0.3 ? we() : null])
    const { rows } = await admin.query<{ id: string; next: string }>(`
      SELECT job.id, 'repeat:report:' || next_run_ms AS next FROM bullmq.scheduler
      LEFT JOIN bullmq.job ON job.scheduler_id = scheduler.scheduler_id AND state IN ('delayed', 'waiting', 'active')`)
    if (rows.length === 1 && rows[0]!.id === rows[0]!.next) continue
    return t.fail(`round ${round}: ${JSON.stringify(rows)}`)
  }
  t.equal(new Set(taken).size, taken.length)
  t.ok(taken.length > ROUNDS / 30 && outcomes.get('planned')! > ROUNDS / 3, `${taken.length} runs, ${JSON.stringify([...outcomes])}`)
})

t.test('a moved run keeps its rows and logs, and equals one that the owner has planned', async t => {
  const { queue, admin, managed } = await open(t)
  const to = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000
  const rows = []
  for (const id of ['ours', 'owners']) {
    await queue.upsertJobScheduler(id, { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report', data: { to: 'ada' }, opts: { priority: 3 } })
    const at = await plannedAt(admin, id)
    await queue.addJobLog(`repeat:${id}:${at}`, 'noted')
    if (id === 'ours') t.equal(await managed.plan(EMAILS, id, change(at, to)), 'planned')
    else await admin.query(`SELECT bullmq.add_job_scheduler('emails', 'owners', $1, '{"to":"ada"}', template_opts,
      jsonb_build_object('name', scheduler.name, 'pattern', pattern, 'tz', tz), job.opts, $2, NULL)
      FROM bullmq.scheduler JOIN bullmq.job USING (scheduler_id) WHERE scheduler_id = 'owners'`, [to, Date.now()])
    const job = (await queue.getJob(`repeat:${id}:${to}`))!
    t.equal(await job.getState(), 'delayed')
    if (id === 'ours') t.same((await queue.getJobLogs(job.id!)).logs, ['noted'])
    const { rows: stored } = await admin.query<Record<string, unknown> & { opts: object }>(`
      SELECT job.*, row_to_json(scheduler) AS scheduler
      FROM bullmq.job JOIN bullmq.scheduler USING (scheduler_id) WHERE scheduler_id = $1`, [id])
    const { seq: _seq, added_at_ms: _at, delay_ms: _delay, opts, ...others } = stored[0]!
    const { delay: _ofOpts, timestamp: _timestamp, prevMillis: _previous, ...kept } = opts as Record<string, unknown>
    rows.push(JSON.parse(JSON.stringify({ ...others, opts: kept }).replaceAll(id, 'id')))
  }
  t.same(rows[0], rows[1])
})

t.test('a manual run on PostgreSQL leaves the same rows as a job that the owner adds', async t => {
  const { queue, admin, managed } = await open(t)
  const opts = { priority: 3, attempts: 2, removeOnFail: 5 }
  await queue.upsertJobScheduler('report', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report', data: { to: 'ada' }, opts })
  const { rows: [template] } = await admin.query<{ known: string }>('SELECT template_opts::text AS known FROM bullmq.scheduler')
  const run = { jobId: 'ours', now: Date.now(), knownOpts: template!.known, opts: JSON.stringify({ ...opts, jobId: 'ours' }), priority: 3 }
  t.equal(await managed.run(EMAILS, 'report', run), 'added')
  t.equal(await managed.run(EMAILS, 'report', run), 'added', 'once for each request')
  t.equal(await managed.run(EMAILS, 'none', run), 'gone')
  t.equal(await managed.run(EMAILS, 'report', { ...run, jobId: 'other', knownOpts: '{}' }), 'changed')
  await queue.add('report', { to: 'ada' }, { ...opts, jobId: 'owners' })
  const { rows } = await admin.query<Record<string, unknown>>('SELECT * FROM bullmq.job WHERE scheduler_id IS NULL ORDER BY id DESC')
  t.equal(rows.length, 2)
  const [owners, ours] = rows.map(({ seq: _seq, added_at_ms: _at, ...row }) =>
    JSON.parse(JSON.stringify(row).replaceAll(String(row['id']), 'id')) as { opts: object })
  t.match(ours, { ...owners, opts: {} })
  t.match(owners!.opts, ours!.opts)
})

t.test('on PostgreSQL, runs of flows, runs with a deduplication key and other versions are refused, and nothing changes', async t => {
  const { url, queue, admin, managed } = await open(t)
  await queue.upsertJobScheduler('once', { pattern: '0 3 * * *' }, { name: 'x', opts: { deduplication: { id: 'x' } } as never })
  await daily(queue)
  const at = await plannedAt(admin)
  const plan = (rest?: Partial<PlanChange>) => managed.plan(EMAILS, 'report', change(at, IN_2100, rest))
  const before = await contentOf(admin)
  t.equal(await managed.plan(EMAILS, 'once', change(await plannedAt(admin, 'once'), IN_2100)), 'deduplicated')
  t.equal(await managed.plan(EMAILS, 'none', change(at, IN_2100)), 'gone')
  t.equal(await managed.plan(EMAILS, 'report', change(at + 1, IN_2100)), 'changed')
  t.equal(await plan({ opts: { known: '{}', next: '{}' } }), 'changed')
  await t.rejects(plan({ data: '{"to":"\\u0000"}' }), { code: 'INVALID_INPUT', message: /PostgreSQL cannot store/ })
  t.same(await contentOf(admin), before)
  await admin.query('UPDATE bullmq.migration SET min_client_version = 7 WHERE version = 1')
  await t.rejects(plan(), { code: 'CONFLICT', message: /neither 5 nor 6/ })
  await admin.query('UPDATE bullmq.migration SET min_client_version = 6')
  await admin.query(`UPDATE bullmq.meta SET value = 'bullmq:7.0.0' WHERE field = 'version'`)
  await t.rejects(plan(), { code: 'CONFLICT', message: /neither 5 nor 6/ })
  await t.rejects(managed.run(EMAILS, 'report', { jobId: '1', now: 1, knownOpts: '', opts: '{}', priority: 0 }), { code: 'CONFLICT' })
  await admin.query(`UPDATE bullmq.meta SET value = 'bullmq:6.7.0' WHERE field = 'version'`)
  t.same(await contentOf(admin), before)
  const flows = new FlowProducer({ connection: { connectionString: url } }, createPostgresBackend as never)
  t.teardown(() => flows.close())
  await queue.add('child', {}, { parent: { id: `repeat:report:${at}`, queue: 'emails' } })
  t.equal(await plan(), 'in_flow')
  await admin.query('ALTER TABLE bullmq.scheduler RENAME COLUMN producer_id TO other')
  await t.rejects(plan(), { code: 'CONFLICT', message: /neither 5 nor 6/ })
})

t.test('while another session uses the table of schedulers, a change is refused in time, and is not made later', async t => {
  const { url, queue, admin } = await open(t)
  await hourly(queue)
  const queueApp = await observe(t, { broker: url }, { manage: true, onError() {} })
  const disable = () => queueApp.operations.setScheduleEnabled('emails:report', false)
  await admin.query('BEGIN')
  await admin.query('SELECT FROM bullmq.scheduler')
  const startedAt = performance.now()
  await t.rejects(disable(), { code: 'CONFLICT', message: /a backup: try again/ })
  t.ok(performance.now() - startedAt < 4_000)
  await daily(queue, 'another')
  await admin.query('COMMIT')
  t.match(await queueApp.monitoring.schedule('emails:report'), { enabled: true, drift: [] })
  t.match(await disable(), { enabled: false })
})

t.test('a user who lacks a right cannot change a scheduler on PostgreSQL, and nothing changes until the right is granted', async t => {
  const { url, queue, admin } = await open(t)
  await daily(queue)
  const { role, asRole } = await createRole(t, url)
  await admin.query(`GRANT USAGE ON SCHEMA bullmq TO ${role}`)
  await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  const { operations, monitoring } = await observe(t, { broker: asRole }, { manage: true, onError() {} })
  const before = await contentOf(admin)
  const changes = [
    (): Promise<unknown> => operations.setScheduleEnabled('emails:report', false), () => operations.runSchedule('emails:report'),
    () => operations.updateSchedule('emails:report', { cron: '0 4 * * *' })
  ]
  for (const each of changes) await t.rejects(each(), { code: 'STORE_REFUSED' })
  await admin.query(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO ${role}`)
  for (const each of changes) await t.rejects(each(), { code: 'STORE_REFUSED' })
  t.same(await contentOf(admin), before)
  t.match(await monitoring.schedule('emails:report'), { enabled: true, drift: [] })
  await admin.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA bullmq TO ${role}`)
  for (const each of changes) await each()
  t.match(await monitoring.schedule('emails:report'), { enabled: false, cron: '0 4 * * *' })
})

t.test('a schema whose name has quotes works like any other', async t => {
  const { queue, admin, managed } = await open(t)
  await hourly(queue)
  await admin.query(`ALTER SCHEMA bullmq RENAME TO "it's ""one"""`)
  const { rows } = await admin.query<{ at: string }>(`SELECT next_run_ms AS at FROM "it's ""one""".scheduler`)
  t.equal(await managed.plan({ ...EMAILS, prefix: 'it\'s "one"' }, 'report', change(Number(rows[0]!.at), IN_2100)), 'planned')
})

t.test('a change leaves neither a setting in its session nor a warning in the log of the server', async t => {
  const { queue, admin } = await open(t)
  await hourly(queue)
  const notices: string[] = []
  admin.on('notice', ({ message }) => { notices.push(String(message)) })
  const planned = await plannedAt(admin)
  const ask = async (text: string, parameters?: readonly unknown[]) => {
    const result: unknown = await admin.query(text, parameters as unknown[])
    return (Array.isArray(result) ? result.at(-1) : result) as never
  }
  await admin.query('BEGIN')
  const unchanged = { knownOpts: null, opts: null, data: null, fields: null }
  const given = { queue: 'emails', id: 'report', planned, to: IN_2100, now: Date.now(), ...unchanged }
  t.equal(await alone(ask, PLAN_ROW('"bullmq"'), '"bullmq".scheduler', given), 'planned')
  const { rows: locks } = await admin.query(`SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'`)
  t.equal(locks.length, 0, 'the table is free before the transaction ends')
  await admin.query('COMMIT')
  t.equal(await plannedAt(admin), IN_2100)
  t.same(notices, [])
  const { rows } = await admin.query(
    `SELECT current_setting('task_dashboard.given', true) AS given, current_setting('task_dashboard.outcome', true) AS outcome`)
  t.same(rows, [{ given: '', outcome: '' }])
})
