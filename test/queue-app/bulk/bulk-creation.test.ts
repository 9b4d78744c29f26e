import t from 'tap'
import { createBulkRecords, NEW_STATE } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkRunner } from '../../../lib/queue-app/bulk/bulk-runner.ts'
import type { BulkSteps } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ORDER } from './bulk-order.ts'

const UNKNOWN = { state: null, range: null, isPlanUntouched: false, done: null }

const MINUTE_MS = 60_000
const RANGE = { taskNames: ['a'], executionIds: ['x'] }

/** A creation that is frozen for this long before it writes to a collection. It then continues, or its process dies after that write. */
async function createFrozen(documents: DocumentStore, { at, forMs, dies, clock }: {
  readonly at: string; readonly forMs: number; readonly dies: boolean; readonly clock: { now: number }
}): Promise<void> {
  let isDead = false
  const records = createBulkRecords({
    ...documents,
    async put(collection, id, value, options) {
      if (isDead) throw new Error('the process died')
      if (collection === at) clock.now += forMs
      const written = await documents.put(collection, id, value, options)
      isDead = dies && collection === at
      return written
    }
  })
  await records.add('one', ORDER, RANGE).catch(() => {})
}

for (const forMs of [0, MINUTE_MS + 1, 60 * MINUTE_MS]) {
  for (const dies of [false, true]) {
    t.test(`an order that is stored ${forMs / 1_000} s late, by a process that ${dies ? 'dies' : 'lives'}, is processed`, async t => {
      const clock = { now: 0 }
      const documents = createMemoryDocuments(() => clock.now)
      await createFrozen(documents, { at: 'bulk', forMs, dies, clock })
      clock.now += 2 * MINUTE_MS
      const worked: unknown[] = []
      const runner = createBulkRunner({
        records: createBulkRecords(documents), leases: documents, holder: 'other', now: async () => clock.now,
        onError(error) { t.error(error) }, pruneAfterMs: 0,
        steps: {
          begin: operationId => ({
            operationId, waitingFor: null, problem: null, known: UNKNOWN, forget() {}
          }),
          async step(job) {
            worked.push(job.operationId)
            return { is: 'idle', items: 0 }
          },
          async keepWaiting() {}
        } satisfies BulkSteps
      })
      runner.start()
      t.teardown(() => runner.stop())
      await waitFor('someone to work on it', async () => worked.length > 0)
      const records = createBulkRecords(documents)
      t.same((await records.state('one'))?.value, NEW_STATE)
      const order = (await records.orders())[0]!.value
      t.ok('rangeId' in order)
      t.same('rangeId' in order && await records.range(order), RANGE)
    })
  }
}

t.test('a creation whose process dies before it stores the order leaves nothing permanent', async t => {
  const clock = { now: 0 }
  const documents = createMemoryDocuments(() => clock.now)
  await createFrozen(documents, { at: 'bulk-work', forMs: 0, dies: true, clock })
  const records = createBulkRecords(documents)
  t.same(await records.open(), ['one'], 'the creation may still be running')
  clock.now += MINUTE_MS + 1
  t.same(await records.open(), [])
  clock.now += 9 * 24 * 60 * MINUTE_MS
  for (const collection of ['bulk', 'bulk-states', 'bulk-ranges', 'bulk-work']) t.same(await documents.list(collection), [], collection)
})

t.test('a repeated creation does not use the range of the one that died', async t => {
  const documents = createMemoryDocuments()
  await createFrozen(documents, { at: 'bulk-work', forMs: 0, dies: true, clock: { now: 0 } })
  const records = createBulkRecords(documents)
  t.equal(await records.add('one', ORDER, { taskNames: ['b'], executionIds: null }), true)
  const order = (await records.orders())[0]!.value
  t.same('rangeId' in order && await records.range(order), { taskNames: ['b'], executionIds: null })
})
