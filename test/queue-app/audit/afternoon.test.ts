import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import type { AuditEntry, AuditPage } from '../../../schemas/audit.ts'
import { onEveryStore, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

type Person = 'ana' | 'ben' | 'mallory'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Served {
  readonly server: FastifyInstance
  readonly queueApp: QueueApp
  ask(person: Person, method: Method, path: string, payload?: object, reason?: string): Promise<LightMyRequestResponse>
}

/** A queue app with a failing task, and its dashboard, where mallory has read access only. */
async function serve(t: Test, options: QueueAppOptions): Promise<Served> {
  const queueApp = QueueApp.fromUrls({ onError: () => {}, ...options })
  queueApp.task('bill', async () => { throw new Error('no connection') })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, {
    prefix: '/tasks', queueApp,
    identify: request => String(request.headers['x-person']),
    authorize: (request, action) => request.headers['x-person'] !== 'mallory' || action.endsWith(':view'),
    requireReason: ['schedules:delete']
  })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  return {
    server, queueApp,
    ask: (person, method, path, payload, reason) => server.inject({
      method, url: `/tasks/api${path}`,
      headers: { 'x-person': person, ...reason !== undefined && { 'audit-reason': encodeURIComponent(reason) } },
      ...payload && { payload }
    })
  }
}

async function auditOf({ ask }: Served, query = ''): Promise<AuditEntry[]> {
  const answer = await ask('ana', 'GET', `/audit?limit=200${query}`)
  return answer.json<AuditPage>().items
}

const CRON = { task_name: 'bill', cron: '0 3 * * *', description: 'Every night', args: ['all', { retry: true }] }

t.test('the audit log of an afternoon lists exactly what was done', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, { broker: url })
  const { ask } = served
  const done: object[] = []
  /** Sends a request, and notes the expected log entry. */
  async function make(person: Person, action: string, method: Method, path: string, expected: object, ...rest: [object?, string?]) {
    const answer = await ask(person, method, path, ...rest)
    done.push({
      actor: person, action, method, path: `/api${path}`, address: '127.0.0.1', reason: rest[1] ?? null, status: answer.statusCode,
      outcome: answer.statusCode < 400 ? 'done' : 'refused', ...expected
    })
    // A refusal is recorded after its response, and the next write must not overtake it.
    await waitFor('its entry', async () => (await auditOf(served)).length === done.length)
    return answer.json<Record<string, string>>()
  }

  const { schedule_id: id } = await make('ana', 'schedules:create', 'POST', '/schedules/cron', { before: null, status: 201 }, CRON)
  const named = { schedule_id: id, task_name: 'bill', execution_id: null }
  await make('ben', 'schedules:disable', 'PUT', `/schedules/${id}/disable`, {
    before: { ...CRON, enabled: true }, after: { enabled: false }, resource: named
  }, undefined, 'double billing')
  await make('ben', 'schedules:update', 'PATCH', `/schedules/${id}`, { before: { cron: '0 3 * * *' }, after: { cron: '0 4 * * *' } }, {
    cron: '0 4 * * *'
  })
  await make('mallory', 'schedules:delete', 'DELETE', `/schedules/${id}`, { status: 403, code: 'FORBIDDEN', before: null })
  await make('ana', 'schedules:update', 'PATCH', `/schedules/${id}`, { status: 400, code: 'INVALID_CRON', after: null }, {
    cron: 'nightly'
  })
  const { execution_id: first } = await make('ana', 'tasks:run', 'POST', '/tasks/bill/run', { status: 202 }, { args: ['one'] })
  await waitFor('its failure', async () =>
    (await ask('ana', 'GET', `/executions/${first}`)).json<{ status: string }>().status === 'failed')
  const { execution_id: retry } = await make('ben', 'executions:retry', 'POST', `/executions/${first}/retry`, { status: 202 })
  await make('ana', 'executions:retry', 'POST', `/executions/${first}/retry`, { status: 409, code: 'ALREADY_RETRIED' })
  await make('ana', 'schedules:delete', 'DELETE', `/schedules/${id}`, { status: 400, code: 'REASON_REQUIRED' })
  await make('ana', 'schedules:delete', 'DELETE', `/schedules/${id}`, {
    before: { ...CRON, cron: '0 4 * * *', enabled: false }, after: { schedule_id: id, deleted: true }
  }, undefined, 'replaced')
  await make('ana', 'schedules:enable', 'PUT', `/schedules/${id}/enable`, { status: 404, code: 'SCHEDULE_NOT_FOUND', before: null })

  const entries = (await auditOf(served)).toReversed()
  t.equal(entries.length, done.length)
  for (const [index, expected] of done.entries()) t.match(entries[index], expected, JSON.stringify(expected))

  const about = (query: string) => auditOf(served, query).then(found => found.map(({ action, actor }) => `${actor} ${action}`))
  t.same(await about(`&execution_id=${retry}`), ['ben executions:retry'], 'the write that created an execution is found by it')
  t.same(await about(`&execution_id=${first}`), ['ana executions:retry', 'ben executions:retry', 'ana tasks:run'])
  t.same(await about('&actor=mallory'), ['mallory schedules:delete'])
  t.same(await about(`&schedule_id=${id}&outcome=done`), [
    'ana schedules:delete', 'ben schedules:update', 'ben schedules:disable', 'ana schedules:create'
  ])
}))

t.test('while the result backend is unavailable, writes are refused and nothing is changed', async t => {
  const backend = await startRedis(t)
  const served = await serve(t, { broker: await redisUrl(t), backend: backend.url })
  const { ask } = served
  const { schedule_id: id } = (await ask('ana', 'POST', '/schedules/cron', CRON)).json<{ schedule_id: string }>()
  await backend.kill()
  for (const [method, path] of [['PUT', `/schedules/${id}/disable`], ['POST', '/tasks/bill/run']] as const)
    t.match((await ask('ben', method, path)).json(), { status: 503, code: 'BACKEND_UNAVAILABLE' }, path)
  await backend.start()
  await waitFor('the backend', async () => (await ask('ana', 'GET', `/schedules/${id}`)).statusCode === 200)
  t.match((await ask('ana', 'GET', `/schedules/${id}`)).json(), { enabled: true })
  t.match(await auditOf(served), [{ action: 'schedules:create', outcome: 'done' }])
  t.equal((await ask('ben', 'PUT', `/schedules/${id}/disable`)).statusCode, 200)
})
