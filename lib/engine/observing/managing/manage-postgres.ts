import { setTimeout as sleep } from 'node:timers/promises'
import { invalidInput } from '../../../errors.ts'
import { errorCodeOf } from '../../../stores/failures/error-code.ts'
import { failedCall } from '../../../stores/failures/unavailable.ts'
import type { ChangeDatabase, ChangeStatement } from '../../../stores/postgres/observing/change-database.ts'
import type { ObservedQueue } from '../observed-queue.ts'
import { schemaOf } from '../postgres/postgres-queue.ts'
import type { PriorityOutcome } from './change-priority.ts'
import { jobOptionsOf, otherVersion, type ManagedQueues } from './manage-queues.ts'
import type { PlanOutcome, RunOutcome } from './plan-scheduler.ts'
import { ADD_ROW, CHANGE_PRIORITY_OF_ROW, LOCKED, PAUSE_ROWS, REMOVE_ROW, RETRY_ROW } from './postgres-changes.ts'
import { PLAN_ROW, PLANNED_TABLE, RUN_ROW } from './postgres-plan.ts'
import type { RemoveOutcome } from './remove-job.ts'
import type { RetryOutcome } from './retry-job.ts'

/** JSON text that BullMQ's columns cannot store: NUL, and halves of a character. */
const UNSTORABLE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f]..)/i
/** All statements that may be sent to an owner's database to change something. */
export const MANAGING_STATEMENTS: ReadonlySet<ChangeStatement> = new Set([
  RETRY_ROW, REMOVE_ROW, CHANGE_PRIORITY_OF_ROW, ADD_ROW, PAUSE_ROWS, PLAN_ROW, RUN_ROW
])
/** Undefined function, table, column and schema: an earlier or later version of BullMQ. */
const OTHER_SCHEMA: ReadonlySet<string | null> = new Set(['42883', '42P01', '42703', '3F000'])
/** How long a change is retried if somebody else holds a lock. */
const LOCKED_MS = 1_000
const AGAIN_MS = 20

/** Changes queues on PostgreSQL, mostly with BullMQ's own functions in the database. */
export function createManagedPostgres(databaseOf: (queue: ObservedQueue) => ChangeDatabase): ManagedQueues {
  async function made<Outcome extends string>(
    queue: ObservedQueue, change: (database: ChangeDatabase, schema: string) => Promise<Outcome | 'other_version'>, ifLocked?: Outcome
  ): Promise<Outcome> {
    let outcome: Outcome | 'other_version'
    try {
      outcome = await unlocked(() => change(databaseOf(queue), schemaOf(queue)))
    } catch (error) {
      if (OTHER_SCHEMA.has(errorCodeOf(error))) throw otherVersion(queue)
      if (ifLocked !== undefined && errorCodeOf(error) === LOCKED) return ifLocked
      throw failedCall(error, 'broker')
    }
    if (outcome === 'other_version') throw otherVersion(queue)
    return outcome
  }

  const run = <Outcome extends string>(queue: ObservedQueue, statement: ChangeStatement, ...parameters: readonly unknown[]) =>
    made<Outcome>(queue, async (database, schema) =>
      (await database.run<{ readonly outcome: Outcome | 'other_version' }>(statement, schema, [queue.name, ...parameters]))[0]!.outcome)

  return {
    retry: (queue, jobId, failedAt) => run<RetryOutcome>(queue, RETRY_ROW, jobId, failedAt),
    remove: (queue, jobId) => run<RemoveOutcome>(queue, REMOVE_ROW, jobId),
    async add(queue, job) {
      const { jobId, name, data, now, delayMs, priority } = job
      refuseUnstorable(data)
      await run(queue, ADD_ROW, jobId, name, data, jobOptionsOf(job), priority, delayMs, now)
    },
    changePriority: (queue, jobId, priority) => run<PriorityOutcome>(queue, CHANGE_PRIORITY_OF_ROW, jobId, priority),
    pause: async queue => { await run(queue, PAUSE_ROWS, true) },
    resume: async queue => { await run(queue, PAUSE_ROWS, false) },
    async plan(queue, id, { plannedAt: planned, to, now, opts, data, fields }) {
      if (data !== undefined) refuseUnstorable(data)
      const given = {
        queue: queue.name, id, planned, to, now, knownOpts: opts?.known ?? null, opts: opts?.next ?? null, data: data ?? null,
        fields: fields ?? null
      }
      return await made<PlanOutcome>(queue, (database, schema) => database.runAlone(PLAN_ROW, schema, PLANNED_TABLE, given), 'locked')
    },
    run: (queue, schedulerId, { jobId, now, knownOpts, opts, priority }) =>
      run<RunOutcome>(queue, RUN_ROW, schedulerId, jobId, now, knownOpts, opts, priority)
  }
}

function refuseUnstorable(data: string): void {
  if (UNSTORABLE.test(data)) throw invalidInput('/args', 'must contain neither NUL nor half a character, which PostgreSQL cannot store')
}

async function unlocked<Result>(change: () => Promise<Result>): Promise<Result> {
  for (const begunAt = performance.now(); ;) {
    try {
      return await change()
    } catch (error) {
      if (errorCodeOf(error) !== LOCKED || performance.now() - begunAt > LOCKED_MS) throw error
      await sleep(AGAIN_MS)
    }
  }
}
