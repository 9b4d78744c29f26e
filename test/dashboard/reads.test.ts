import Fastify from 'fastify'
import t from 'tap'
import { createTaskDashboardError, type ErrorCode } from '../../lib/errors.ts'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import type { ExecutionPage, FailureGroupPage, Session, Stats, Timeseries } from '../../schemas/index.ts'
import { inTime } from '../support/in-time.ts'
import { EXECUTION_IDS, NOW, PRUNED_ID, sampleQueueApp } from './sample-queue-app.ts'
import { buildDashboard, type Instead } from './build-dashboard.ts'

void t.test('executions can be filtered by parameters and by a search', async t => {
  const asked: object[] = []
  const sample = sampleQueueApp().monitoring
  const app = await buildDashboard(t, {}, { monitoring: { executions: query => { asked.push(query); return sample.executions(query) } } })
  const get = async <Body = ExecutionPage>(path: string) => (await app.inject(`/tasks/api/${path}`)).json<Body>()

  t.match(await get('executions?limit=2'), {
    items: [{}, {}], next_cursor: 'next', total: { value: EXECUTION_IDS.length, relation: 'exact' }, scanned: null, complete: true
  })
  const filters = 'worker_id=host:1&error_group=abc&min_duration_ms=999.5&search=error:TypeError+took:%3C2s'
  for (const path of ['executions', 'tasks/email%3Asend/executions', 'schedules/s-1/executions']) {
    await get(`${path}?${filters}`)
    t.match(asked.at(-1), { workerId: 'host:1', errorGroup: 'abc', minDurationMs: 999.5, search: 'error:TypeError took:<2s' }, path)
  }
  t.equal((await get(`executions?${filters}`)).total.value, EXECUTION_IDS.length)
  for (const none of [
    'worker_id=another', 'error_group=abd', 'min_duration_ms=1001', 'search=error:RangeError', 'search=status:success',
    'status=failed&search=status:success', 'search=id:none'
  ]) {
    t.same(
      await get(`executions?${none}`),
      { items: [], next_cursor: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }, none
    )
  }
  t.same((await get('executions?search=id:a/b')).items.map(one => one.execution_id), ['a/b'])
  t.equal((await get('executions?min_duration_ms=0')).total.value, EXECUTION_IDS.length)

  const wrong = await app.inject('/tasks/api/executions?search=task:x+status:done')
  t.equal(wrong.statusCode, 400)
  t.match(wrong.json(), { code: 'INVALID_SEARCH', errors: [{ pointer: 'search', position: 14, message: /done/ }] })

  const scanning = await buildDashboard(t, {}, {
    monitoring: {
      executions: async () => ({
        executions: [], nextCursor: 'next', total: { value: 0, relation: 'at_least' }, scanned: 20_000, complete: false
      })
    }
  })
  t.match((await scanning.inject('/tasks/api/executions?search=x')).json(), {
    items: [], next_cursor: 'next', total: { value: 0, relation: 'at_least' }, scanned: 20_000, complete: false
  })

  t.match(await get('search/completions?search=sta&position=3'), { from: 0, to: 3, items: [{ text: /^status:/, description: /./ }] })
  t.match(await get('search/completions?search=task:rep&position=400'), { items: [{ text: /reports\/daily/ }] })
})

void t.test('a pruned execution is 410, and one that never existed is 404', async t => {
  const app = await buildDashboard(t)
  const gone = await app.inject(`/tasks/api/executions/${PRUNED_ID}`)
  t.match(gone.json(), { status: 410, code: 'EXECUTION_PRUNED', detail: /up to 2026-11-20T09:00:00\.000Z$/ })
  t.match((await app.inject('/tasks/api/executions/none')).json(), { status: 404, code: 'EXECUTION_NOT_FOUND' })
})

void t.test('failures are listed as pages of groups', async t => {
  const asked: object[] = []
  const sample = sampleQueueApp().monitoring
  const app = await buildDashboard(t, {}, {
    monitoring: { failureGroups: query => { asked.push(query); return sample.failureGroups(query) } }
  })
  const { items, next_cursor: next, total } = (await app.inject(
    '/tasks/api/failures?limit=1&task_name=email:send&from=2026-11-20T09:00:00Z&to=2026-11-20T10:00:00%2B01:00'
  )).json<FailureGroupPage>()
  t.match(
    items,
    [
      {
        error_group: 'abc', type: 'TypeError', frame: 'send@tasks/email.js', count: 3, first_seen_at: /Z$/, is_new: false,
        tasks: [{ name: 'email:send', count: 3 }], last_execution_id: 'e-1'
      }
    ]
  )
  t.equal(items[0]!.message.length, 500)
  t.equal(items[0]!.trend.length, 24)
  t.same([next, total], ['next', { value: 2, relation: 'exact' }])
  t.same(asked, [{ taskName: 'email:send', from: NOW, to: NOW, limit: 1 }])
  t.match((await app.inject('/tasks/api/failures?cursor=next')).json(), { items: [{}, {}], next_cursor: null })
})

void t.test('each metric has a time series', async t => {
  let loads = 0
  const sample = sampleQueueApp().monitoring
  const app = await buildDashboard(t, {}, { monitoring: { timeseries: query => { loads++; return sample.timeseries(query) } } })
  const get = async (query: string) => (await app.inject(`/tasks/api/timeseries${query}`)).json<Timeseries>()
  const executions = await get('?window=1h')
  t.match(executions, { metric: 'executions', step_ms: 60_000, source: 'minutes', to: '2026-11-20T09:01:00.000Z' })
  t.equal(executions.points.length, 60)
  t.same(executions.points.at(-2), {
    at: '2026-11-20T08:59:00.000Z', success: 2, failed: 1, throughput_per_minute: 3, open: false, gap: null
  })
  t.match((await get('?metric=duration_ms&window=1h')).points.at(-2), { success: 2, p50: 10, p95: 10, p99: 10 })
  t.match((await get('?metric=wait_ms&window=1h')).points.at(-2), { success: 2, p50: null, p95: null, p99: null })
  t.equal(loads, 1, 'the metrics share one read')
  t.match((await get('')).points[0], { success: null, failed: null, throughput_per_minute: null, gap: 'before_ledger' })
  t.equal((await get('?window=24h&step=1h&task_name=email:send')).points.length, 24)
  const { headers } = await app.inject('/tasks/api/timeseries')
  t.equal((await app.inject({ url: '/tasks/api/timeseries', headers: { 'if-none-match': String(headers['etag']) } })).statusCode, 304)
})

void t.test('statistics include how much history is kept, and the session what the store supports', async t => {
  const app = await buildDashboard(t)
  t.same((await app.inject('/tasks/api/stats')).json<Stats>().history, {
    success: { kept: 900, oldest_at: new Date(NOW - 9e8).toISOString() }, failed: { kept: 0, oldest_at: null },
    pruned_before: new Date(NOW - 9e8).toISOString(),
    retention: { success: { max_age_ms: 9e8, max_count: 1000 }, failed: { max_age_ms: null, max_count: null } }
  })
  t.same((await app.inject('/tasks/api/session')).json<Session>().supports, { search: 'indexed', changes: true })
})

void t.test('polling costs at most one load per second, and unchanged answers are 304', async t => {
  let loads = 0
  const { statistics } = sampleQueueApp().monitoring
  const app = await buildDashboard(t, {}, { monitoring: { statistics: () => { loads++; return statistics() } } })
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/tasks/api/stats')))
  t.equal(loads, 1)
  const { etag } = answers[0]!.headers
  t.match(etag, /^W\/"[\w.~-]+"$/)
  for (const url of [
    '/tasks/api/stats', '/tasks/api/tasks', '/tasks/api/schedules', '/tasks/api/executions', '/tasks/api/tasks/email%3Asend',
    '/tasks/api/schedules/s-1'
  ]) {
    const { headers } = await app.inject(url)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })
    t.match(again, { statusCode: 304, body: '' }, url)
    t.equal((await app.inject({ url, headers: { 'if-none-match': 'W/"other"' } })).statusCode, 200)
  }
  const list = '/tasks/api/schedules'
  const before = await app.inject(list)
  await app.inject({ method: 'PUT', url: '/tasks/api/schedules/s-1/disable' })
  const after = await app.inject({ url: list, headers: { 'if-none-match': String(before.headers['etag']) } })
  t.match(after.json<Array<{ enabled: boolean }>>()[0], { enabled: false }, 'a write is visible at once')
})

void t.test('a request fails with the status that fits the failure of the queue app', async t => {
  await t.test('the response is 503 with Retry-After when a datastore is unreachable', async t => {
    const cause = new Error('redis://user:secret@10.0.0.1')
    for (const code of ['BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'NOT_STARTED', 'ALREADY_STOPPED'] as ErrorCode[]) {
      const app = await buildDashboard(t, {}, failing(async () => { throw createTaskDashboardError(code, [], { cause }) }))
      for (const [method, url] of CALLS) {
        const answer = await app.inject({ method, url, ...payloadOf(method) })
        t.match(answer.json(), { status: 503, code }, `${method} ${url}`)
        t.match(answer.headers, { 'retry-after': /^\d+$/, 'content-type': /problem/, 'content-security-policy': /./ })
        t.notMatch(answer.body, /secret|10\.0/)
      }
    }
  })

  await t.test('the response is 503 after a few seconds when a datastore does not respond', async t => {
    const app = await buildDashboard(t, {}, failing(() => new Promise<never>(() => {}), { health: () => new Promise<never>(() => {}) }))
    const answers = await inTime(t, 'all answers', 9000, () =>
      Promise.all(CALLS.map(([method, url]) => app.inject({ method, url, ...payloadOf(method) }))))
    const health = await inTime(t, 'health', 2500, async () => app.inject('/tasks/api/health'))
    for (const [index, answer] of answers.entries()) {
      // The other writes first read what they change, so it is known that nothing was changed.
      const mayHaveHappened = CALLS[index]!.join(' ') === 'POST /tasks/api/schedules/cron'
      t.match(answer.json(), { status: 503, code: mayHaveHappened ? 'UNCONFIRMED' : 'NO_ANSWER' }, CALLS[index]!.join(' '))
    }
    t.match(health.json(), { healthy: false, status: 'unhealthy', components: { broker: { healthy: false } } })
    t.equal(health.statusCode, 503)
    t.match(health.headers['retry-after'], /^\d+$/)
  })

  await t.test('the response is 500 without the error message, which is in the log under the request id', async t => {
    const lines: string[] = []
    const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => { lines.push(line) } } } })
    const queueApp =
      sampleQueueApp(failing(async () => { throw Object.assign(new Error('secret at postgres://10.0.0.1'), { code: '22P05' }) }))
    await app.register(dashboardPlugin, { prefix: '/tasks', queueApp })
    for (const [method, url] of CALLS) {
      const answer = await app.inject({ method, url, ...payloadOf(method) })
      t.match(answer.json(), { status: 500, code: 'INTERNAL', request_id: /./ }, `${method} ${url}`)
      t.notMatch(answer.body, /secret|postgres|22P05|\.[jt]s/)
      const logged = lines.map(line => JSON.parse(line) as { reqId: string; err?: { message: string } })
      const line = logged.find(({ reqId }) => reqId === answer.json<{ request_id: string }>().request_id)
      t.match(line?.err?.message, /secret/)
    }
  })
})

const CALLS = [
  ['GET', '/tasks/api/stats'], ['GET', '/tasks/api/tasks'], ['GET', '/tasks/api/tasks/x'], ['GET', '/tasks/api/tasks/x/executions'],
  ['GET', '/tasks/api/executions'], ['GET', '/tasks/api/executions/x'],
  ['GET', '/tasks/api/schedules'], ['GET', '/tasks/api/schedules/x'], ['POST', '/tasks/api/schedules/cron'],
  ['PUT', '/tasks/api/schedules/x/enable'], ['PUT', '/tasks/api/schedules/x/disable'],
  ['DELETE', '/tasks/api/schedules/x'], ['PATCH', '/tasks/api/schedules/x'], ['POST', '/tasks/api/schedules/x/run'],
  ['GET', '/tasks/api/schedules/x/executions'],
  ['GET', '/tasks/api/schedules/x/misses'], ['GET', '/tasks/api/schedules/agenda'], ['GET', '/tasks/api/failures'],
  ['GET', '/tasks/api/timeseries'], ['GET', '/tasks/api/workers'], ['GET', '/tasks/api/queues'],
  ['GET', '/tasks/api/search/completions?search=a&position=1']
] as const

function payloadOf(method: string) {
  if (method === 'POST') return { payload: { task_name: 'email:send', cron: '* * * * *' } }
  return method === 'PATCH' ? { payload: { cron: '* * * * *' } } : {}
}

function failing(fail: () => Promise<never>, more: Partial<Monitoring> = {}): Instead {
  return {
    monitoring: {
      failureGroups: fail, timeseries: fail, searchCompletions: fail, removalOf: fail,
      statistics: fail, tasks: fail, task: fail, workers: fail, queues: fail,
      executions: fail, execution: fail, schedules: fail, schedule: fail, scheduleMisses: fail, scheduleAgenda: fail, ...more
    },
    operations: { createSchedule: fail, setScheduleEnabled: fail, deleteSchedule: fail, updateSchedule: fail, runSchedule: fail }
  }
}
