import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import type { Action } from '../../../lib/dashboard/actions.ts'
import type { AccessResource, DashboardOptions } from '../../../lib/dashboard/options.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

export interface KnownRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'
  /** As in Fastify, with `*` for a parameter. A word after the parameter is a constraint there. */
  readonly pattern: string
  /** A request to it. */
  readonly url: string
  readonly payload?: object
  readonly action: Action
  /** The resource that `authorize` receives. */
  readonly resource: AccessResource
}

const API = '/tasks/api'
const TASK = { taskName: 'email:send' }
const QUEUE = { ...TASK, queue: 'email:send' }
const EXECUTION = { executionId: 'e-1' }
const GROUP = { errorGroup: 'abc' }
const SCHEDULE = { scheduleId: 's-1' }
const CRON = { task_name: 'email:send', cron: '* * * * *' }
const INTERVAL = { task_name: 'email:send', interval_ms: 1000 }

/** Every operation of the API, and the page. Deleting comes last, because a deleted schedule cannot be enabled. */
export const ROUTES: readonly KnownRoute[] = [
  plain('/health', 'health:view'),
  plain('/doctor', 'doctor:view'),
  plain('/doctor/stream', 'doctor:view'),
  plain('/stats', 'stats:view'),
  plain('/timeseries', 'stats:view'),
  plain('/tasks', 'tasks:view'),
  named('GET', '/tasks/*', '/tasks/email%3Asend', 'tasks:view', TASK),
  named('GET', '/tasks/*/executions', '/tasks/email%3Asend/executions', 'executions:view', TASK),
  named('POST', '/tasks/*/run', '/tasks/email%3Asend/run', 'tasks:run', TASK, { args: [1] }),
  plain('/executions', 'executions:view'),
  named('GET', '/executions/*', '/executions/e-1', 'executions:view', EXECUTION),
  named('GET', '/executions/*/job', '/executions/e-1/job', 'executions:view', EXECUTION),
  named('GET', '/executions/*/why', '/executions/e-1/why', 'executions:view', EXECUTION),
  named('PATCH', '/executions/*', '/executions/e-1', 'executions:update', EXECUTION, { priority: 1 }),
  named('DELETE', '/executions/*', '/executions/e-1', 'executions:delete', EXECUTION),
  named('POST', '/executions/*/cancel', '/executions/e-1/cancel', 'executions:cancel', EXECUTION, { reason: 'not needed' }),
  named('POST', '/executions/*/retry', '/executions/e-1/retry', 'executions:retry', EXECUTION, { args: [1] }),
  plain('/search/completions', 'executions:view', '?search=a&position=1'),
  plain('/failures', 'executions:view'),
  named('PUT', '/failures/*/resolve', '/failures/abc/resolve', 'failures:resolve', GROUP, { note: 'fixed' }),
  named('PUT', '/failures/*/reopen', '/failures/abc/reopen', 'failures:reopen', GROUP),
  named('POST', '/bulk', '/bulk', 'bulk:create', TASK, { action: 'retry', filter: { task_name: 'email:send' }, dry_run: false }),
  plain('/bulk', 'bulk:view'),
  named('GET', '/bulk/*', '/bulk/b-1', 'bulk:view', { operationId: 'b-1' }),
  named('GET', '/bulk/*/items', '/bulk/b-1/items', 'bulk:view', { operationId: 'b-1' }),
  named('PUT', '/bulk/*/suspend', '/bulk/b-1/suspend', 'bulk:suspend', { operationId: 'b-1' }),
  named('PUT', '/bulk/*/resume', '/bulk/b-1/resume', 'bulk:resume', { operationId: 'b-1' }),
  named('PUT', '/bulk/*/abort', '/bulk/b-1/abort', 'bulk:abort', { operationId: 'b-1' }),
  named('PUT', '/bulk/*/undo', '/bulk/b-2/undo', 'bulk:undo', { operationId: 'b-2' }),
  plain('/schedules', 'schedules:view'),
  plain('/schedules/preview', 'schedules:view', '?cron=*+*+*+*+*'),
  plain('/schedules/agenda', 'schedules:view'),
  named('POST', '/schedules/cron', '/schedules/cron', 'schedules:create', TASK, CRON),
  named('POST', '/schedules/interval', '/schedules/interval', 'schedules:create', TASK, INTERVAL),
  named('GET', '/schedules/*', '/schedules/s-1', 'schedules:view', SCHEDULE),
  named('PATCH', '/schedules/*', '/schedules/s-1', 'schedules:update', SCHEDULE, { description: 'Changed' }),
  named('POST', '/schedules/*/run', '/schedules/s-1/run', 'schedules:run', SCHEDULE),
  named('GET', '/schedules/*/executions', '/schedules/s-1/executions', 'executions:view', SCHEDULE),
  named('GET', '/schedules/*/misses', '/schedules/s-1/misses', 'schedules:view', SCHEDULE),
  named('PUT', '/schedules/*/enable', '/schedules/s-1/enable', 'schedules:enable', SCHEDULE),
  named('PUT', '/schedules/*/disable', '/schedules/s-1/disable', 'schedules:disable', SCHEDULE),
  plain('/workers', 'workers:view'),
  plain('/queues', 'queues:view'),
  named('PUT', '/queues/*/pause', '/queues/email%3Asend/pause', 'queues:pause', QUEUE, { reason: 'not now' }),
  named('PUT', '/queues/*/resume', '/queues/email%3Asend/resume', 'queues:resume', QUEUE),
  named('PUT', '/queues/*/limits', '/queues/email%3Asend/limits', 'queues:limit', QUEUE, { concurrency: 2 }),
  plain('/audit', 'audit:view'),
  plain('/session', 'session:view'),
  plain('/openapi.json', 'openapi:view'),
  { method: 'GET', pattern: '/tasks', url: '/tasks', action: 'ui:view', resource: {} },
  named('DELETE', '/schedules/*', '/schedules/s-1', 'schedules:delete', SCHEDULE)
]

export const CREDENTIALS = { username: 'ops', password: 'sésame:1' }
export const AUTHORIZATION = basic('ops', 'sésame:1')

/** A dashboard, and its API operations registered in Fastify, as `METHOD pattern action`. */
export async function build(t: Pick<Test, 'teardown'>, options: Omit<DashboardOptions, 'queueApp'>, app: FastifyInstance = Fastify()) {
  const operations: string[] = []
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const { action, followedBy } = (config ?? {}) as { action?: Action, followedBy?: string | null }
    if (!schema?.operationId || method === 'HEAD') return
    operations.push(`${String(method)} ${url}${followedBy ? `/${followedBy}` : ''} ${action}`)
  })
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), ...options })
  t.teardown(() => app.close())
  return { app, operations }
}

export function call(
  app: FastifyInstance, { method, url, payload }: Pick<KnownRoute, 'method' | 'url' | 'payload'>, options: InjectOptions = {}
) {
  return app.inject({ method, url, ...(payload && { payload }), ...options })
}

/** True if access was granted, whatever the result. */
export function isAnswered({ statusCode }: { statusCode: number }): boolean {
  return [200, 201, 202, 404].includes(statusCode)
}

export function label({ method, url, action }: Pick<KnownRoute, 'method' | 'url' | 'action'>): string {
  return `${method} ${url} (${action})`
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A read without a resource. */
function plain(path: string, action: Action, query = ''): KnownRoute {
  return { method: 'GET', pattern: API + path, url: API + path + query, action, resource: {} }
}

function named(
  method: KnownRoute['method'], pattern: string, path: string, action: Action, resource: AccessResource, payload?: object
): KnownRoute {
  return { method, pattern: API + pattern, url: API + path, action, resource, ...(payload && { payload }) }
}
