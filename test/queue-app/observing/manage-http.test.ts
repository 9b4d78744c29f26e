import fastify from 'fastify'
import { Redis } from 'ioredis'
import t from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import type { Session } from '../../../schemas/session.ts'
import { MANAGING_RIGHTS, OBSERVING_USER } from '../../support/documented-rights.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('over HTTP, allowed changes are offered, made with the documented rights and recorded, and the rest is refused', async t => {
  const server = await startRedis(t)
  const queue = openQueue(t, 5, 'emails', server.url)
  const worker = startOwnersWorker(t, 5, 'emails', server.url)
  const job = await queue.add('send', { fail: true, password: 'hunter2' })
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report', data: { password: 'hunter2' } })
  await waitFor('its failure', async () => worker.outcomes.length === 1)
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  await redis.call('ACL', ...OBSERVING_USER, ...MANAGING_RIGHTS)
  const queueApp = await observe(t, { broker: server.url.replace('redis://', 'redis://dashboard:secret@') }, {
    manage: true, redact: { paths: ['args.*.password'] }, onError: error => t.fail(error.message)
  })
  const app = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', identify: () => 'ada' })
  t.teardown(() => app.close())
  const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `/tasks/api${path}`, ...payload && { payload } })

  const { actions, supports } = (await call('GET', '/session')).json<Session>()
  t.same(actions.filter(action => !action.endsWith(':view')), [
    'tasks:run', 'executions:retry', 'executions:cancel', 'executions:update', 'bulk:create', 'bulk:suspend', 'bulk:resume',
    'bulk:abort', 'bulk:undo', 'failures:resolve', 'failures:reopen', 'schedules:enable', 'schedules:disable', 'schedules:update',
    'schedules:run', 'queues:pause', 'queues:resume'
  ])
  t.equal(supports.changes, false)

  const [failed] = await waitFor('the failure', async () => {
    const { items } = (await call('GET', '/executions?status=failed')).json<ExecutionPage>()
    return items.length === 1 && items
  })
  t.equal((await call('PUT', '/queues/emails/pause', { reason: 'provider' })).statusCode, 200)
  const address = `/executions/${encodeURIComponent(failed!.execution_id)}`
  const retried = await call('POST', `${address}/retry`, {})
  t.equal(retried.statusCode, 202, retried.body)
  const again = await call('POST', `${address}/retry`, {})
  t.match(again.json<Problem>(), { status: 409, code: 'ALREADY_RETRIED', execution_id: `emails:${job.id}` })
  const cancelled = await call('POST', `/executions/${encodeURIComponent(`emails:${job.id}`)}/cancel`, { reason: 'enough' })
  t.equal(cancelled.statusCode, 202, cancelled.body)
  t.equal((await call('PUT', '/queues/emails/resume')).statusCode, 200)
  const schedule = '/schedules/emails%3Anightly'
  t.match((await call('PUT', `${schedule}/disable`)).json<Schedule>(), {
    enabled: false, next_run_at: null, drift: { fields: [{ field: 'enabled', by: 'ada' }] }, args: [{ password: '[redacted]' }]
  })
  const { version } = (await call('PATCH', schedule, { cron: '0 5 * * *', enabled: true })).json<Schedule>()
  t.match((await call('GET', schedule)).json<Schedule>(), { cron: '0 5 * * *', enabled: true, version })
  t.match((await call('PATCH', schedule, { args: [{ password: '[redacted]' }] })).json<Problem>(), { code: 'INVALID_SCHEDULE' })
  t.equal((await call('PATCH', schedule, { wins: 'code' })).statusCode, 200)
  t.equal((await queue.getJobScheduler('nightly'))?.pattern, '0 3 * * *')
  const run = await call('POST', `${schedule}/run`)
  t.equal(run.statusCode, 202, run.body)
  await waitFor('the run', async () => worker.outcomes.some(({ name }) => name === 'report'))
  t.same(await queue.getJobCounts(), {
    'active': 0, 'completed': 1, 'delayed': 1, 'failed': 0, 'paused': 0, 'prioritized': 0, 'waiting': 0, 'waiting-children': 0
  })
  const { items } = (await call('GET', '/executions?status=cancelled')).json<ExecutionPage>()
  t.match(items, [{ task_name: 'emails', status: 'cancelled' }])
  const kept = await call('GET', `/executions/${encodeURIComponent(items[0]!.execution_id)}`)
  t.notMatch(kept.body, /hunter2/)
  t.match(kept.body, /\[redacted\]/)

  const refused = await Promise.all([
    call('DELETE', address), call('DELETE', schedule),
    call('PUT', '/queues/emails/limits', { concurrency: 1 })
  ])
  t.same(refused.map(answer => answer.json<Problem>().code), Array<string>(3).fill('OBSERVED_ONLY'))
  const log = (await call('GET', '/audit')).json<AuditPage>().items
  t.same(
    log.filter(({ outcome }) => outcome === 'done').map(({ action, actor }) => [action, actor]).reverse(),
    [
      'queues:pause', 'executions:retry', 'executions:cancel', 'queues:resume', 'schedules:disable', 'schedules:update', 'schedules:update',
      'schedules:run'
    ].map(action => [action, 'ada'])
  )

  await redis.call('ACL', 'SETUSER', 'dashboard', '-eval')
  const forbidden = await call('PUT', '/queues/emails/pause', {})
  t.match(forbidden.json<Problem>(), { status: 500, code: 'STORE_REFUSED', detail: /may not run EVAL/ })
  t.equal(await queue.isPaused(), false)
})
