import { randomBytes } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import type { Engine } from '../../../lib/engine/engine.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { currentExecution, dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import { createRedaction } from '../../../lib/queue-app/redaction/redaction.ts'
import { withRedactedArgs, withRedactedReads } from '../../../lib/queue-app/redaction/redacted-reads.ts'
import { createSeal } from '../../../lib/queue-app/redaction/seal.ts'
import type { Schedules } from '../../../lib/scheduler/schedules.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const SECRET = 'hunter22-secret'
const X = '[redacted]'

t.test('executions in flight are shown, listed and searched without secrets, and run with them', async t => {
  let seen: unknown
  let finish = () => {}
  const finished = new Promise<void>(resolve => { finish = resolve })
  const { queueApp, get } = await setUp(t, queueApp => {
    queueApp.task('login', async (user: string, credentials: { password: string }) => {
      seen = [user, credentials]
      await currentExecution().log(`with ${credentials.password}`)
      await currentExecution().progress({ tried: credentials.password })
      await finished
      return credentials.password
    })
    queueApp.task(
      'again', async (_user: string, { password }: { password: string }) => { throw new RangeError(`refused ${password}`) },
      { retries: 1, retryDelay: 600 }
    )
  })
  const args = ['ana', { password: SECRET }] as const
  const [running, waiting, retrying] = await Promise.all([
    queueApp.enqueue('login', args), queueApp.enqueue('login', args, { delayMs: 600_000 }), queueApp.enqueue('again', args)
  ])
  await waitFor('the progress', async () => (await get(`executions/${running}`)).progress)
  await waitFor('the first attempt and its record', async () => {
    const { state, attempts } = await get(`executions/${retrying}`)
    return state === 'retrying' && (attempts as unknown[]).length > 0
  })

  t.match(await get(`executions/${running}`), {
    status: 'running', args: ['ana', { password: X }], logs: [`with ${X}`], progress: { tried: X }
  })
  t.match(await get(`executions/${waiting}`), { status: 'pending', args: ['ana', { password: X }] })
  t.match(await get(`executions/${retrying}`), {
    args: ['ana', { password: X }], error: { message: `refused ${X}`, stack: /RangeError: refused \[redacted\]\n/ },
    attempts: [{ error: { message: `refused ${X}` } }]
  })
  const ids = async (address: string) =>
    ((await get(address)).items as Array<{ execution_id: string }>).map(item => item.execution_id).sort()
  t.match((await get('executions?status=running')).items, [{ execution_id: running, progress: { tried: X } }])
  t.same(await ids('executions?status=pending'), [waiting, retrying].sort())
  t.match((await get('executions?status=pending&task_name=again')).items, [{ error: { message: `refused ${X}` } }])
  t.same(await ids('executions?search=ana'), [running, waiting, retrying].sort(), 'other text is found')
  for (const search of [SECRET, `args.password:${SECRET}`, `error:"${SECRET}"`, `id:${running} ${SECRET}`])
    t.same(await ids(`executions?search=${encodeURIComponent(search)}`), [], search)

  t.strictSame(seen, args)
  finish()
  t.match(await queueApp.result(running, { waitMs: 30_000 }), { status: 'success', result: X })
  t.match(
    await waitFor('the record', async () => { const read = await get(`executions/${running}`); return read.status === 'success' && read }),
    { logs: [`with ${X}`], result: X }
  )
})

t.test('schedules are shown without secrets, and the redacted arguments cannot be saved', async t => {
  const runs: unknown[] = []
  const { queueApp, app, get } = await setUp(t, queueApp => { queueApp.task('login', async (...args: unknown[]) => { runs.push(args) }) })
  const post = (payload: object) =>
    app.inject({ method: 'POST', url: '/tasks/api/schedules/cron', payload: { task_name: 'login', cron: '0 0 1 1 *', ...payload } })
  const created = await post({ args: ['ana', { password: SECRET }] })
  t.equal(created.statusCode, 201)
  const { schedule_id: id, args } = created.json<{ schedule_id: string; args: unknown }>()
  t.strictSame(args, ['ana', { password: X }])
  t.strictSame((await get(`schedules/${id}`)).args, args)
  t.notMatch((await app.inject('/tasks/api/schedules')).body, SECRET)
  t.strictSame((await app.inject({ method: 'PUT', url: `/tasks/api/schedules/${id}/disable` })).json<{ args: unknown }>().args, args)

  const patch = (payload: object) => app.inject({ method: 'PATCH', url: `/tasks/api/schedules/${id}`, payload })
  for (const shown of [args, [`before ${X} after`], [{ [X]: 1 }], ['[redaction failed]']]) {
    for (const answer of [await post({ args: shown as unknown[] }), await patch({ args: shown })]) {
      t.equal(answer.statusCode, 400)
      t.match(answer.json(), { code: 'INVALID_SCHEDULE', errors: [{ pointer: '/args', message: /\[redacted\]/ }] })
    }
  }
  t.strictSame((await patch({ priority: 3 })).json<{ args: unknown }>().args, args)
  await queueApp.operations.runSchedule(id)
  await waitFor('the run', async () => runs.length > 0)
  t.strictSame(runs, [['ana', { password: SECRET }]], 'it runs with its original arguments')

  t.match((await patch({ args: ['ben', { password: 'another-one' }] })).json(), { args: ['ben', { password: X }] })
  await queueApp.operations.runSchedule(id)
  await waitFor('the other run', async () => runs.length > 1)
  t.strictSame(runs[1], ['ben', { password: 'another-one' }])
})

t.test('a schedule from code and an edit of it are shown without secrets', async t => {
  const { get, app } = await setUp(t, async queueApp => {
    queueApp.task('login', async () => {})
    await queueApp.createScheduler().scheduleCron('login', '0 0 1 1 *', 'Yearly', { args: [{ password: 'of-the-code' }] })
  })
  const [{ schedule_id: id }] = (await app.inject('/tasks/api/schedules')).json<[{ schedule_id: string }]>()
  await app.inject({ method: 'PATCH', url: `/tasks/api/schedules/${id}`, payload: { args: [{ password: 'of-the-edit' }] } })
  const read = await get(`schedules/${id}`)
  t.match(read, { args: [{ password: X }], drift: { fields: [{ code: [{ password: X }], live: [{ password: X }] }] } })
  t.notMatch(JSON.stringify(read), /of-the/)
})

t.test('executions that the reconciler reads have no secrets', async t => {
  const finished = {
    taskName: 'login', args: [{ password: SECRET }], result: SECRET, progress: null, logs: [SECRET], error: null, attempts: []
  } as unknown as FinishedExecution
  const engine = { async * finishedSince() { yield [finished] } } as unknown as Engine
  const redaction = createRedaction({ paths: ['args.password'] }, error => { throw error })
  for await (const batch of withRedactedReads(engine, redaction).finishedSince('login', 0, async ids => ids)) {
    t.match(batch, [{ args: [{ password: X }], result: X, logs: [X] }])
  }
  t.equal(finished.result, SECRET)
})

t.test('failed executions that the reconciler finds are sealed too', async t => {
  const found = { executionId: 'a', taskName: 'login', args: [{ password: SECRET }], result: null, progress: null, logs: [], error: null,
    attempts: [] } as unknown as FinishedExecution
  const engine = {
    async * finishedSince() { yield [{ ...found, status: 'failed' }, { ...found, status: 'success' }] },
    async * readFinished() { yield [{ ...found, status: 'failed' }] }
  } as unknown as Engine
  const seal = { key: randomBytes(32) }
  const reads = withRedactedReads(engine, createRedaction({ paths: ['args.password'], seal }, error => { throw error }))
  const executions: FinishedExecution[] = []
  for await (const batch of reads.finishedSince('login', 0, async ids => ids)) executions.push(...batch)
  for await (const batch of reads.readFinished([])) executions.push(...batch)
  const opened = executions.map(({ executionId, sealed }) => sealed === undefined ? null : createSeal(seal).open(executionId, sealed))
  t.strictSame(opened, [{ args: [{ password: SECRET }] }, null, { args: [{ password: SECRET }] }])
})

async function setUp(t: Test, register: (queueApp: QueueApp) => void | Promise<void>) {
  const queueApp = QueueApp.fromUrls({
    broker: await redisUrl(t), backend: await redisUrl(t), stopGraceMs: 0, redact: { paths: ['args.password'] }
  })
  await register(queueApp)
  const app: FastifyInstance = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
  t.teardown(async () => {
    await app.close()
    await queueApp.stop()
  })
  await queueApp.start()
  const get = async (address: string) => (await app.inject(`/tasks/api/${address}`)).json<Record<string, unknown>>()
  return { queueApp, app, get }
}

t.test('a schedule with redacted arguments is created with the operation of its request, so a repeat creates no second one', async t => {
  const operations: unknown[] = []
  const schedules = { async create(_input: unknown, operation: unknown) {
    operations.push(operation)
    return { taskName: 'task', args: [], drift: [] }
  } } as unknown as Schedules
  const operation = { id: '01900000-0000-7000-8000-000000000000', isRepeated: true }
  const redacted = withRedactedArgs(schedules, createRedaction({ paths: ['args.0'] }, error => t.fail(error.message)))
  await redacted.create({ taskName: 'task' } as never, operation)
  t.same(operations, [operation])
})
