import type { Test } from 'tap'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { inTime } from '../../support/in-time.ts'

/** Every call rejects with BACKEND_UNAVAILABLE in time. */
export async function assertUnavailable(t: Test, backend: ResultBackend, withinMs: (name: string) => number): Promise<void> {
  const calls: Record<string, () => Promise<unknown>> = {
    find: () => backend.find('x'),
    list: () => backend.list({ order: 'newest', limit: 5, scheduleId: 's' }),
    totals: () => backend.totals(),
    taskTotals: () => backend.taskTotals(),
    scheduleTotals: () => backend.scheduleTotals(['s']),
    hoursByTask: () => backend.hoursByTask(Date.now() - HOUR_MS, Date.now()),
    windowByTask: () => backend.windowByTask(Date.now() - HOUR_MS, Date.now()),
    rollups: () => backend.rollups({ span: 'hour', fromMs: Date.now() - HOUR_MS, toMs: Date.now() }),
    failureGroups: () => backend.failureGroups({ limit: 5 }),
    kept: () => backend.kept(),
    prune: () => backend.prune({ success: { maxAgeMs: 1, maxCount: 0 }, failed: { maxAgeMs: 1, maxCount: 0 } },
      { nowMs: 2, keepAfterMs: 1, brokerHasAfterMs: Infinity, limit: 1 }),
    deleteExecutions: () => backend.deleteExecutions(['x']),
    missing: () => backend.missing(['x']),
    attemptsOf: () => backend.attemptsOf('x'),
    retriesOf: () => backend.retriesOf('x'),
    watermarks: () => backend.watermarks(),
    record: () => backend.record([makeExecution()]),
    recordAttempts: () =>
      backend.recordAttempts([
        { executionId: 'x', taskName: 'x', attempt: { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null } }
      ]),
    saveWatermarks: () => backend.saveWatermarks(new Map([['x', 1]])),
    forgetSchedule: () => backend.forgetSchedule('s'),
    moveSchedule: () => backend.moveSchedule('s', 's2'),
    countedSchedules: () => backend.countedSchedules(null, 10)
  }
  await Promise.all(Object.entries(calls).map(async ([name, call]) => {
    await inTime(t, `${name} ends`, withinMs(name) + 400, async () => {
      const error = await call().then(() => null, (error: unknown) => error as Error & { code?: string })
      t.equal(error?.code, 'BACKEND_UNAVAILABLE', `${name} rejects`)
      t.ok(error?.cause, `${name} keeps the cause`)
    })
  }))
}
