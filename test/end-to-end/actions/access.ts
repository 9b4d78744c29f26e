import { declareRoutes } from '../../../lib/dashboard/resources/declare-routes.ts'
import { ACTIONS, isWrite, type Action } from '../../../lib/dashboard/actions.ts'

/** `own` and `other` each see the tasks of one team. Everything in this test belongs to the team of `own`. */
export const PEOPLE = ['nobody', 'viewer', 'operator', 'admin', 'own', 'other', 'reader of a read-only app'] as const
export type Person = (typeof PEOPLE)[number]

/** The outcome depends on the state of the resource. */
export const STATE = null
type Access = readonly [nobody: string, viewer: string, operator: string | null, admin: null, own: null, other: string, reader: string]

const UNSEEN = { task: 'TASK_NOT_FOUND', execution: 'EXECUTION_NOT_FOUND', schedule: 'SCHEDULE_NOT_FOUND' } as const
const everybody = (unseen: string): Access => ['HTTP_401', 'FORBIDDEN', STATE, STATE, STATE, unseen, 'READ_ONLY']
const notOperators = (unseen: string): Access => ['HTTP_401', 'FORBIDDEN', 'FORBIDDEN', STATE, STATE, unseen, 'READ_ONLY']

/** The outcome of each writing route for each of `PEOPLE`. `isAllowed` is the policy of the host that leads to this. */
export const ACCESS: Readonly<Record<string, Access>> = {
  'POST /api/tasks/:name/run': everybody(UNSEEN.task),
  'POST /api/executions/:id/retry': everybody(UNSEEN.execution),
  'POST /api/executions/:id/cancel': everybody(UNSEEN.execution),
  'PATCH /api/executions/:id': everybody(UNSEEN.execution),
  'DELETE /api/executions/:id': notOperators(UNSEEN.execution),
  'POST /api/bulk': everybody('NOTHING_MATCHES'),
  'PUT /api/bulk/:id/suspend': everybody('BULK_NOT_FOUND'),
  'PUT /api/bulk/:id/resume': everybody('BULK_NOT_FOUND'),
  'PUT /api/bulk/:id/abort': everybody('BULK_NOT_FOUND'),
  'PUT /api/bulk/:id/undo': notOperators('BULK_NOT_FOUND'),
  'PUT /api/failures/:group/resolve': everybody('FAILURE_GROUP_NOT_FOUND'),
  'PUT /api/failures/:group/reopen': everybody('FAILURE_GROUP_NOT_FOUND'),
  'POST /api/schedules/cron': notOperators('TASK_NOT_REGISTERED'),
  'POST /api/schedules/interval': notOperators('TASK_NOT_REGISTERED'),
  'PUT /api/schedules/:id/enable': everybody(UNSEEN.schedule),
  'PUT /api/schedules/:id/disable': everybody(UNSEEN.schedule),
  'DELETE /api/schedules/:id': notOperators(UNSEEN.schedule),
  'PATCH /api/schedules/:id': notOperators(UNSEEN.schedule),
  'POST /api/schedules/:id/run': everybody(UNSEEN.schedule),
  'PUT /api/queues/:name/pause': everybody('QUEUE_NOT_FOUND'),
  'PUT /api/queues/:name/resume': everybody('QUEUE_NOT_FOUND'),
  'PUT /api/queues/:name/limits': notOperators('QUEUE_NOT_FOUND')
}

const NOT_FOR_OPERATORS: ReadonlySet<string> = new Set<Action>([
  'executions:delete', 'bulk:undo', 'schedules:create', 'schedules:update', 'schedules:delete', 'queues:limit'
])

export function isAllowed(person: unknown, action: string): boolean {
  if (person === 'viewer') return action.endsWith(':view')
  return person !== 'operator' || !NOT_FOR_OPERATORS.has(action)
}

/** The action of each writing route, taken from the route declarations. */
export function actionsOfWrites(): ReadonlyMap<string, Action> {
  const found = new Map<string, Action>()
  declareRoutes({
    route({ method, url, config }) {
      const { action } = config as unknown as { action: Action }
      if (isWrite(action)) found.set(`${String(method)} ${url}`, action)
    }
  })
  return found
}

export const WRITING_ACTIONS = ACTIONS.filter(isWrite)

export const STATUS_OF: Readonly<Record<string, number>> = {
  HTTP_401: 401, FORBIDDEN: 403, READ_ONLY: 403,
  TASK_NOT_FOUND: 404, EXECUTION_NOT_FOUND: 404, SCHEDULE_NOT_FOUND: 404, QUEUE_NOT_FOUND: 404, FAILURE_GROUP_NOT_FOUND: 404,
  BULK_NOT_FOUND: 404, EXECUTION_DELETED: 410, TASK_NOT_REGISTERED: 400,
  NOT_RETRYABLE: 409, NOT_CANCELLABLE: 409, NOT_CHANGEABLE: 409, NOT_DELETABLE: 409, ALREADY_RETRIED: 409, FAILED_AGAIN: 409,
  NOTHING_MATCHES: 409, BULK_DRIFTED: 409, BULK_STATE: 409, CONFLICT: 409
}
