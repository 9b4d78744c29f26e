import t from 'tap'
import type { BulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { formatOf, type BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { createBulkRecords, type PlannedItem, type SettledItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkSteps } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { ORDER } from './bulk-order.ts'

const NOWHERE = { unread: 0, open: [] }
const PLAN: readonly PlannedItem[] = [['one', 0], ['two', 0]]

t.test('a plan that was suspended before it was started does not count as interrupted', async t => {
  const { step, attempts } = await planned()
  for (const wanted of ['suspend', 'suspend'] as const) t.equal(await step(wanted), 'idle')
  await step('run')
  t.same(attempts, ['settle first'])
})

t.test('an operation that ends before its plan was started claims none of its items', async t => {
  for (const before of [[], ['suspend'] as const]) {
    const { step, attempts, items } = await planned()
    for (const wanted of before) await step(wanted)
    t.equal(await step('abort'), 'over')
    t.same(attempts, [])
    t.same(await items(), [])
  }
})

for (const others of [undefined, 'managed'] as const) {
  const which = others === undefined ? 'own tasks' : 'existing queues'
  t.test(`an undo knows its first attempt from one after a failure: an operation on ${which}`, async t => {
    const { step, attempts } = await planned(others)
    await step('run')
    t.equal(await step('run'), 'over')
    while (!attempts.some(each => each.startsWith('undo'))) t.equal(await step('undo'), 'busy')
    t.same(attempts, ['settle first', 'undo first'])
    const other = await planned(others)
    await other.step('run')
    await other.step('run')
    other.fail(new Error('unavailable'))
    while (!other.attempts.some(each => each.startsWith('undo'))) await other.step('undo').catch(() => {})
    await other.step('undo')
    t.same(other.attempts, ['settle first', 'undo first', 'undo again'])
  })
}

/** An operation with a plan that no process has started, and the process that made the plan. */
async function planned(others?: BulkOrder['others']) {
  const records = createBulkRecords(createMemoryDocuments())
  await records.add('one', { ...ORDER, format: formatOf(others), ...others && { others } }, { taskNames: ['a'], executionIds: null })
  const order = (await records.order('one'))!.value as BulkOrder
  const attempts: string[] = []
  let failure: Error | null = null
  const steps = createBulkSteps({
    records, now: async () => 3_000,
    matches: {
      next: async (_wanted, { unread }) => ({ items: unread === 0 ? PLAN : [], position: { ...NOWHERE, unread: 1 }, isEnd: unread > 0 })
    },
    actions: {
      async settle({ isFirstAttempt }, items) {
        attempts.push(`settle ${isFirstAttempt ? 'first' : 'again'}`)
        return items.map(([id, task]): SettledItem => [id, task, 'done'])
      },
      async whatWasDone(_acting, items) { return items.map(([id, task]): SettledItem => [id, task, 'done']) },
      async undo({ isFirstAttempt }, items) {
        attempts.push(`undo ${isFirstAttempt ? 'first' : 'again'}`)
        const thrown = failure
        failure = null
        if (thrown !== null) throw thrown
        return [...items]
      }
    } satisfies BulkActions
  })
  const job = steps.begin('one')
  const step = async (wanted: BulkOrder['wanted']): Promise<string> => {
    try {
      return (await steps.step(job, { ...order, wanted }, async () => {})).is
    } catch (error) {
      job.forget()
      throw error
    }
  }
  await step('run')
  return {
    step, attempts,
    fail(error: Error): void { failure = error },
    async items() {
      const { tail, chunks } = (await records.state('one'))!.value
      return [...chunks === 0 ? [] : await records.chunk('one', 0) ?? [], ...tail]
    }
  }
}
