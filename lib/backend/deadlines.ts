import { BACKEND_START_MS, BACKEND_WRITE_MS, budgetsOf } from '../time/budgets.ts'
import { answeredWithin } from '../stores/failures/unavailable.ts'
import type { ResultBackend } from './result-backend.ts'

const WRITES: ReadonlySet<string> = new Set<keyof ResultBackend>([
  'record', 'recordAttempts', 'forgetSchedule', 'moveSchedule', 'saveWatermarks', 'prune', 'deleteExecutions', 'decideFailureGroup'
])

/**
 * The same backend with a deadline on every call. A late call rejects as `failedCall` describes, with the reason as `cause`.
 * @param patienceMs the store's
 */
export function withDeadlines(backend: ResultBackend, patienceMs: number): ResultBackend {
  const { callMs: readTimeoutMs } = budgetsOf(patienceMs)
  const writeTimeoutMs = Math.max(BACKEND_WRITE_MS, readTimeoutMs)
  const guard = <Name extends keyof ResultBackend>(name: Name, timeoutMs = WRITES.has(name) ? writeTimeoutMs : readTimeoutMs) => {
    const call = (backend[name] as (...parameters: unknown[]) => Promise<unknown>).bind(backend)
    return ((...parameters: unknown[]) =>
      answeredWithin(timeoutMs, () => call(...parameters), 'result backend', `${name} was not answered`)) as ResultBackend[Name]
  }
  return {
    supports: backend.supports,
    start: guard('start', BACKEND_START_MS),
    stop: guard('stop', writeTimeoutMs),
    record: guard('record'),
    recordAttempts: guard('recordAttempts'),
    missing: guard('missing'),
    find: guard('find'),
    findMany: guard('findMany'),
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
    hoursByTask: guard('hoursByTask'),
    rollups: guard('rollups'),
    failureGroups: guard('failureGroups'),
    decideFailureGroup: guard('decideFailureGroup'),
    prune: guard('prune'),
    deleteExecutions: guard('deleteExecutions'),
    kept: guard('kept'),
    watermarks: guard('watermarks'),
    saveWatermarks: guard('saveWatermarks')
  }
}
