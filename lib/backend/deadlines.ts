import { withDeadline } from '../deadline.ts'
import { type ErrorCode, createTaskDashboardError, isTaskDashboardError } from '../errors.ts'
import type { ResultBackend } from './result-backend.ts'

const READ_TIMEOUT_MS = 1_400
const WRITE_TIMEOUT_MS = 9_500
/** Longer than a migration may take, which ends by itself. */
const START_TIMEOUT_MS = 16 * 60_000

const WRITES: ReadonlySet<string> = new Set<keyof ResultBackend>(['record', 'recordAttempts', 'forgetSchedule', 'saveWatermarks', 'prune'])

/** Errors that say what they mean already: that of a driver's start, when a newer version wrote what is there. */
const PASSED_ON: ReadonlySet<string> = new Set<ErrorCode>(['BACKEND_UNAVAILABLE', 'STORE_UNSUITABLE'])

/**
 * The same backend, whose calls all end in time: what the datastore rejects, and what it does not answer, is
 * BACKEND_UNAVAILABLE with the reason as `cause`. A defect of ours stays what it is.
 */
export function withDeadlines(backend: ResultBackend): ResultBackend {
  const guard = <Name extends keyof ResultBackend>(name: Name, timeoutMs = WRITES.has(name) ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS) => {
    const call = (backend[name] as (...parameters: unknown[]) => Promise<unknown>).bind(backend)
    return ((...parameters: unknown[]) => inTime(() => call(...parameters), name, timeoutMs)) as ResultBackend[Name]
  }
  return {
    supports: backend.supports,
    start: guard('start', START_TIMEOUT_MS),
    stop: guard('stop', WRITE_TIMEOUT_MS),
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
    throw createTaskDashboardError('BACKEND_UNAVAILABLE', [], { cause })
  }
}

function isDefect(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError
}
