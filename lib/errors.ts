import { format } from 'node:util'

/**
 * Every error this package throws: code, message, status; and the status that the dashboard's API answers with, where that is another
 * one. A wrong call is the mistake of whoever made it. In the API that is the client, so it is 400. In a host's own route it is the host:
 * Fastify answers with the `statusCode` of an error that nobody caught, and must not blame the host's client. `docs/errors.md` has one
 * section a code, checked by a test.
 * `%s` is filled in by position. Messages say what to do and never carry an internal address or the text of a datastore.
 */
const table = {
  // Construction and start: programming and configuration.
  INVALID_OPTIONS: ['Invalid options: %s', 500],
  UNKNOWN_URL_SCHEME: ['Unknown URL scheme "%s" for the %s: use %s', 500],
  MISSING_PACKAGE: ['The URL scheme "%s" needs the package "%s": npm install %s', 500],
  STORE_UNREACHABLE: ['The %s at %s cannot be reached: %s', 503],
  STORE_UNSUITABLE: ['The %s at %s cannot be used: %s', 500],
  EMBEDDED_FOLDER_IN_USE: [
    'The embedded store in "%s" is in use by process %s. One process at a time can open it: stop the other one, or use redis: ' +
      'or postgres: to share a queue',
    500
  ],
  EMBEDDED_STORE_LOST: ['The database of the embedded store at %s ended (%s). %s', 503],
  EMBEDDED_WITHOUT_THREAD: [
    'The database of the embedded store at %s has no thread of its own, and everything else in this process waits while it works: %s', 500
  ],
  NAMESPACE_SHARED: [
    'Two applications use the namespace "%s" of one broker, and each runs what the other enqueues: %s. Give each a namespace of its own, ' +
      'or both the same appName if they are one application',
    500
  ],
  INVALID_TASK: ['Task "%s": %s', 500],
  DUPLICATE_TASK: ['Task "%s" is already registered in this queue app', 500],
  DUPLICATE_EXECUTION: [
    '%s of %s not enqueued, because executions with the same deduplication keys stand: their ids are in `duplicateOf`', 409
  ],
  TASK_NOT_REGISTERED: [
    'Task "%s" is not registered: register it with queueApp.task(), declare it with the option tasks of QueueApp.fromUrls(), ' +
      'or start a process that does',
    500, 400
  ],
  NOT_STARTED: ['The queue app is not started: await start() first', 503],
  ALREADY_STOPPED: ['The queue app was stopped and cannot be used again: build a new one with QueueApp.fromUrls()', 503],
  INVALID_SCHEDULE: ['Invalid schedule: %s', 500, 400],
  INVALID_CRON: ['Invalid cron expression "%s": %s', 500, 400],
  SCHEDULE_WITHOUT_TASK: [
    'No process registers %s, for which there are schedules: their runs are missed until one does. Correct the name where it is ' +
      'scheduled, delete the schedule, or start a process that registers the task',
    500
  ],
  INVALID_ARGUMENTS: ['Invalid arguments: %s', 500, 400],

  // Running an execution: what its record shows as error type.
  EXECUTION_TIMEOUT: ['The handler ran longer than %s ms', 500],
  EXECUTION_ABORTED: ['The process is stopping; the execution goes back to its queue', 503],
  EXECUTION_LOST: ['The processes that ran it died or lost the broker, once too often: it is not tried again', 500],
  FOREIGN_JOB: [
    'The job "%s" was not added by enqueue() or a schedule, or was changed since: it has no arguments that this task could be called ' +
      'with. The handler was not called',
    500
  ],
  NO_CURRENT_EXECUTION: ['currentExecution() was called outside of a task handler', 500],

  // HTTP.
  INVALID_INPUT: ['%s', 400],
  INVALID_SEARCH: ['Invalid search: %s', 400],
  INVALID_CURSOR: ['The cursor is not one of ours: leave it out to start from the first page', 400],
  UNAUTHENTICATED: ['Sign in with the user name and password of this dashboard', 401],
  SIGNED_OUT: ['You are not signed in', 401],
  NOT_LOCAL: [
    'This dashboard answers only local requests until its access is configured. Three ways on: auth: { username, password }; ' +
      'authorize(request, action, resource); or access: "host" when the host application guards these routes itself',
    403
  ],
  ACCESS_NOT_CONFIGURED: [
    'This dashboard answers nobody until its access is configured, because NODE_ENV is production. The ways on: auth: { username, ' +
      'password }; authorize(request, action, resource); access: "host" when the host application guards these routes itself; access: ' +
      '"local" for requests of its own machine alone',
    403
  ],
  FORBIDDEN: ['You may not do this (%s)', 403],
  AUTHORIZE_FAILED: ['Whether you may do this (%s) could not be decided. The reason is in the server\'s log under request id %s', 500],
  IDENTIFY_FAILED: [
    'Who you are could not be found out, so nothing was changed. The reason is in the server\'s log under request id %s', 500
  ],
  READ_ONLY: ['This dashboard is read-only (%s)', 403],
  CROSS_SITE_WRITE: ['Writes are accepted from this dashboard\'s own pages and from programs, not from other sites', 403],
  NOT_FOUND: ['There is nothing at this address', 404],
  TASK_NOT_FOUND: ['There is no task named "%s"', 404],
  SCHEDULE_NOT_FOUND: ['There is no schedule with the id "%s"', 404],
  EXECUTION_NOT_FOUND: ['There is no execution with the id "%s"', 404],
  EXECUTION_PRUNED: ['The execution "%s" is not kept any more: retention has removed executions that finished until %s', 410],
  METHOD_NOT_ALLOWED: ['This address does not take %s; it takes %s', 405],
  CONFLICT: ['%s', 409],
  IDEMPOTENCY_KEY_REUSED: [
    'This Idempotency-Key belongs to another request: another address, body or caller. Send a new key with a new request', 409
  ],
  IDEMPOTENCY_KEY_IN_PROGRESS: ['The first request with this Idempotency-Key is still being carried out; repeat it in a second', 409],
  BODY_TOO_LARGE: ['The body is larger than %s bytes', 413],
  URI_TOO_LONG: ['The address is too long', 414],
  NOT_JSON: ['Send a JSON body with content-type: application/json', 415],
  TOO_MANY_IDEMPOTENCY_KEYS: [
    'As many Idempotency-Keys are kept as may be; they are let go 24 hours after their request. Send the request without a key, or wait',
    429
  ],
  INTERFACE_MISSING: [
    'The files of the interface are not beside the code of the dashboard, as in a bundle; the API works. Copy ' +
      'node_modules/fastify-task-dashboard/ui-dist and set interfaceFolder to the copy, or leave fastify-task-dashboard ' +
      'out of the bundle ("external")',
    501
  ],
  INTERNAL: ['A defect of the dashboard. It is in the server\'s log under request id %s', 500],
  BROKER_UNAVAILABLE: ['The broker cannot be reached at the moment; try again in a few seconds', 503],
  STORE_REFUSED: ['The %s refuses what was asked, and waiting does not help: %s. %s', 500],
  UNCONFIRMED: [
    'It was not confirmed in time: it may have happened, or may yet. Look before you ask again, or repeat the request (a POST ' +
      'with the same Idempotency-Key)',
    503
  ],
  NO_ANSWER: ['The queue app did not answer in time; try again in a few seconds', 503],
  BUSY: ['The server cannot answer at the moment; try again in a few seconds', 503],
  BACKEND_UNAVAILABLE: ['The result backend cannot be reached at the moment; try again in a few seconds', 503]
} as const satisfies Record<string, readonly [message: string, statusCode: number, apiStatus?: number]>

export type ErrorCode = keyof typeof table

/** Every code, in the order of the table. */
export const ERROR_CODES = Object.keys(table) as ErrorCode[]

/** One fault of invalid input. */
export interface InputFault {
  /** A JSON pointer into the body, or the name of a parameter. */
  readonly pointer: string
  readonly message: string
  /** Where in the text that `pointer` names: an offset from 0. */
  readonly position?: number
}

interface ErrorDetails {
  cause?: unknown
  errors?: readonly InputFault[]
  enqueuedIds?: readonly string[]
  duplicateOf?: readonly string[]
  unconfirmedIds?: readonly string[]
}

/** An error of this package. */
export class TaskDashboardError extends Error {
  override readonly name = 'TaskDashboardError'
  readonly code: ErrorCode
  /** What Fastify answers with when nobody catches it. The dashboard's own API answers 400 to some wrong calls, for which this is 500. */
  readonly statusCode: number
  /** Field by field, for invalid input. */
  declare readonly errors?: readonly InputFault[]
  /** Of `enqueue` and `enqueueMany`: the ids of the executions that were added before it failed. */
  declare readonly enqueuedIds?: readonly string[]
  /** Of `enqueue` and `enqueueMany`, with the code DUPLICATE_EXECUTION: the ids of the executions that stand. */
  declare readonly duplicateOf?: readonly string[]
  /** Of `enqueue` and `enqueueMany`, with the code UNCONFIRMED: the ids of the executions that may have been added. */
  declare readonly unconfirmedIds?: readonly string[]

  constructor(code: ErrorCode, message: string, { cause, errors, enqueuedIds, duplicateOf, unconfirmedIds }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.statusCode = table[code][1]
    if (errors) this.errors = errors
    if (enqueuedIds) this.enqueuedIds = enqueuedIds
    if (duplicateOf) this.duplicateOf = duplicateOf
    if (unconfirmedIds) this.unconfirmedIds = unconfirmedIds
  }
}

/**
 * Makes an error of the table.
 * @param code a code of the table
 * @param values fill the `%s` of its message, in order
 * @param details `cause` for the log (never sent), `errors` for the fields of invalid input, `enqueuedIds` and `unconfirmedIds` for what
 * was, or
 *   may have been, done
 */
export function createTaskDashboardError(code: ErrorCode, values: readonly unknown[] = [], details: ErrorDetails = {}): TaskDashboardError {
  return new TaskDashboardError(code, format(table[code][0], ...values), details)
}

export function isTaskDashboardError(error: unknown): error is TaskDashboardError {
  return error instanceof TaskDashboardError
}

/** The message template of a code and its statuses, for documentation and its test. */
export function describeError(code: ErrorCode): { message: string; statusCode: number; apiStatus: number } {
  const [message, statusCode] = table[code]
  return { message, statusCode, apiStatus: apiStatusOf(code) }
}

/** What the dashboard's API answers with. */
export function apiStatusOf(code: ErrorCode): number {
  const [, statusCode, apiStatus = statusCode] = table[code] as readonly [string, number, number?]
  return apiStatus
}
