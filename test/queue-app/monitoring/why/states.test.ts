import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../../lib/index.ts'
import type { ExecutionWhy } from '../../../../schemas/why.ts'
import { newStore } from '../../../contracts/store.ts'
import { onEveryStore, postgresUrl, redisUrl, startRedis } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { reportGhost, takeJob } from './ghost.ts'

const GHOST = 'ghost:1:dead'
const NAMESPACE = 'why'

async function serve(t: Test, queueApp: QueueApp, options: object = { access: 'host' }): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { queueApp, ...options })
  return app
}

async function whyOf(app: FastifyInstance, executionId: string, headers: Record<string, string> = {}): Promise<ExecutionWhy> {
  const answer = await app.inject({ url: `/api/executions/${encodeURIComponent(executionId)}/why`, headers })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<ExecutionWhy>()
}

t.test('why explains running, finished, cancelled and pending executions, on every store', async t => {
  await onEveryStore(t, async (t, url) => {
    const queueApp = QueueApp.fromUrls({ broker: url, namespace: NAMESPACE, stopGraceMs: 0, tasks: { nobody: {} }, onError() {} })
    t.teardown(() => queueApp.stop())
    queueApp.task('echo', async (value: string) => {
      if (value === 'throw') throw new Error('as planned')
      if (value === 'hang') await new Promise(() => {})
    }, { concurrency: 2 })
    await queueApp.start()
    const scheduler = queueApp.createScheduler()
    await scheduler.scheduleInterval('nobody', 3_600_000, 'hourly')
    const app = await serve(t, queueApp)

    const finished = await queueApp.enqueue('echo', ['throw'])
    await waitFor('its end', async () => (await queueApp.result(finished))?.status === 'failed')
    t.match(await whyOf(app, finished), { known: true, facts: [{ kind: 'finished', status: 'failed', finished_at: String }] })

    const running = await queueApp.enqueue('echo', ['hang'])
    await waitFor('its start', async () => (await queueApp.result(running))?.status === 'running')
    t.match(await whyOf(app, running), {
      known: true, sentence: /^It is running since /, facts: [{ kind: 'running', worker_id: String, locked_until: String }]
    })
    await queueApp.operations.cancelExecution(running, { by: 'ada' })
    await sleep(1_100)
    t.match((await whyOf(app, running)).facts, [{ kind: 'cancelling', by: 'ada' }, { kind: 'running' }])

    const pending = await queueApp.enqueue('nobody', [])
    t.match((await whyOf(app, pending)).facts, [{ kind: 'no_worker' }])
    await queueApp.operations.cancelExecution(pending, { by: 'ada' })
    await sleep(1_100)
    t.match((await whyOf(app, pending)).facts, [{ kind: 'finished', status: 'cancelled' }])

    const missing = await app.inject('/api/executions/there-is-none/why')
    t.match(missing.json(), { status: 404, code: 'EXECUTION_NOT_FOUND' })
    t.equal((await app.inject(`/api/executions/${running}/why?nonsense=1`)).statusCode, 400)
  })
})

for (const [kind, openUrl] of [['redis', redisUrl], ['postgres', postgresUrl]] as const) {
  t.test(`why explains executions that a dead process left behind, and processes that take nothing, on ${kind}`, async t => {
    const url = await openUrl(t)
    const queueApp = QueueApp.fromUrls({ broker: url, namespace: NAMESPACE, tasks: { lost: {}, silent: {} }, onError() {} })
    t.teardown(() => queueApp.stop())
    await queueApp.start()
    const app = await serve(t, queueApp)
    const store = newStore(url, NAMESPACE)
    await store.start()
    t.teardown(() => store.stop())

    const lost = await queueApp.enqueue('lost', [])
    t.equal(await takeJob(store, 'lost', { workerId: GHOST, lockMs: 2_000 }), lost)
    t.match((await whyOf(app, lost)).facts, [{ kind: 'running', worker_id: GHOST }], 'the process is unknown, but its lock is still held')
    await sleep(2_100)
    t.match((await whyOf(app, lost)).facts, [{ kind: 'stalled', worker_id: GHOST }, { kind: 'no_worker' }])

    const silent = await queueApp.enqueue('silent', [])
    t.match((await whyOf(app, silent)).facts, [{ kind: 'no_worker' }])
    await reportGhost(store, { workerId: 'silent:1', tasks: ['silent'] })
    await sleep(1_100)
    t.match(await whyOf(app, silent), {
      sentence: 'No process takes its task now: 1 stopped responding.', facts: [{ kind: 'workers_unavailable', silent: 1, stopping: 0 }]
    })
  })
}

t.test('why uses the broker if the result backend is unavailable, and the result backend if the broker is unavailable', async t => {
  const [broker, backend] = [await startRedis(t), await startRedis(t)]
  const queueApp = QueueApp.fromUrls({ broker: broker.url, backend: backend.url, tasks: { nobody: {} }, onError() {} })
  t.teardown(() => queueApp.stop())
  queueApp.task('echo', async () => {})
  await queueApp.start()
  const app = await serve(t, queueApp)
  const [finished, pending] = [await queueApp.enqueue('echo', []), await queueApp.enqueue('nobody', [])]
  await waitFor('its record', async () => (await queueApp.monitoring.task('echo'))!.executions.success === 1)

  await backend.stop()
  t.match(await whyOf(app, pending), { known: true, facts: [{ kind: 'no_worker' }] })
  t.match(await whyOf(app, finished), { known: true, facts: [{ kind: 'finished', status: 'success' }] }, 'the broker still has it')
  t.match(await whyOf(app, 'there-is-none'), { known: false, facts: [{ kind: 'backend_unavailable', reason: 'unreachable' }] })

  await backend.start()
  await waitFor('the result backend', async () => await queueApp.monitoring.statistics() !== null)
  await broker.stop()
  // Responses may be up to a second old.
  await sleep(1_100)
  t.match(await whyOf(app, pending), { known: false, facts: [{ kind: 'broker_unavailable', reason: 'unreachable' }] })
  t.equal((await whyOf(app, pending)).facts.length, 1, 'the result backend answered')
  t.match(await whyOf(app, finished), { known: true, facts: [{ kind: 'finished' }] })
})

t.test('users who may not see queues do not learn who paused one, and a refused task reveals nothing', async t => {
  const { url } = await startRedis(t)
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: { nobody: {} }, onError() {} })
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  const app = await serve(t, queueApp, {
    authorize: (request: { headers: Record<string, unknown> }, action: string) =>
      request.headers['x-role'] === 'all' || (request.headers['x-role'] === 'some' && action !== 'queues:view')
  })
  const id = await queueApp.enqueue('nobody', [])
  await queueApp.operations.pauseQueue('nobody', { by: 'ada', reason: 'audit' })
  t.match((await whyOf(app, id, { 'x-role': 'all' })).facts[0], { kind: 'paused', pause: { by: 'ada', reason: 'audit' } })
  const some = await app.inject({ url: `/api/executions/${id}/why`, headers: { 'x-role': 'some' } })
  t.equal(some.statusCode, 200)
  t.notMatch(some.body, /ada|audit/, 'not even from a response that someone else got a moment ago')
  t.equal((await app.inject(`/api/executions/${id}/why`)).statusCode, 403)
})
