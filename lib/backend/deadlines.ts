import { withDeadline } from '../time/deadline.ts'
import { type ErrorCode, isDefect, isTaskDashboardError } from '../errors.ts'
import { unavailable } from '../stores/failures/failed-call.ts'
import type { ResultBackend } from './result-backend.ts'

/** Below the patience of a store, so that the answer is there before it. */
const MARGIN_MS = 100
const WRITE_TIMEOUT_MS = 9_500
/** Longer than a migration may take, which ends by itself. */
const START_TIMEOUT_MS = 16 * 60_000

const WRITES: ReadonlySet<string> = new Set<keyof ResultBackend>(['record', 'recordAttempts', 'forgetSchedule', 'moveSchedule', 'saveWatermarks', 'prune'])

/** Errors that say what they mean already: that of a driver's start, when a newer version wrote what is there. */
const PASSED_ON: ReadonlySet<string> = new Set<ErrorCode>(['BACKEND_UNAVAILABLE', 'STORE_REFUSED', 'STORE_UNSUITABLE', 'EMBEDDED_STORE_LOST'])

/**
 * The same backend, whose calls all end in time: what the datastore rejects, and what it does not answer, is
 * BACKEND_UNAVAILABLE with the reason as `cause`, or STORE_REFUSED where waiting does not help. A defect of ours stays what it is.
 * @param patienceMs how long a read may take, of the store
 */
export function withDeadlines(backend: ResultBackend, patienceMs: number): ResultBackend {
  const readTimeoutMs = patienceMs - MARGIN_MS
  const writeTimeoutMs = Math.max(WRITE_TIMEOUT_MS, readTimeoutMs)
  const guard = <Name extends keyof ResultBackend>(name: Name, timeoutMs = WRITES.has(name) ? writeTimeoutMs : readTimeoutMs) => {
    const call = (backend[name] as (...parameters: unknown[]) => Promise<unknown>).bind(backend)
    return ((...parameters: unknown[]) => inTime(() => call(...parameters), name, timeoutMs)) as ResultBackend[Name]
  }
  return {
    supports: backend.supports,
    start: guard('start', START_TIMEOUT_MS),
    stop: guard('stop', writeTimeoutMs),
    record: guard('record'),
    recordAttempts: guard('recordAttempts'),
    missing: guard('missing'),
    find: guard('find'),
    attemptsOf: guard('attemptsOf'),
    retriesOf: guard('retriesOf'),
    list: guard('list'),
    totals: guard('totals'),
    taskTotals: guard('taskTotals'),
    scheduleTotals: guard('scheduleTotals'),
    forgetSchedule: guard('forgetSchedule'),
    moveSchedule: guard('moveSchedule'),
    countedSchedules: guard('countedSchedules'),
    windowByTask: guard('windowByTask'),
    rollups: guard('rollups'),
    failureGroups: guard('failureGroups'),
    prune: guard('prune'),
    kept: guard('kept'),
    watermarks: guard('watermarks'),
    saveWatermarks: guard('saveWatermarks')
  }
}

async function inTime<Result>(call: () => Promise<Result>, name: string, timeoutMs: number): Promise<Result> {
  try {
    return await withDeadline((async () => call())(), timeoutMs, `${name} was not answered`)
  } catch (cause) {
    if (isDefect(cause) || (isTaskDashboardError(cause) && PASSED_ON.has(cause.code))) throw cause
    throw unavailable(cause, 'result backend')
  }
}
