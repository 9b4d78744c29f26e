import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { AuditPage } from '../../../schemas/audit.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import type { DashboardOptions } from '../../../lib/dashboard/options.ts'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { Operations } from '../../../lib/queue-app/operations/operations.ts'
import { waitFor } from '../../support/wait-for.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const DISABLE = { method: 'PUT', url: '/tasks/api/schedules/s-1/disable' } as const
const DELETE = { method: 'DELETE', url: '/tasks/api/schedules/s-1' } as const
const RUN = { method: 'POST', url: '/tasks/api/tasks/email%3Asend/run', payload: { args: ['secret'] } } as const

async function build(t: Test, options: Partial<DashboardOptions> = {}, operations: Partial<Operations> = {}) {
  const queueApp = sampleQueueApp({ operations })
  const lines: string[] = []
  const app = Fastify({ loggerInstance: pino({ level: 'info' }, { write: (line: string) => { lines.push(line) } }) })
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local', ...options })
  const entries = async (query = ''): Promise<AuditPage['items']> => {
    // A refusal is recorded after its response.
    await sleep(5)
    const { items } = (await queueApp.monitoring.auditEntries({})) && (await app.inject({
      url: `/tasks/api/audit${query}`, headers: options.auth ? { authorization: `Basic ${btoa('ops:secret')}` } : {}
    })).json<AuditPage>()
    return items
  }
  return { app, entries, lines, queueApp }
}

t.test('a write is recorded with actor, address, action, resource, state before and after, outcome and reason', async t => {
  const { app, entries, lines } = await build(t, { identify: () => ({ id: 'u-17', name: 'Ana Silva' }) })
  const headers = { 'audit-reason': encodeURIComponent('Läuft doppelt, \u{1f525} heute Nacht') }
  t.equal((await app.inject({ ...DISABLE, headers })).statusCode, 200)
  t.equal((await app.inject({ ...DELETE, url: `${DELETE.url}?` })).statusCode, 200)
  const [deleted, disabled] = await entries()
  t.match(disabled, {
    actor: 'Ana Silva (u-17)', address: '127.0.0.1', action: 'schedules:disable', method: 'PUT', path: '/api/schedules/s-1/disable',
    resource: { task_name: 'email:send', schedule_id: 's-1', execution_id: null }, reason: 'Läuft doppelt, \u{1f525} heute Nacht',
    before: { schedule_id: 's-1', enabled: true, cron: '0 9 * * *' }, after: { schedule_id: 's-1', enabled: false },
    outcome: 'done', status: 200, code: null, truncated: [], not_listed: 0
  })
  t.match(deleted, { action: 'schedules:delete', path: '/api/schedules/s-1', before: { args: ['a', { b: [1, null] }] }, reason: null })
  const logged = lines.map(line => JSON.parse(line) as { msg: string, audit?: object, reqId?: string }).filter(({ audit }) => audit)
  t.match(logged, [
    {
      msg: 'schedules:disable done', reqId: disabled!.request_id,
      audit: { actor: 'Ana Silva (u-17)', action: 'schedules:disable', scheduleId: 's-1', outcome: 'done', status: 200 }
    },
    { msg: 'schedules:delete done' }
  ])
})

t.test('a write that creates an execution names it, and its arguments are not in the log', async t => {
  const { app, entries, lines } = await build(t)
  t.equal((await app.inject(RUN)).statusCode, 202)
  t.match(await entries(), [{
    action: 'tasks:run', resource: { task_name: 'email:send', execution_id: 'e-2' }, before: null, after: { execution_id: 'e-2' }
  }])
  t.notOk(JSON.stringify([await entries(), lines]).includes('secret'))
})

t.test('the entry of a refused write names its task, so that a filter by task and a scope find it', async t => {
  const refuse = () => { throw createTaskDashboardError('ALREADY_RETRIED', ['e-1', 'e-2']) }
  const { app, entries } = await build(t, {}, {
    retryExecution: refuse, cancelExecution: refuse, runSchedule: refuse
  })
  const writes = ['/tasks/api/executions/e-1/retry', '/tasks/api/executions/e-1/cancel', '/tasks/api/schedules/s-1/run']
  for (const url of writes) t.equal((await app.inject({ method: 'POST', url })).statusCode, 409, url)
  const found = await entries('?task_name=email%3Asend')
  t.strictSame(found.map(({ action, outcome, resource }) => `${action} ${outcome}: ${resource.task_name}`), [
    'schedules:run refused: email:send', 'executions:cancel refused: email:send', 'executions:retry refused: email:send'
  ])
})

t.test('reads leave no entry', async t => {
  const { app, entries } = await build(t)
  for (const path of ['/stats', '/schedules', '/nothing']) await app.inject(`/tasks/api${path}`)
  t.same(await entries(), [])
})

const denied = { actor: null, outcome: 'refused', before: null, after: null } as const
const REFUSALS: ReadonlyArray<{
  readonly what: string
  readonly options: Partial<DashboardOptions>
  readonly request: object
  readonly entry: object
}> = [
  { what: 'read-only', options: { readOnly: true }, request: DISABLE, entry: { ...denied, status: 403, code: 'READ_ONLY' } },
  {
    what: 'another site', options: {}, request: { ...DISABLE, headers: { 'sec-fetch-site': 'cross-site' } },
    entry: { ...denied, status: 403 }
  },
  {
    what: 'the policy', options: { authorize: (_request, action) => action.endsWith(':view'), identify: () => 'ben' }, request: DISABLE,
    entry: { ...denied, actor: 'ben', status: 403, code: 'FORBIDDEN', resource: { schedule_id: 's-1' } }
  },
  {
    what: 'a wrong password', options: { auth: { username: 'ops', password: 'secret' } }, request: DISABLE,
    entry: { ...denied, status: 401, code: 'UNAUTHENTICATED' }
  },
  {
    what: 'a schedule that does not exist', options: {}, request: { method: 'DELETE', url: '/tasks/api/schedules/none' },
    entry: { ...denied, status: 404, code: 'SCHEDULE_NOT_FOUND', resource: { schedule_id: 'none' } }
  },
  {
    what: 'an unknown field', options: {}, request: { ...RUN, payload: { arguments: [] } },
    entry: { ...denied, status: 400, code: 'INVALID_INPUT', resource: { task_name: 'email:send' } }
  },
  {
    what: 'a missing reason', options: { requireReason: ['schedules:delete'] }, request: DELETE,
    entry: { ...denied, status: 400, code: 'REASON_REQUIRED' }
  }
]

t.test('a refused write is recorded too', async t => {
  for (const { what, options, request, entry } of REFUSALS) {
    await t.test(`refused for ${what}`, async t => {
      const { app, entries } = await build(t, options)
      const { statusCode } = await app.inject(request)
      t.match(await entries(), [{ ...entry, status: statusCode }])
    })
  }
})

t.test('if the entry cannot be written, nothing is changed', async t => {
  const audit: Operations['audit'] = {
    begin: async () => { throw createTaskDashboardError('BACKEND_UNAVAILABLE') },
    settle: async () => {},
    refuse: async () => {}
  }
  const { app, queueApp } = await build(t, {}, { audit })
  const response = await app.inject(DELETE)
  t.match([response.statusCode, response.json()], [503, { code: 'BACKEND_UNAVAILABLE' }])
  t.ok(await queueApp.monitoring.schedule('s-1'), 'the schedule stands')
})

t.test('if a client disconnects during its write, the outcome is recorded, and a repeated request gets the response', async t => {
  let runs = 0
  const { promise: begun, resolve: begin } = withResolvers()
  const { promise: left, resolve: leave } = withResolvers()
  const runTask = async () => {
    runs++
    begin()
    await left
    return 'e-9'
  }
  const { app, entries } = await build(t, {}, { runTask })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const body = JSON.stringify(RUN.payload)
  const head = `${RUN.method} ${RUN.url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nidempotency-key: k\r\n`
  client.write(`${head}content-length: ${body.length}\r\n\r\n${body}`)
  await begun
  client.destroy()
  await once(client, 'close')
  leave()
  await waitFor('the outcome', async () => (await entries())[0]?.outcome === 'done')
  const again = await app.inject({ ...RUN, headers: { 'idempotency-key': 'k' } })
  t.match([again.statusCode, again.headers['idempotent-replayed'], runs], [202, 'true', 1])

  const half = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  half.write(`${head}content-length: 500\r\n\r\n${body}`)
  half.end()
  await waitFor('a refusal', async () => (await entries())[0]?.outcome === 'refused')
  t.equal(runs, 1, 'half a body changes nothing')
  half.destroy()
})

function withResolvers() {
  let resolve = (): void => {}
  const promise = new Promise<void>(done => { resolve = done })
  return { promise, resolve }
}

t.test('an unknown outcome is not called done or failed', async t => {
  for (const [code, outcome] of [['UNCONFIRMED', 'unknown'], ['BROKER_UNAVAILABLE', 'failed'], ['NO_ANSWER', 'unknown']] as const) {
    const { app, entries } = await build(t, {}, { deleteSchedule: async () => { throw createTaskDashboardError(code) } })
    await app.inject(DELETE)
    t.match(await entries(), [{ outcome, code, before: { schedule_id: 's-1' }, after: null }])
  }
})

t.test('a host that refuses after the change leaves its outcome unknown', async t => {
  for (const statusCode of [403, 503]) {
    const { app, entries, queueApp } = await build(t)
    app.addHook('preSerialization', async request => {
      if (request.method === 'DELETE') throw Object.assign(new Error('too late'), { statusCode })
    })
    t.equal((await app.inject(DELETE)).statusCode, statusCode)
    t.notOk(await queueApp.monitoring.schedule('s-1'), 'the schedule is deleted')
    t.match(await entries(), [{ outcome: 'unknown', status: statusCode, after: null }])
  }
})

t.test('text from an invalid request is cut', async t => {
  const { app, entries, lines } = await build(t)
  const payload = { task_name: 'n'.repeat(50_000), cron: '* * * * *', reason: 'r'.repeat(50_000) }
  t.equal((await app.inject({ method: 'POST', url: '/tasks/api/schedules/cron', payload })).statusCode, 400)
  t.ok(JSON.stringify([await entries(), lines]).length < 10_000)
})

t.test('an empty task name in an invalid request is recorded as null', async t => {
  const { app, entries } = await build(t)
  for (const payload of [{ task_name: '', cron: '* * * * *' }, { cron: '* * * * *' }])
    t.equal((await app.inject({ method: 'POST', url: '/tasks/api/schedules/cron', payload })).statusCode, 400)
  t.same((await entries()).map(each => each.resource.task_name), [null, null])
})

t.test('repeated requests with the same Idempotency-Key make one entry', async t => {
  const { app, entries } = await build(t)
  const request = { ...RUN, headers: { 'idempotency-key': 'k-1' } }
  for (let sent = 0; sent < 3; sent++) t.equal((await app.inject(request)).statusCode, 202)
  t.equal((await entries()).length, 1)
})

t.test('a reason is decoded and checked, and an action can require one', async t => {
  const { app, entries } = await build(t, { requireReason: ['schedules:disable'] })
  const session = (await app.inject('/tasks/api/session')).json<{ reason_required: string[] }>()
  t.same(session.reason_required, ['schedules:disable'])
  for (const reason of ['%', '%20', '%00', '%E2%80%AE', 'x'.repeat(501), '%F0%9F%94']) {
    const response = await app.inject({ ...DISABLE, headers: { 'audit-reason': reason } })
    t.match([response.statusCode, response.json()], [400, { code: 'INVALID_INPUT', errors: [{ pointer: 'audit-reason' }] }], reason)
  }
  t.equal((await app.inject({ ...DISABLE, headers: { 'audit-reason': encodeURIComponent('日'.repeat(500)) } })).statusCode, 200)
  t.match((await entries('?outcome=done')), [{ reason: '日'.repeat(500) }])
})

t.test('the reason for a cancellation is also the reason in the log', async t => {
  const { app, entries } = await build(t, { requireReason: ['executions:cancel'] })
  const url = '/tasks/api/executions/e-1/cancel'
  t.match((await app.inject({ method: 'POST', url })).json(), { code: 'REASON_REQUIRED' })
  for (const reason of ['', '   ', ' \n\n', '\u200b', '\u2060 \ufeff'])
    t.match((await app.inject({ method: 'POST', url, payload: { reason } })).json(), { code: 'REASON_REQUIRED' }, JSON.stringify(reason))
  await app.inject({ method: 'POST', url, payload: { reason: 'runs twice' } })
  const [done, ...refused] = await entries()
  t.match(done, { action: 'executions:cancel', reason: 'runs twice' })
  t.equal(refused.length, 6)
  t.ok(refused.every(each => each.code === 'REASON_REQUIRED' && each.reason === null), 'spaces are no reason')
})

t.test('requireReason takes only actions that change something', async t => {
  await t.rejects(build(t, { requireReason: ['tasks:view', 'nothing:at-all'] as never }), {
    code: 'INVALID_OPTIONS', message: /"tasks:view" is not an action that changes something.*"nothing:at-all"/
  })
})
