import { createTaskDashboardError } from '../errors.ts'

export interface QueueAppOptions {
  /**
   * Where executions wait: `redis:` `rediss:` `valkey:` · `postgres:` `postgresql:` · `embedded:` (memory) or `embedded:./folder`
   * (kept on disk). Default `embedded:`.
   */
  broker?: string
  /** Where their history is kept. Same schemes. Default: the broker's URL. */
  backend?: string
  /** Several queue apps share one datastore when their namespaces differ: 1 to 40 of a-z, 0-9 and `_`, not starting with a digit. Default `tasks`. */
  namespace?: string
  /** Milliseconds that `stop()` waits for running executions before it hands them back to their queue, 0 to 3,600,000. Default 10,000. */
  stopGraceMs?: number
  /** Called with errors of background work, which no call can reject with. Default: a warning a minute for each message, through `process.emitWarning`. */
  onError?: (error: Error) => void
}

export type ResolvedQueueAppOptions = Readonly<Required<QueueAppOptions>>

/** Checks and fills in the options, once. Throws INVALID_OPTIONS with every problem in one message. URLs are checked by the stores. */
export function resolveQueueAppOptions(options: QueueAppOptions = {}): ResolvedQueueAppOptions {
  if (typeof options !== 'object' || options === null) throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const { broker = 'embedded:', backend = broker, namespace = 'tasks', stopGraceMs = 10_000, onError = createWarner(), ...rest } = options
  const problems = [
    ...Object.keys(rest).map(key => `${key} is not an option`),
    typeof broker !== 'string' && 'broker must be a URL as a string',
    typeof backend !== 'string' && 'backend must be a URL as a string',
    (typeof namespace !== 'string' || !/^[a-z_][a-z0-9_]{0,39}$/.test(namespace)) && 'namespace must be 1 to 40 of a-z, 0-9 and _, not starting with a digit',
    !(Number.isInteger(stopGraceMs) && stopGraceMs >= 0 && stopGraceMs <= 3_600_000) && 'stopGraceMs must be an integer from 0 to 3600000',
    typeof onError !== 'function' && 'onError must be a function'
  ].filter(problem => problem !== false)
  if (problems.length > 0) throw createTaskDashboardError('INVALID_OPTIONS', [problems.join('; ')])
  return Object.freeze({ broker, backend, namespace, stopGraceMs, onError })
}

const WARN_AGAIN_AFTER_MS = 60_000
const WARNINGS_REMEMBERED = 100

/** One warning a minute for each message: a broker that is away must not fill the disk. */
function createWarner(): (error: Error) => void {
  const last = new Map<string, number>()
  return error => {
    const at = Date.now()
    if (at - (last.get(error.message) ?? 0) < WARN_AGAIN_AFTER_MS) return
    if (last.size >= WARNINGS_REMEMBERED) last.clear()
    last.set(error.message, at)
    process.emitWarning(error.message, { type: 'TaskDashboardWarning', code: 'code' in error ? String(error.code) : error.name })
  }
}
