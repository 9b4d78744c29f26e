import { TASK_NAME_MAX_LENGTH, TASK_NAME_PATTERN } from '../../schemas/limits.ts'
import { fixedDelay, type Backoff } from '../backoff.ts'
import { createTaskDashboardError } from '../errors.ts'
import { ownFile } from '../own-file.ts'
import { cpuModuleProblem } from './cpu-module.ts'
import { rateLimitProblems, type RateLimit } from './rate-limit.ts'
import { DELAY_OPTIONS, retryProblems, toBackoff, type TaskRetryOptions } from './retry-options.ts'

/** A handler is called with the positional arguments as they were enqueued. */
export type TaskHandler<Args extends readonly unknown[] = readonly unknown[], Result = unknown> = (...args: Args) => Result | Promise<Result>

/** Task names and the signatures of their handlers, to have `enqueue` by name checked at compile time. */
export type TaskMap = Record<string, (...args: never[]) => unknown>
/** Without a map of its own a queue app takes any name with any arguments; a `Task` is checked all the same. */
export type AnyTasks = Record<string, (...args: unknown[]) => unknown>

/** What `queueApp.task()` returns: pass it to `enqueue`, which then refuses wrong arguments at compile time. */
export interface Task<Args extends readonly unknown[] = readonly unknown[], Result = unknown> {
  readonly name: string
  readonly options: TaskSettings
  /** Only for the compiler: never set. */
  readonly signature?: (...args: Args) => Result
}

export interface TaskOptions extends TaskRetryOptions {
  /** `io` (default) runs on the event loop, `cpu` in a process of its own; a `cpu` handler is the URL of a module whose default export is the handler. */
  type?: 'io' | 'cpu'
  /** Milliseconds after which an attempt fails and its signal aborts, 1 to 86,400,000. Default none. */
  timeoutMs?: number
  /** Executions at the same time in this process, 1 to 1,000. Default 10 for `io`, 1 for `cpu`. */
  concurrency?: number
  /** How many attempts start in some time, over all processes. Default: no limit. */
  rateLimit?: RateLimit
  /** Shown in the dashboard, at most 1,000 characters. */
  description?: string
}

/** TaskOptions with every default filled in. */
export interface TaskSettings {
  readonly type: 'io' | 'cpu'
  readonly retries: number
  readonly backoff: Backoff
  readonly timeoutMs: number | null
  readonly concurrency: number
  readonly rateLimit: RateLimit | null
  readonly description: string | null
}

/** A task of this process. */
export interface RegisteredTask {
  readonly name: string
  readonly settings: TaskSettings
  readonly handler: TaskHandler | URL
}

/** Checks a name, a handler and options. Throws INVALID_TASK with the first problem. */
export function createRegisteredTask(name: string, handler: unknown, options: TaskOptions = {}): RegisteredTask {
  assertTaskName(name)
  if (typeof options !== 'object' || options === null) throw invalid(name, 'options must be an object')
  const unknown = Object.keys(options).filter(key => !KNOWN_OPTIONS.has(key))
  if (unknown.length > 0) throw invalid(name, `unknown option ${unknown.join(', ')}`)
  const type = options.type ?? 'io'
  if (type !== 'io' && type !== 'cpu') throw invalid(name, 'type must be "io" or "cpu"')
  if (options.description !== undefined && (typeof options.description !== 'string' || options.description.length > 1000)) {
    throw invalid(name, 'description must be a string of at most 1,000 characters')
  }
  const problems = [...retryProblems(options), ...rateLimitProblems(options.rateLimit)]
  if (problems.length > 0) throw invalid(name, problems.join('; '))
  const settings: TaskSettings = Object.freeze({
    type,
    retries: options.retries ?? 0,
    backoff: toBackoff(options) ?? fixedDelay(0),
    timeoutMs: options.timeoutMs === undefined ? null : integerIn(name, 'timeoutMs', options.timeoutMs, 1, 86_400_000),
    concurrency: integerIn(name, 'concurrency', options.concurrency ?? (type === 'cpu' ? 1 : 10), 1, 1000),
    rateLimit: options.rateLimit === undefined ? null : { max: options.rateLimit.max, durationMs: options.rateLimit.durationMs },
    description: options.description ?? null
  })
  return { name, settings, handler: toHandler(name, type, handler) }
}

/** Throws INVALID_TASK. */
export function assertTaskName(name: unknown): asserts name is string {
  if (typeof name !== 'string') throw invalid(String(name), 'the name must be a string')
  // Of a long text nobody counts the characters.
  const length = name.length > 2 * TASK_NAME_MAX_LENGTH ? Infinity : [...name].length
  if (length < 1 || length > TASK_NAME_MAX_LENGTH) throw invalid(name.slice(0, 120), `the name must have 1 to ${TASK_NAME_MAX_LENGTH} characters`)
  if (!PRINTABLE_NAME.test(name)) throw invalid(JSON.stringify(name), 'the name has characters that cannot be printed')
  // A client's URL parser removes such a path segment, however it is encoded.
  if (name === '.' || name === '..') throw invalid(name, 'the name cannot be "." or "..", which no address can carry')
}

/** What tells a handler in a process of its own which execution it runs. */
export const CONTEXT_FILE = 'queue-app/current-execution'

const KNOWN_OPTIONS = new Set(['type', 'retries', ...DELAY_OPTIONS, 'timeoutMs', 'concurrency', 'rateLimit', 'description'])

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

function toHandler(name: string, type: 'io' | 'cpu', handler: unknown): TaskHandler | URL {
  if (type === 'cpu') {
    if (handler instanceof URL && handler.protocol === 'file:') {
      if (ownFile(CONTEXT_FILE) !== null) {
        const problem = cpuModuleProblem(handler)
        if (problem === null) return handler
        throw invalid(name, problem)
      }
      throw invalid(name, 'a cpu task runs in a process of its own, and the files for it are not beside the code, as in a bundle: leave fastify-task-dashboard out of the bundle ("external")')
    }
    throw invalid(name, 'a cpu task runs in a process of its own: pass the file URL of a module whose default export is the handler, new URL("./handler.js", import.meta.url)')
  }
  if (typeof handler === 'function') return handler as TaskHandler
  throw invalid(name, 'the handler must be a function (a module URL is for tasks of type "cpu")')
}

function integerIn(task: string, option: string, value: unknown, minimum: number, maximum: number): number {
  if (!Number.isInteger(value)) throw invalid(task, `${option} must be an integer`)
  return numberIn(task, option, value, minimum, maximum)
}

function numberIn(task: string, option: string, value: unknown, minimum: number, maximum: number): number {
  if (typeof value !== 'number' || !(value >= minimum && value <= maximum)) throw invalid(task, `${option} must be from ${minimum} to ${maximum}`)
  return value
}

function invalid(name: string, reason: string) {
  return createTaskDashboardError('INVALID_TASK', [name, reason])
}
