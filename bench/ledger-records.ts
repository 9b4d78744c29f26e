import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import type { FinishedExecution } from '../lib/execution.ts'
import { makeExecution } from '../test/backend/make-execution.ts'

export const TASKS = 50
export const WORKERS = 12
export const SCHEDULES = 20
const SPAN_MS = 6 * 24 * 3_600_000

const FAULTS = [
  'connection reset by peer', 'timeout after 3000 ms', 'no route to host', 'invalid address', 'quota exceeded', 'unexpected token < in JSON'
]

/**
 * Realistic executions in time order, deterministic for the same numbers. They end at `endMs` and span six days, however many there are. 2
 * % fail, in 240 failure groups, and 10 % come from a schedule. Durations range from 1 ms to a minute; most are short.
 */
export function recordsOf(first: number, count: number, of: number, endMs: number): FinishedExecution[] {
  return Array.from({ length: count }, (_, offset) => {
    const i = first + offset
    const finishedAt = Math.floor(endMs - SPAN_MS + i * (SPAN_MS / of))
    const durationMs = Math.round(10 ** (scatter(i, 7) ** 2 * 4.8))
    const waitMs = Math.round(10 ** (scatter(i, 11) * 3))
    const task = Math.floor(scatter(i, 3) ** 2 * TASKS)
    const failed = i % 50 === 17
    const submittedAt = finishedAt - durationMs - waitMs
    return makeExecution({
      executionId: v7({ msecs: submittedAt, random: createHash('md5').update(`${i}`).digest() }),
      taskName: `task-${task}`,
      queue: `task-${task}`,
      status: failed ? 'failed' : 'success',
      state: failed ? 'failed' : 'completed',
      workerId: `web-${i % WORKERS}.example:${4000 + i % WORKERS}:9f3c21ab`,
      scheduleId: i % 10 === 3 ? `sch_${task % SCHEDULES}` : null,
      submittedAt,
      startedAt: finishedAt - durationMs,
      finishedAt,
      durationMs,
      waitMs,
      error: failed
        ? {
          type: 'Error', message: `${FAULTS[i % FAULTS.length]!} in order ${i}`,
          stack: `Error\n    at step${i % 40} (/app/orders.js:${i % 90}:3)`
        }
        : null,
      errorGroup: null,
      args: [{ user_id: i % 100_000, email: `user${i % 100_000}@example.org`, kind: i % 3 === 0 ? 'welcome' : 'invoice' }]
    })
  })
}

/** A deterministic pseudo-random number from 0 to 1. */
export function scatter(i: number, seed: number): number {
  return ((Math.imul(i + 1, 2654435761) ^ Math.imul(seed, 40503)) >>> 0) / 2 ** 32
}
