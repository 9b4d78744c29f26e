import { setTimeout as sleep } from 'node:timers/promises'
import { invalidInput } from '../../../errors.ts'
import { errorCodeOf } from '../../../stores/failures/error-code.ts'
import { failedCall } from '../../../stores/failures/unavailable.ts'
import type { ChangeDatabase, ChangeStatement } from '../../../stores/postgres/observing/change-database.ts'
import type { ObservedQueue } from '../observed-queue.ts'
import { schemaOf } from '../postgres/postgres-queue.ts'
import type { PriorityOutcome } from './change-priority.ts'
import { jobOptionsOf, otherVersion, type ManagedQueues } from './manage-queues.ts'
import { ADD_ROW, CHANGE_PRIORITY_OF_ROW, LOCKED, PAUSE_ROWS, REMOVE_ROW, RETRY_ROW } from './postgres-changes.ts'
import type { RemoveOutcome } from './remove-job.ts'
import type { RetryOutcome } from './retry-job.ts'

/** JSON text that BullMQ's columns cannot store: NUL, and halves of a character. */
const UNSTORABLE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f]..)/i
/** Undefined function, table and schema: an earlier or later version of BullMQ. */
const OTHER_SCHEMA: ReadonlySet<string | null> = new Set(['42883', '42P01', '3F000'])
/** How long a change is retried if somebody else holds a lock. */
const LOCKED_MS = 1_000
const AGAIN_MS = 20

/** Changes queues on PostgreSQL with BullMQ's own functions in the database. Job schedulers cannot be changed. */
export function createManagedPostgres(databaseOf: (queue: ObservedQueue) => ChangeDatabase): ManagedQueues {
  async function run<Outcome extends string>(
    queue: ObservedQueue, statement: ChangeStatement, ...parameters: readonly unknown[]
  ): Promise<Outcome> {
    let rows: Array<{ readonly outcome: Outcome | 'other_version' }>
    try {
      rows = await unlocked(() => databaseOf(queue).run(statement, schemaOf(queue), [queue.name, ...parameters]))
    } catch (error) {
      if (OTHER_SCHEMA.has(errorCodeOf(error))) throw otherVersion(queue)
      throw failedCall(error, 'broker')
    }
    const { outcome } = rows[0]!
    if (outcome === 'other_version') throw otherVersion(queue)
    return outcome
  }

  /** Never called, because `managesSchedulers` returns false. */
  function leaveSchedulers(): Promise<never> {
    return Promise.reject(new TypeError('NOT_MANAGED'))
  }

  return {
    retry: (queue, jobId, failedAt) => run<RetryOutcome>(queue, RETRY_ROW, jobId, failedAt),
    remove: (queue, jobId) => run<RemoveOutcome>(queue, REMOVE_ROW, jobId),
    async add(queue, job) {
      const { jobId, name, data, now, delayMs, priority } = job
      if (UNSTORABLE.test(data)) throw invalidInput('/args', 'must contain neither NUL nor half a character, which PostgreSQL cannot store')
      await run(queue, ADD_ROW, jobId, name, data, jobOptionsOf(job), priority, delayMs, now)
    },
    changePriority: (queue, jobId, priority) => run<PriorityOutcome>(queue, CHANGE_PRIORITY_OF_ROW, jobId, priority),
    pause: async queue => { await run(queue, PAUSE_ROWS, true) },
    resume: async queue => { await run(queue, PAUSE_ROWS, false) },
    managesSchedulers: () => false,
    plan: leaveSchedulers,
    run: leaveSchedulers
  }
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
