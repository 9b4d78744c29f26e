import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { ExecutionDetail } from '../../../lib/execution.ts'
import type { BulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { createBulkOfExistingQueues } from '../../../lib/queue-app/bulk/bulk-of-existing-queues.ts'
import { BULK_FORMAT, MANAGED_BULK_FORMAT, type BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/matching/bulk-matches.ts'
import { createBulkRecords, ITEMS_PER_CHUNK, NEW_STATE, type PlannedItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkSteps, type Step } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { ORDER } from './bulk-order.ts'

const TASKS = ['a', 'b', 'b2']
const PAGE = 50

/** An operation on `a`, and on `b` and `b2`, which are on another server. Null stands for an execution that does not match. */
async function start(items: ReadonlyArray<PlannedItem | null>, format: BulkOrder['format'] = MANAGED_BULK_FORMAT) {
  const records = createBulkRecords(createMemoryDocuments())
  await records.add('one', { ...ORDER, format, action: 'cancel', others: 'managed' }, { taskNames: TASKS, executionIds: null })
  const order = (await records.order('one'))!.value as BulkOrder
  const away = { isAway: false }
  const changed: string[] = []
  /** Ids of jobs that their owner has run and removed. */
  const gone = new Set<string>()
  let asked = 0
  const others = createBulkOfExistingQueues({
    has: () => true,
    changes: {
      async cancelExecution(id) {
        if (id.startsWith('b')) {
          asked++
          if (away.isAway) throw createTaskDashboardError('BROKER_UNAVAILABLE')
        }
        if (gone.has(id)) throw createTaskDashboardError('EXECUTION_NOT_FOUND', [id])
        changed.push(id)
        return {} as never
      },
      retryExecution: async () => t.fail('nothing is retried') as never
    },
    find: async id => {
      if (id.startsWith('b') && away.isAway) throw createTaskDashboardError('BROKER_UNAVAILABLE')
      return changed.includes(id) || gone.has(id) ? null : { executionId: id, status: 'pending' } as ExecutionDetail
    },
    serverOf: taskName => taskName === 'a' ? HERE : THERE
  })
  const steps = createBulkSteps({
    records, now: async () => 3_000,
    matches: {
      async next(_wanted, { unread }, limit) {
        const next = unread + Math.min(limit, PAGE)
        const found = items.slice(unread, next).filter(item => item !== null)
        const isEnd = next >= items.length
        return { items: found, position: { unread: next, open: [] }, isEnd, goesOn: !isEnd }
      }
    },
    actions: { settle: others.settle, whatWasDone: others.whatWasDone } as Partial<BulkActions> as BulkActions
  })
  const job = steps.begin('one')
  return {
    away, changed, gone,
    asked: () => asked,
    step: (wanted: BulkOrder['wanted'] = 'run') => steps.step(job, { ...order, wanted }, async () => {}),
    /** Steps until there is nothing left to do, or everything left waits. */
    async run(wanted: BulkOrder['wanted'] = 'run'): Promise<Step['is'] | 'waits'> {
      for (let count = 0; count < 1_000; count++) {
        const is = await this.step(wanted).then(({ is }) => is, (error: { code?: string }) => {
          if (error.code !== 'BROKER_UNAVAILABLE') throw error
          job.forget()
          return 'waits' as const
        })
        if (is !== 'busy') return is
      }
      throw new Error('it never ends')
    },
    state: async () => (await records.state('one'))!.value,
    async items() {
      const { chunks, tail } = (await records.state('one'))!.value
      const kept = await Promise.all(Array.from({ length: chunks }, (_, chunk) => records.chunk('one', chunk)))
      t.ok(kept.slice(0, -1).every(chunk => chunk?.length === ITEMS_PER_CHUNK), 'all chunks but the last are full')
      return [...kept.flatMap(chunk => chunk ?? []), ...tail]
    }
  }
}

const HERE = {}
const THERE = {}

/** So many items of each task, in turns. */
function itemsOf(counts: readonly number[]): PlannedItem[] {
  const items: PlannedItem[] = []
  for (let index = 0; index < Math.max(...counts); index++)
    for (const [task, count] of counts.entries()) if (index < count) items.push([`${TASKS[task]!}:${index}`, task])
  return items
}

t.test('while a server is unavailable, the items of the others are done, and its own when it is back', async t => {
  const items = itemsOf([1_200, 230, 200])
  const operation = await start(items)
  operation.away.isAway = true
  t.equal(await operation.run(), 'waits')
  t.match(await operation.state(), { ended: null, waitingFor: 'broker', progress: { done: 1_200, skipped: 0, failed: 0 } })
  t.equal((await operation.items()).length, 1_200)
  t.equal(await operation.run(), 'waits', 'it continues to wait')
  operation.away.isAway = false
  t.equal(await operation.run(), 'over')
  t.match(await operation.state(), { ended: 'done', waitingFor: null, progress: { done: 1_630, skipped: 0, failed: 0 } })
  t.same((await operation.items()).map(([id]) => id).toSorted(), items.map(([id]) => id).toSorted(), 'each once')
  t.equal(new Set(operation.changed).size, operation.changed.length, 'nothing is done twice')
})

t.test('an unavailable server gets one request in a step, even for many tasks', async t => {
  const operation = await start(itemsOf([0, 40, 40]))
  operation.away.isAway = true
  await operation.step()
  const before = operation.asked()
  const { waiting } = await operation.step()
  t.ok(operation.asked() - before <= 1, `${operation.asked() - before} times`)
  t.match(waiting, { waitingFor: 'broker' })
})

t.test('jobs that their owner ran while they waited do not count as done', async t => {
  const operation = await start(itemsOf([20, 300]))
  operation.away.isAway = true
  for (let count = 0; count < 5; count++) t.equal(await operation.run(), 'waits')
  for (let index = 0; index < 300; index++) operation.gone.add(`b:${index}`)
  operation.away.isAway = false
  t.equal(await operation.run(), 'over')
  const { progress } = await operation.state()
  // Jobs that were sent to a server that did not respond count as done: one for each attempt.
  t.ok(progress.done <= 20 + 20, `${progress.done} done`)
  t.equal(progress.done + progress.skipped, 320)
})

t.test('no more items are searched while many wait', async t => {
  const operation = await start(itemsOf([600, 600]))
  operation.away.isAway = true
  t.equal(await operation.run(), 'waits')
  const { postponed = [], plan, progress } = await operation.state()
  t.ok(postponed.length + plan.length <= 500 && postponed.length + plan.length > 400, `${postponed.length + plan.length} wait`)
  t.ok(progress.done >= 400, `${progress.done} are done`)
  operation.away.isAway = false
  t.equal(await operation.run(), 'over')
  t.equal((await operation.items()).length, 1_200)
})

t.test('items that wait for a server do not stop a long search in which nothing matches', async t => {
  const operation = await start([...itemsOf([0, 10]), ...Array.from({ length: 20 * PAGE }, () => null), ...itemsOf([10])])
  operation.away.isAway = true
  t.equal(await operation.run(), 'waits')
  const { progress, postponed = [] } = await operation.state()
  t.equal(progress.done, 10, 'it found the items at the end before it waits')
  t.ok(postponed.filter(([, , isSent]) => isSent).length <= 2, 'and did not retry the waiting items in each step')
  operation.away.isAway = false
  t.equal(await operation.run(), 'over')
  t.equal((await operation.items()).length, 20)
})

t.test('a step that finds nothing reports whether servers that respond have more to search', async t => {
  const pages = 45
  const matches = createBulkMatches({
    serverOf: (taskName: string) => taskName === 'a' ? HERE : THERE,
    engine: {
      async inFlight({ taskNames: [name], cursor = '0' }: { taskNames: string[]; cursor?: string }) {
        if (name !== 'a') throw createTaskDashboardError('BROKER_UNAVAILABLE')
        return { executions: [], next: Number(cursor) < pages ? String(Number(cursor) + 1) : null }
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { action: 'cancel' as const, filter: { text: [] }, before: 1_000, taskNames: TASKS, isAllTasks: true }
  let { position } = NEW_STATE
  const steps: unknown[] = []
  for (let step = 0; step < 4; step++) {
    const next = await matches.next(wanted, position, 50, true)
    t.match(next, { items: [], isEnd: false, away: { code: 'BROKER_UNAVAILABLE' } })
    steps.push(next.goesOn)
    position = next.position
  }
  t.same(steps, [true, true, false, false])
})

t.test('an operation waits when only unavailable servers are left, even if there are more than it can try in a step', async t => {
  const taskNames = ['a', ...Array.from({ length: 45 }, (_, index) => `b${index}`)]
  const servers = new Map(taskNames.map(name => [name, {}]))
  const matches = createBulkMatches({
    serverOf: (taskName: string) => servers.get(taskName),
    engine: {
      async inFlight({ taskNames: [name] }: { taskNames: string[] }) {
        if (name !== 'a') throw createTaskDashboardError('BROKER_UNAVAILABLE')
        return { executions: [], next: null }
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { action: 'cancel' as const, filter: { text: [] }, before: 1_000, taskNames, isAllTasks: true }
  let { position } = NEW_STATE
  let steps = 0
  for (; steps < 20; steps++) {
    const next = await matches.next(wanted, position, 50, true)
    position = next.position
    if (next.goesOn !== true) break
  }
  t.ok(steps < 20, `after ${steps} steps`)
  t.equal(new Set(position.open.map(([task]) => task)).size + taskNames.length - position.unread, 45, 'all of them are still to be read')
})

t.test('an abort finds out which of the waiting items were done', async t => {
  const operation = await start(itemsOf([30, 330]))
  operation.away.isAway = true
  t.equal(await operation.run(), 'waits')
  t.equal(await operation.run('abort'), 'waits', 'unknown until the server is back')
  operation.away.isAway = false
  // The change was made, but its response was lost.
  operation.changed.push('b:0')
  t.equal(await operation.run('abort'), 'over')
  t.match(await operation.state(), { ended: 'aborted', progress: { done: 31, skipped: 0, failed: 0 } })
  t.equal((await operation.items()).length, 31)
})

t.test('an operation in the previous format waits as a whole, because older processes do not know postponed items', async t => {
  const operation = await start(itemsOf([30, 30]), BULK_FORMAT)
  operation.away.isAway = true
  t.equal(await operation.run(), 'waits')
  t.equal((await operation.state()).postponed, undefined)
  operation.away.isAway = false
  t.equal(await operation.run(), 'over')
  t.equal((await operation.state()).progress.done, 60)
})
