import { FAILED_ARGS_BYTES } from '../backend/entry/limits.ts'
import { RETENTION_COUNT, RETENTION_DAYS, type RetentionSettings } from '../backend/retention-policy.ts'
import { createTaskDashboardError } from '../errors.ts'
import { isObject } from '../json/is-object.ts'
import { withoutCommand } from '../stores/redis/clients/without-command.ts'
import type { PostgresConnection, RedisConnection, StoreSource } from '../stores/source/store-source.ts'
import type { AnyTasks, TaskName } from '../task-map.ts'
import { isUnset, unsetProblems } from '../input/unset-problems.ts'
import { describeErrors } from './describe-errors.ts'
import type { ObservationOptions, QueuesToObserve } from './observing/queues-source.ts'
import { redactProblems, type RedactOptions } from './redaction/redaction.ts'
import { taskNameProblem, taskOptionProblems, type TaskOptions } from './tasks/task.ts'
import { STOP_GRACE_MS } from '../time/budgets.ts'
import { HOUR_MS } from '../time/units.ts'

export type { PostgresConnection, RedisConnection, StoreSource }

/**
 * `broker`, `backend`, `namespace` and `redact` must not be undefined, null or empty, because their defaults would do harm. Leave them out
 * to get the default.
 */
export interface QueueAppOptions<Tasks = AnyTasks> extends ObservationOptions {
  /**
   * Where executions wait: `redis:` `rediss:` `valkey:` `valkeys:` `redis-sentinel:` `rediss-sentinel:` `unix:` · `postgres:` `postgresql:`
   * · `embedded:` (memory) or `embedded:./folder` (kept on disk). Or an object for settings that a URL cannot express: see
   * `docs/your-store.md`. Default `embedded:`.
   */
  broker?: StoreSource
  /** Where the history of executions is kept, in the same forms. Default: the broker's store. */
  backend?: StoreSource
  /**
   * Keeps several queue apps apart in one datastore: 1 to 40 of a-z, 0-9 and `_`, not starting with a digit. Default `tasks`.
   */
  namespace?: string
  /**
   * Name of the application that this process belongs to, 1 to 100 characters, the same in all its processes. With it, `onError` and health
   * always notice two applications that share a namespace by accident. Default: derived from package.json, see `docs/configuration.md`.
   */
  appName?: string
  /**
   * Tasks by name, with their settings: `{ 'email:send': { retries: 3 } }`. You can enqueue and schedule a declared task before any worker
   * has started; the dashboard lists it with 0 workers. `task()` uses these settings for options it leaves out. With a map of tasks, every
   * name must be declared. Default none.
   */
  tasks?: TaskDeclarations<Tasks>
  /** Milliseconds that `stop()` waits for running executions before it hands them back to their queue, 0 to 3,600,000. Default 10,000. */
  stopGraceMs?: number
  /**
   * How much history is kept. For each status, the last `days` and at most `count` executions; the tighter limit applies. All-time counters
   * and charts are not affected. Defaults: Redis success 7 days and 1,000,000, failed 30 and 200,000; PostgreSQL success 30 and 10,000,000,
   * failed 90 and 1,000,000; embedded success 7 and 100,000, failed 30 and 50,000. `audit` limits the audit log: 365 days, and 20,000
   * entries (PostgreSQL 100,000). `failed.argsBytes` is the size up to which arguments of failed executions are kept whole, for a later
   * retry: 65,536 to 524,288 bytes as JSON, default 65,536.
   */
  retention?: RetentionSettings
  /** What is removed from arguments, results, errors, logs and progress before they are recorded or shown. Default: nothing. */
  redact?: RedactOptions
  /**
   * Existing queues that other BullMQ code fills and works on, shown beside the tasks of this app. Pass BullMQ queues, or servers on which
   * to find them, as for `QueueApp.fromQueues`. `names`, `manage` and `onLook` apply to these queues. Their history is kept in `backend`.
   * Default: none.
   */
  queues?: QueuesToObserve
  /**
   * Receives errors of background work, where no call can reject. Default: `process.emitWarning`, at most once a minute for each message.
   */
  onError?: (error: Error) => void
}

/** The settings of each task in a map of tasks; `{}` takes the defaults. */
export type TaskDeclarations<Tasks = AnyTasks> = { readonly [Name in TaskName<Tasks>]: TaskOptions }

export type ResolvedQueueAppOptions =
  Readonly<Required<Omit<OwnOptions, 'appName'>>> & { readonly appName: string | null }

const APP_NAME = /^[^\p{C}]{1,100}$/u

const UNSET = {
  broker: 'the embedded store, which is kept in memory and by this process alone',
  backend: 'the store of the broker',
  namespace: 'the namespace "tasks"',
  redact: 'no redaction'
} as const satisfies { readonly [Option in keyof QueueAppOptions]?: string }

/** The options without those about existing queues. */
type OwnOptions = Omit<QueueAppOptions, 'queues' | keyof ObservationOptions>

/**
 * Checks the options, except those about existing queues, and fills in defaults. Throws INVALID_OPTIONS with every problem in one message.
 * The stores check their URLs.
 */
export function resolveQueueAppOptions(options: OwnOptions = {}): ResolvedQueueAppOptions {
  if (!isObject(options)) throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const { broker = 'embedded:', backend = broker, namespace = 'tasks', appName, tasks = {}, ...others } = options
  const { stopGraceMs = STOP_GRACE_MS, retention = {}, redact = {}, onError = createWarner(), ...rest } = others
  const problems = [
    ...Object.keys(rest).map(key => `${key} is not an option`),
    ...unsetProblems(options, UNSET).values(),
    !isUnset(broker) && !isSource(broker) && 'broker must be a URL as a string, or an object',
    !isUnset(options.backend) && !isSource(backend) && 'backend must be a URL as a string, or an object',
    !isUnset(namespace) && (typeof namespace !== 'string' || !/^[a-z_][a-z0-9_]{0,39}$/.test(namespace)) &&
      'namespace must be 1 to 40 of a-z, 0-9 and _, not starting with a digit',
    appName !== undefined && !(typeof appName === 'string' && APP_NAME.test(appName)) && 'appName must be 1 to 100 printable characters',
    ...declarationProblems(tasks),
    !(Number.isInteger(stopGraceMs) && stopGraceMs >= 0 && stopGraceMs <= HOUR_MS) && 'stopGraceMs must be an integer from 0 to 3600000',
    ...retentionProblems(retention),
    ...isUnset(redact) ? [] : redactProblems(redact),
    typeof onError !== 'function' && 'onError must be a function'
  ].filter(problem => problem !== false)
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  return Object.freeze({
    broker, backend, namespace, appName: appName ?? null, tasks: { ...tasks }, stopGraceMs, retention, redact, onError: reportTo(onError)
  })
}

/** Errors are reported from timers and listeners, where an `onError` that throws or rejects would crash the process. */
function reportTo(onError: (error: Error) => unknown): (error: Error) => void {
  const warn = createWarner()
  const failed = (cause: unknown): void => warn(new Error('onError failed', { cause }))
  return error => {
    try {
      const returned = onError(withoutCommand(error))
      if (typeof returned === 'object' && returned !== null && 'then' in returned) Promise.resolve(returned).catch(failed)
    } catch (cause) {
      failed(cause)
    }
  }
}

function declarationProblems(tasks: unknown): string[] {
  if (!isObject(tasks)) return ['tasks must be an object that maps task names to options']
  return Object.entries(tasks).flatMap(([name, options]) => {
    const nameProblem = taskNameProblem(name)
    return [
      ...nameProblem === null ? [] : [nameProblem], ...taskOptionProblems(options)
    ].map(problem => `tasks[${JSON.stringify(name.slice(0, 120))}]: ${problem}`)
  })
}

function retentionProblems(retention: unknown): string[] {
  if (!isObject(retention)) return ['retention must be an object']
  return Object.entries(retention).flatMap(([status, setting]) => {
    if (status !== 'success' && status !== 'failed' && status !== 'audit') return [`retention.${status} is not an option`]
    if (setting === undefined) return []
    if (!isObject(setting)) return [`retention.${status} must be an object`]
    const { days, count, ...others } = setting
    const { argsBytes, ...unknownOfFailed } = others
    const rest = status === 'failed' ? unknownOfFailed : others
    return [
      ...Object.keys(rest).map(key => `retention.${status}.${key} is not an option`),
      ...isWithin(days, RETENTION_DAYS)
        ? []
        : [`retention.${status}.days must be a number from ${RETENTION_DAYS.min} to ${RETENTION_DAYS.max}`],
      ...isWithin(count, RETENTION_COUNT) && (count === undefined || Number.isInteger(count))
        ? []
        : [`retention.${status}.count must be an integer from ${RETENTION_COUNT.min} to ${RETENTION_COUNT.max}`],
      ...status !== 'failed' || isWithin(argsBytes, FAILED_ARGS_BYTES) && (argsBytes === undefined || Number.isInteger(argsBytes))
        ? []
        : [`retention.failed.argsBytes must be an integer from ${FAILED_ARGS_BYTES.min} to ${FAILED_ARGS_BYTES.max}`]
    ]
  })
}

function isSource(source: unknown): boolean {
  return typeof source === 'string' || isObject(source)
}

function isWithin(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return value === undefined || typeof value === 'number' && value >= min && value <= max
}

function createWarner(): (error: Error) => void {
  return describeErrors((sentence, error) => {
    process.emitWarning(sentence, { type: 'TaskDashboardWarning', code: 'code' in error ? String(error.code) : error.name })
  })
}
