/** Every action of a dashboard, as `resource:verb`. Routes declare their action, and `authorize` decides on it. */
export const ACTIONS = [
  'ui:view',
  'session:view',
  'openapi:view',
  'health:view',
  'doctor:view',
  'stats:view',
  'tasks:view',
  'tasks:run',
  'executions:view',
  'executions:retry',
  'executions:cancel',
  'executions:update',
  'executions:delete',
  'bulk:view',
  'bulk:create',
  'bulk:suspend',
  'bulk:resume',
  'bulk:abort',
  'bulk:undo',
  'failures:resolve',
  'failures:reopen',
  'schedules:view',
  'schedules:create',
  'schedules:enable',
  'schedules:disable',
  'schedules:delete',
  'schedules:update',
  'schedules:run',
  'workers:view',
  'queues:view',
  'queues:pause',
  'queues:resume',
  'queues:limit',
  'audit:view'
] as const

export type Action = (typeof ACTIONS)[number]

export function isAction(value: unknown): value is Action {
  return ACTIONS.includes(value as Action)
}

/** Writes that only change the history. All others change executions, queues or schedules, which other code may own. */
const OF_HISTORY: ReadonlySet<Action> = new Set(['failures:resolve', 'failures:reopen'])

export function isOfHistory(action: Action): boolean {
  return OF_HISTORY.has(action)
}

/** Actions on existing queues, if the queue app may manage them. */
const OF_MANAGED: ReadonlySet<Action> = new Set([
  'tasks:run', 'executions:retry', 'executions:cancel', 'executions:update', 'bulk:create', 'bulk:suspend', 'bulk:resume', 'bulk:abort',
  'bulk:undo', 'queues:pause', 'queues:resume', 'schedules:enable', 'schedules:disable', 'schedules:update', 'schedules:run'
])

export function isOfManaged(action: Action): boolean {
  return OF_MANAGED.has(action)
}

/** Whether the action changes something. Writes are refused under `readOnly` and from other sites. */
export function isWrite(action: Action): boolean {
  return !action.endsWith(':view')
}
