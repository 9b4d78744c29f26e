import { format } from 'node:util'

/**
 * Every error this package throws: code, message, status, and the status in the dashboard's API if it differs. An invalid call is the
 * caller's mistake. In the API the caller is the client, so the status is 400. In a host's own route the caller is the host. Fastify
 * answers with the `statusCode` of an uncaught error, so 500 avoids blaming the host's client. `docs/errors.md` has one section per code; a
 * test checks that. `%s` is filled in by position. Messages say what to do. They never contain internal addresses or the text of a
 * datastore.
 */
const table = {
  // Construction and start: programming and configuration.
  INVALID_OPTIONS: ['Invalid options: %s', 500],
  UNKNOWN_URL_SCHEME: ['Unknown URL scheme "%s" for the %s: use %s', 500],
  MISSING_PACKAGE: ['The URL scheme "%s" needs the package "%s": npm install %s', 500],
  STORE_UNREACHABLE: ['The %s at %s cannot be reached: %s', 503],
  STORE_UNSUITABLE: ['The %s at %s cannot be used: %s', 500],
  EMBEDDED_FOLDER_IN_USE: [
    'The embedded store in "%s" is in use by process %s. Only one process can open it: stop the other one, or use redis: or postgres: to ' +
      'share a queue',
    500
  ],
  EMBEDDED_STORE_LOST: ['The database of the embedded store at %s ended (%s). %s', 503],
  EMBEDDED_WITHOUT_THREAD: [
    'The embedded store at %s runs in the main thread and blocks everything else in this process while it works: %s', 500
  ],
  NAMESPACE_SHARED: [
    'Two applications use the namespace "%s" of one broker, and each runs executions of the other: %s. Give each its own namespace, or ' +
      'give both the same appName if they are one application',
    500
  ],
  INVALID_TASK: ['Task "%s": %s', 500],
  DUPLICATE_TASK: ['Task "%s" is already registered in this queue app', 500],
  DUPLICATE_EXECUTION: [
    '%s of %s not enqueued: other executions hold the same deduplication keys, and `duplicateOf` has their ids', 409
  ],
  TASK_NOT_REGISTERED: [
    'Task "%s" is not registered: register it with queueApp.task(), declare it with the option tasks of QueueApp.fromUrls(), ' +
      'or start a process that does',
    500, 400
  ],
  OBSERVED_ONLY: ['This queue app does not change existing queues in this way: %s', 409],
  NOT_STARTED: ['The queue app is not started: await start() first', 503],
  ALREADY_STOPPED: ['The queue app was stopped and cannot be used again: create a new one with QueueApp.fromUrls()', 503],
  INVALID_SCHEDULE: ['Invalid schedule: %s', 500, 400],
  INVALID_CRON: ['Invalid cron expression "%s": %s', 500, 400],
  SCHEDULE_WITHOUT_TASK: [
    'There are schedules for %s, which no process registers. Runs are missed until one does. Correct the name in the schedule, ' +
      'delete the schedule, or start a process that registers the task',
    500
  ],
  INVALID_ARGUMENTS: ['Invalid arguments: %s', 500, 400],

  // Running an execution: the error type in its record.
  EXECUTION_TIMEOUT: ['The handler ran longer than %s ms', 500],
  EXECUTION_ABORTED: ['The process is stopping; the execution goes back to its queue', 503],
  EXECUTION_CANCELLED: ['The execution was cancelled', 409],
  EXECUTION_LOST: ['Its process died or lost the broker too often, so the execution is not retried', 500],
  FOREIGN_JOB: [
    'The job "%s" was not added by enqueue() or a schedule, or its data was changed later. It has no valid arguments for this task, so ' +
      'the handler was not called',
    500
  ],
  NO_CURRENT_EXECUTION: ['currentExecution() was called outside of a task handler', 500],

  // HTTP.
  INVALID_INPUT: ['%s', 400],
  INVALID_SEARCH: ['Invalid search: %s', 400],
  INVALID_CURSOR: ['The cursor is invalid: leave it out to start from the first page', 400],
  UNAUTHENTICATED: ['Sign in with the user name and password of this dashboard', 401],
  SIGNED_OUT: ['You are not signed in', 401],
  NOT_LOCAL: [
    'This dashboard answers only local requests until you configure access. Set one of these options: auth: { username, password }; ' +
      'authorize(request, action, resource); or access: "host" if the host application guards these routes',
    403
  ],
  ACCESS_NOT_CONFIGURED: [
    'This dashboard refuses every request until you configure access, because NODE_ENV is production. Set one of these options: ' +
      'auth: { username, password }; authorize(request, action, resource); access: "host" if the host application guards these routes; ' +
      'access: "local" to allow only requests from the same machine',
    403
  ],
  TOO_MANY_SIGN_INS: ['Too many wrong passwords from this address; try again in %s seconds', 429],
  TOO_MANY_WRITES: ['Too many writes; try again in %s seconds', 429],
  FORBIDDEN: ['You may not do this (%s)', 403],
  AUTHORIZE_FAILED: ['The access check for this action (%s) failed. The reason is in the server\'s log under request id %s', 500],
  IDENTIFY_FAILED: [
    'The server could not identify you, so nothing was changed. The reason is in the server\'s log under request id %s', 500
  ],
  SCOPE_FAILED: ['The server could not decide what you may see. The reason is in the server\'s log under request id %s', 500],
  READ_ONLY: ['This dashboard is read-only (%s)', 403],
  REASON_REQUIRED: ['This action (%s) needs a reason: send it in the header Audit-Reason', 400],
  CROSS_SITE_WRITE: ['Writes are accepted from this dashboard\'s own pages and from programs, not from other sites', 403],
  NOT_FOUND: ['There is nothing at this address', 404],
  QUEUE_NOT_FOUND: ['There is no queue named "%s", and no task of that name', 404],
  TASK_NOT_FOUND: ['There is no task named "%s"', 404],
  SCHEDULE_NOT_FOUND: ['There is no schedule with the id "%s"', 404],
  EXECUTION_NOT_FOUND: ['There is no execution with the id "%s"', 404],
  EXECUTION_DELETED: ['The execution "%s" was deleted from the history', 410],
  EXECUTION_PRUNED: ['The execution "%s" is no longer kept: retention has removed executions that finished up to %s', 410],
  FAILURE_GROUP_NOT_FOUND: ['There is no failure group "%s"', 404],
  BULK_NOT_FOUND: ['There is no bulk operation with the id "%s": it never existed, or is older than 7 days', 404],
  BULK_DRIFTED: ['The filter now matches a different number: %s. Nothing was started. Send `token` from this answer to start it', 409],
  NOTHING_MATCHES: ['Nothing matches now, so nothing was started', 409],
  BULK_STATE: ['This bulk operation is %s: it cannot be %s', 409],
  BULK_FULL: ['%s. Wait until one has ended or expired, or abort one', 409],
  FAILURE_GROUP_DECIDED: ['Someone else resolved or reopened this failure group in the meantime', 409],
  FAILED_AGAIN: ['This failure group failed again at %s: it is not resolved', 409],
  METHOD_NOT_ALLOWED: ['This address does not accept %s; it accepts %s', 405],
  CONFLICT: ['%s', 409],
  NOT_RETRYABLE: ['This execution is %s: only a failed one can be retried', 409],
  NOT_CANCELLABLE: ['This execution is %s: only a pending or running one can be cancelled', 409],
  NOT_DELETABLE: ['This execution is %s: only a finished one can be deleted. Cancel it first', 409],
  NOT_CHANGEABLE: ['This execution is %s: only a pending one can be changed', 409],
  ALREADY_RETRIED: ['This execution was already retried. Its retry is the execution "%s"', 409],
  ARGUMENTS_NOT_KEPT: ['%s. Send the arguments with the retry (`args`)', 409],
  IDEMPOTENCY_KEY_REUSED: [
    'This Idempotency-Key was used for a request with another address, body or caller. Send a new key with a new request', 409
  ],
  IDEMPOTENCY_KEY_IN_PROGRESS: ['The first request with this Idempotency-Key is still in progress; repeat it in a second', 409],
  BODY_TOO_LARGE: ['The body is larger than %s bytes', 413],
  URI_TOO_LONG: ['The address is too long', 414],
  NOT_JSON: ['Send a JSON body with content-type: application/json', 415],
  TOO_MANY_IDEMPOTENCY_KEYS: [
    'Too many Idempotency-Keys are stored; each expires 24 hours after its request. Send the request without a key, or wait',
    429
  ],
  INTERFACE_MISSING: [
    'The interface files are missing, which happens in a bundle. The API works. Copy ' +
      'node_modules/fastify-task-dashboard/ui-dist and set interfaceFolder to the copy, or leave fastify-task-dashboard ' +
      'out of the bundle ("external")',
    501
  ],
  INTERNAL: ['This is a bug in the dashboard. The server\'s log has the error under request id %s', 500],
  BROKER_UNAVAILABLE: ['The broker cannot be reached at the moment; try again in a few seconds', 503],
  STORE_REFUSED: ['The %s refused the request, and waiting does not help: %s. %s', 500],
  UNCONFIRMED: [
    'The write was not confirmed in time: it may have happened, or may still happen. Check before you repeat it, or repeat the same ' +
      'request (a POST with the same Idempotency-Key)',
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
  /** The position of the fault in the text that `pointer` names, in UTF-16 code units from 0. */
  readonly position?: number
}

interface ErrorDetails {
  cause?: unknown
  errors?: readonly InputFault[]
  enqueuedIds?: readonly string[]
  duplicateOf?: readonly string[]
  unconfirmedIds?: readonly string[]
  executionId?: string
  drift?: BulkDrift
  retryAfterSeconds?: number
}

/** What a bulk action would do now, and a token that accepts it. */
export interface BulkDrift {
  readonly count: { readonly value: number; readonly relation: 'exact' | 'at_least' }
  readonly token: string
}

/** An error of this package. */
export class TaskDashboardError extends Error {
  override readonly name = 'TaskDashboardError'
  readonly code: ErrorCode
  /**
   * The status Fastify answers with if the error is not caught. For some invalid calls it is 500, while the dashboard's API answers 400.
   */
  readonly statusCode: number
  /** The faults of invalid input, one per field. */
  declare readonly errors?: readonly InputFault[]
  /** From `enqueue` and `enqueueMany`: ids of the executions added before the failure. */
  declare readonly enqueuedIds?: readonly string[]
  /** From `enqueue` and `enqueueMany`, with the code DUPLICATE_EXECUTION: ids of the executions that hold the keys. */
  declare readonly duplicateOf?: readonly string[]
  /** From `enqueue` and `enqueueMany`, with the code UNCONFIRMED: ids of the executions that may have been added. */
  declare readonly unconfirmedIds?: readonly string[]
  /** From `operations.retryExecution`, with the code ALREADY_RETRIED: the id of the retry. */
  declare readonly executionId?: string
  /** From `operations.bulk.create`, with the code BULK_DRIFTED. */
  declare readonly drift?: BulkDrift
  /** Seconds after which the same request may succeed, from 1, if that is known. The dashboard sends it as `Retry-After`. */
  declare readonly retryAfterSeconds?: number

  constructor(
    code: ErrorCode, message: string,
    { cause, errors, enqueuedIds, duplicateOf, unconfirmedIds, executionId, drift, retryAfterSeconds }: ErrorDetails = {}
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.statusCode = table[code][1]
    if (errors) this.errors = errors
    if (enqueuedIds) this.enqueuedIds = enqueuedIds
    if (duplicateOf) this.duplicateOf = duplicateOf
    if (unconfirmedIds) this.unconfirmedIds = unconfirmedIds
    if (executionId !== undefined) this.executionId = executionId
    if (drift !== undefined) this.drift = drift
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Creates an error from the table.
 * @param code a code from the table
 * @param values replace the `%s` in its message, in order
 * @param details `cause` for the log (never sent), `errors` for the fields of invalid input, `enqueuedIds` and `unconfirmedIds` for
 *   executions that were, or may have been, added
 */
export function createTaskDashboardError(code: ErrorCode, values: readonly unknown[] = [], details: ErrorDetails = {}): TaskDashboardError {
  return new TaskDashboardError(code, format(table[code][0], ...values), details)
}

/** INVALID_INPUT for one field. `pointer` is its JSON Pointer (RFC 6901); the message continues after its name. */
export function invalidInput(pointer: string, message: string): TaskDashboardError {
  return createTaskDashboardError('INVALID_INPUT', [`${pointer.slice(1)} ${message}`], { errors: [{ pointer, message }] })
}

/**
 * Why the history no longer has an execution: someone deleted it, or retention removed it. In the second case, `prunedBefore` is the
 * latest finish time that retention has removed, in milliseconds since the epoch.
 */
export type ExecutionRemoval = 'deleted' | { readonly prunedBefore: number }

/** The error for an execution that never existed or is no longer kept. */
export function createMissingExecutionError(executionId: string, removal: ExecutionRemoval | null): TaskDashboardError {
  if (removal === null) return createTaskDashboardError('EXECUTION_NOT_FOUND', [executionId])
  return removal === 'deleted'
    ? createTaskDashboardError('EXECUTION_DELETED', [executionId])
    : createTaskDashboardError('EXECUTION_PRUNED', [executionId, new Date(removal.prunedBefore).toISOString()])
}

export function isTaskDashboardError(error: unknown): error is TaskDashboardError {
  return error instanceof TaskDashboardError
}

/** The message template of a code and its statuses, for documentation and its test. */
export function describeError(code: ErrorCode): { message: string; statusCode: number; apiStatus: number } {
  const [message, statusCode] = table[code]
  return { message, statusCode, apiStatus: apiStatusOf(code) }
}

/** The status in the dashboard's API. */
export function apiStatusOf(code: ErrorCode): number {
  const [, statusCode, apiStatus = statusCode] = table[code] as readonly [string, number, number?]
  return apiStatus
}
