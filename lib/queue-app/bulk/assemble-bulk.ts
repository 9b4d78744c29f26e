import type { ResultBackend } from '../../backend/result-backend.ts'
import type { Engine } from '../../engine/engine.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { createDeleteExecutions } from '../operations/delete-execution.ts'
import type { RetryPolicy } from '../operations/operations.ts'
import type { createRetryArguments } from '../operations/retry-arguments.ts'
import type { Covered } from '../tasks/parts-of-tasks.ts'
import type { BulkReads, BulkWrites } from './bulk.ts'
import { createBulkActions, type BulkEngine } from './bulk-actions.ts'
import { createBulkOfExistingQueues, type ExistingQueuesInBulk } from './bulk-of-existing-queues.ts'
import { createBulkMatches } from './matching/bulk-matches.ts'
import type { BulkKind, BulkOrder } from './bulk-order.ts'
import { createBulkRecords } from './bulk-records.ts'
import { createBulkRunner } from './bulk-runner.ts'
import { createBulkSteps } from './bulk-steps.ts'
import { createBulk } from './create-bulk.ts'

interface AssembleDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: BulkEngine & Parameters<typeof createBulkMatches>[0]['engine']
  readonly enqueue: Engine['enqueue']
  readonly backend: ResultBackend
  /** Of the result backend. */
  readonly documents: DocumentStore
  readonly argumentsOf: ReturnType<typeof createRetryArguments>
  policyOf(taskName: string): Promise<RetryPolicy | undefined>
  /** Default: there are no existing queues. */
  readonly others?: ExistingQueuesInBulk
  /** Default: each task covers only itself. */
  readonly covered?: Covered | undefined
  taskNames(): Promise<readonly string[]>
  readonly holder: string
  /** The result backend's clock. */
  now(): Promise<number>
  onError(error: Error): void
}

export interface Bulk {
  readonly operations: BulkReads & BulkWrites
  /** Starts to work on operations; returns at once. */
  start(): void
  /** Ends after the current step. Idempotent; never rejects. */
  stop(): Promise<void>
}

export function assembleBulk(
  { engine, enqueue, backend, documents, argumentsOf, policyOf, others, covered, ...rest }: AssembleDependencies
): Bulk {
  const { taskNames, holder, now, onError } = rest
  const records = createBulkRecords(documents)
  const matches = createBulkMatches({
    engine, backend, covered, ...others && { isOthers: others.has, serverOf: others.serverOf, answers: others.answers }
  })
  const deleteExecutions = createDeleteExecutions({ engine, backend })
  const actions = createBulkActions({
    engine, enqueue, backend, deleteExecutions, argumentsOf, policyOf, ...others && { ofOthers: createBulkOfExistingQueues(others) }
  })
  const steps = createBulkSteps({ records, matches, actions, now })
  const kinds: BulkKind[] = ['own', ...others === undefined ? [] : ['observed' as const], ...others?.changes ? ['managed' as const] : []]
  const runners = kinds.map((kind, index) => createBulkRunner({
    // One of them prunes for all.
    records, steps, leases: documents, holder, now, onError, kind, ...index > 0 && { pruneAfterMs: Infinity }
  }))
  const runner: Parameters<typeof createBulk>[0]['runner'] = {
    notice: () => { for (const each of runners) each.notice() },
    waitingFor: operationId => runners.map(each => each.waitingFor(operationId)).find(waiting => waiting !== null) ?? null
  }
  return {
    operations: createBulk({ records, matches, runner, backend, taskNames, covered, now, othersIn }),
    start: () => { for (const each of runners) each.start() },
    stop: async () => { await Promise.all(runners.map(each => each.stop())) }
  }

  function othersIn(taskNames: readonly string[]): BulkOrder['others'] {
    if (others === undefined || !taskNames.some(others.has)) return undefined
    return others.changes === null ? 'observed' : 'managed'
  }
}
