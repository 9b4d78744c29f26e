import t from 'tap'
import type { BulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { createBulkRecords, NEW_STATE } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkSteps } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { MAX_BULK_ITEMS } from '../../../schemas/limits.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { ORDER } from './bulk-order.ts'

t.test('an operation ends at the maximum number of items, and reports that more may match', async t => {
  const documents = createMemoryDocuments()
  const records = createBulkRecords(documents)
  await records.add('one', ORDER, { taskNames: ['a'], executionIds: null })
  const begun = { ...NEW_STATE, progress: { ...NEW_STATE.progress, done: MAX_BULK_ITEMS - 10, skipped: 7 } }
  await documents.put('bulk-states', 'one', begun)
  const asked: number[] = []
  const settled: string[] = []
  const { begin, step } = createBulkSteps({
    records, now: async () => 3_000,
    matches: {
      async next(_wanted, position, limit) {
        asked.push(limit)
        return { items: Array.from({ length: limit }, (_, index) => [`item ${index}`, 0] as const), position, isEnd: false }
      }
    },
    actions: {
      async settle(_acting, items) {
        settled.push(...items.map(([id]) => id))
        return items.map(([id, task]) => [id, task, 'done'] as const)
      }
    } as Partial<BulkActions> as BulkActions
  })
  const job = begin('one')
  const steps: string[] = []
  for (let is = 'busy'; is === 'busy';) steps.push(is = (await step(job, ORDER, async () => {})).is)
  t.same(asked, [3])
  t.same(settled, ['item 0', 'item 1', 'item 2'])
  t.same(steps, ['busy', 'over'])
  t.match((await records.state('one'))?.value, {
    ended: 'done', isCapped: true, progress: { done: MAX_BULK_ITEMS - 7, skipped: 7 }, chunks: 1, tail: []
  })
})
