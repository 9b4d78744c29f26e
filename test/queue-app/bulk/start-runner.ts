import type { Test } from 'tap'
import type { BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import type { BulkRecords } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkRunner } from '../../../lib/queue-app/bulk/bulk-runner.ts'
import type { BulkSteps, Job, Step } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { ORDER } from './bulk-order.ts'

interface Given {
  /** Ids of the operations with work left. */
  readonly open: Set<string>
  step(job: Job, order: BulkOrder, stillHeld: () => Promise<void>): Promise<Step>
  /** Default: an order without a rate limit. */
  readonly order?: BulkOrder
  readonly records?: Partial<BulkRecords>
  keepWaiting?(job: Job): Promise<void>
  /** Default: the test fails. */
  onError?(error: Error): void
}

/** A process that has the lease and works on operations that are not stored. */
export function startRunner(
  t: Test, { open, step, order = ORDER, records, keepWaiting = async () => {}, onError = error => { t.error(error) } }: Given
) {
  const runner = createBulkRunner({
    records: {
      open: async () => [...open], ordersOf: async (ids: readonly string[]) => ids.map(() => order),
      order: async () => null, state: async () => null,
      setOpen: async (id: string) => { open.add(id) }, setClosed: async (id: string) => { open.delete(id) }, ...records
    } as unknown as BulkRecords,
    steps: {
      begin: operationId => ({
        operationId, waitingFor: null, problem: null, known: { state: null, range: null, isPlanUntouched: false, done: null }, forget() {}
      }),
      step, keepWaiting
    } satisfies BulkSteps,
    leases: { acquireLease: async () => true, releaseLease: async () => {} },
    holder: 'me', now: async () => 0, onError
  })
  runner.start()
  t.teardown(() => runner.stop())
  return runner
}
