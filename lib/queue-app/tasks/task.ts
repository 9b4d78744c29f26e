import { MAX_TASK_NAME_LENGTH, TASK_NAME_PATTERN } from '../../../schemas/limits.ts'
import { fixedDelay, type Backoff } from '../../time/backoff.ts'
import { DAY_MS } from '../../time/units.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import { isObject } from '../../json/is-object.ts'
import { ownFile } from '../../own-file.ts'
import type { TaskHandler, TaskReference } from '../../task-reference.ts'
import { cpuModuleProblem } from './cpu-module.ts'
import { rateLimitProblems, type RateLimit } from './rate-limit.ts'
import { DELAY_OPTIONS, retryProblems, toBackoff, type TaskRetryOptions } from './retry-options.ts'

/** A task, as `queueApp.task()` returns it. Pass it to `enqueue`, so that wrong arguments do not compile. */
export interface Task<Args extends readonly unknown[] = readonly unknown[], Result = unknown> extends TaskReference<Args, Result> {
  readonly options: TaskSettings
}

export interface TaskOptions extends TaskRetryOptions {
  /**
   * `io` (default) runs on the event loop, `cpu` in its own process. For `cpu`, pass the file URL of a module whose default export is the
   * handler.
   */
  type?: 'io' | 'cpu'
  /** Milliseconds after which an attempt fails and its signal aborts, 1 to 86,400,000. Default none. */
  timeoutMs?: number
  /** Executions at the same time in this process, 1 to 1,000. Default 10 for `io`, 1 for `cpu`. */
  concurrency?: number
  /** Limits how many attempts start in a period, across all processes. Default: no limit. */
  rateLimit?: RateLimit
  /** Shown in the dashboard, at most 1,000 characters. Default none. */
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

/** A task without a handler, because another process runs it. */
export interface DeclaredTask {
  readonly name: string
  readonly settings: TaskSettings
}

/** A task of this process. */
export interface RegisteredTask extends DeclaredTask {
  readonly handler: TaskHandler | URL
}

/**
 * Checks a name, a handler and options.
 * @param declared the options of this name in the option `tasks`; they apply where `options` leaves one out
 * @throws INVALID_TASK with every problem
 */
export function createRegisteredTask(
  name: string, handler: unknown, options: TaskOptions = {}, declared: TaskOptions = {}
): RegisteredTask {
  const merged = isObject(options) ? mergeOptions(declared, options) : {}
  const type = merged.type === 'cpu' ? 'cpu' : 'io'
  const problems = [
    taskNameProblem(name),
    !isObject(options) && 'options must be an object',
    ...taskOptionProblems(merged),
    handlerProblem(type, handler)
  ].filter(problem => typeof problem === 'string')
  if (problems.length > 0) throw createTaskDashboardError('INVALID_TASK', [shown(name), problems.join('; ')])
  return { name, settings: toTaskSettings(merged), handler: handler as TaskHandler | URL }
}

/** Fills in the defaults of checked options. */
export function toTaskSettings(options: TaskOptions): TaskSettings {
  const { type = 'io', timeoutMs = null, concurrency = type === 'cpu' ? 1 : 10, rateLimit, description = null } = options
  return Object.freeze({
    type,
    retries: options.retries ?? 0,
    backoff: toBackoff(options) ?? fixedDelay(0),
    timeoutMs,
    concurrency,
    rateLimit: rateLimit === undefined ? null : { max: rateLimit.max, durationMs: rateLimit.durationMs },
    description
  })
}

/** Every problem with the options of a task, each a sentence without a full stop. */
export function taskOptionProblems(options: unknown): string[] {
  if (!isObject(options)) return ['options must be an object']
  const { type, retries, retryDelay, retryDelayMs, backoff, timeoutMs, concurrency, rateLimit, description, ...rest } = options
  const unknown = Object.keys(rest)
  return [
    unknown.length > 0 && `unknown option ${unknown.join(', ')}`,
    type !== undefined && type !== 'io' && type !== 'cpu' && 'type must be "io" or "cpu"',
    ...retryProblems({ retries, retryDelay, retryDelayMs, backoff }),
    integerProblem('timeoutMs', timeoutMs, 1, DAY_MS),
    integerProblem('concurrency', concurrency, 1, 1000),
    ...rateLimitProblems(rateLimit),
    description !== undefined && (typeof description !== 'string' || description.length > 1000) &&
      'description must be a string of at most 1,000 characters'
  ].filter(problem => typeof problem === 'string')
}

/** The problem with the name of a task, or null. */
export function taskNameProblem(name: unknown): string | null {
  if (typeof name !== 'string') return 'the name must be a string'
  if (name === '' || !hasAtMost(name, MAX_TASK_NAME_LENGTH)) return `the name must have 1 to ${MAX_TASK_NAME_LENGTH} characters`
  if (!PRINTABLE_NAME.test(name)) return 'the name has unprintable characters'
  // URL parsers of clients remove such a path segment, even if it is encoded.
  return name === '.' || name === '..' ? 'the name cannot be "." or "..", because URLs drop such a segment' : null
}

/** Provides the current execution to a handler in a separate process. */
export const CONTEXT_FILE = 'queue-app/tasks/current-execution'

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')
const MAX_SHOWN_LENGTH = 120

function handlerProblem(type: 'io' | 'cpu', handler: unknown): string | null {
  if (type === 'io')
    return typeof handler === 'function' ? null : 'the handler must be a function (a module URL is for tasks of type "cpu")'
  if (!(handler instanceof URL) || handler.protocol !== 'file:') {
    return 'a cpu task runs in its own process: pass the file URL of a module whose default export is the handler, new ' +
      'URL("./handler.js", import.meta.url)'
  }
  if (ownFile(CONTEXT_FILE) !== null) return cpuModuleProblem(handler)
  return 'a cpu task runs in its own process, and the files for that are missing: leave fastify-task-dashboard out of the bundle ' +
    '("external"), and if a tool copied only some of its files, copy all'
}

function integerProblem(option: string, value: unknown, minimum: number, maximum: number): string | null {
  if (value !== undefined && !Number.isInteger(value)) return `${option} must be an integer`
  return numberProblem(option, value, minimum, maximum)
}

function numberProblem(option: string, value: unknown, minimum: number, maximum: number): string | null {
  if (value === undefined || (typeof value === 'number' && value >= minimum && value <= maximum)) return null
  return `${option} must be from ${minimum} to ${maximum}`
}

/** A name for a message. Unprintable names are escaped. */
function shown(name: unknown): string {
  const text = typeof name === 'string' ? name.slice(0, MAX_SHOWN_LENGTH) : String(name)
  return PRINTABLE_NAME.test(text) || text === '' ? text : JSON.stringify(text).slice(1, -1)
}

/** `options` takes precedence over `declared`. Only one of the three options for the wait between attempts may be set. */
function mergeOptions(declared: TaskOptions, options: Record<string, unknown>): TaskOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const saysDelay = given.some(([name]) => isDelayOption(name))
  const kept = Object.entries(declared).filter(([name]) => !(saysDelay && isDelayOption(name)))
  return Object.fromEntries([...kept, ...given])
}

function isDelayOption(name: string): boolean {
  return DELAY_OPTIONS.some(option => option === name)
}
