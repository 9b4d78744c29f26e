import t, { type Test } from 'tap'
import type { BulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import type { NextItems } from '../../../lib/queue-app/bulk/matching/bulk-wanted.ts'
import type { BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { createBulkRecords, type PlannedItem, type SettledItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkSteps } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { ORDER } from './bulk-order.ts'

const NOWHERE = { unread: 0, open: [] }
const FIRST = ids('first', 3)

t.test('if a process dies after the last chunk and before the state, each outcome is kept', t => onEveryStore(t, async (t, url) => {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError: error => t.fail(error.message) })
  t.teardown(() => store.stop())
  await store.start()
  const operation = await startOn(t, store.documents)
  await operation.diesAfterChunk('a', { outcomes: FIRST.map(done) })
  // Someone else has changed the items since then, so a new check could not find out who did it.
  t.equal(await operation.stepOf('b', { settles: items => items.map(skipped) }), 'over')
  await operation.has(t, FIRST.map(done))
}))

t.test('items that are found after such a death follow the chunk', async t => {
  const operation = await startOn(t, createMemoryDocuments())
  await operation.diesAfterChunk('a', { outcomes: FIRST.map(done) })
  const more = ids('more', 497)
  const last = ids('last', 40)
  const settled: string[] = []
  const settles = (items: readonly PlannedItem[]): SettledItem[] => {
    settled.push(...items.map(([id]) => id))
    return items.map(done)
  }
  t.equal(await operation.stepOf('b', { settles, next: { items: more, position: NOWHERE, isEnd: false } }), 'busy')
  t.equal(await operation.stepOf('b', { settles, next: { items: last, position: NOWHERE, isEnd: true } }), 'busy')
  t.equal(await operation.stepOf('b', { settles }), 'over')
  await operation.has(t, [...FIRST, ...more, ...last].map(done))
  t.same(settled, [...more, ...last].map(([id]) => id), 'items that were done are not done again')
})

for (const wanted of ['abort', 'undo'] as const) {
  t.test(`an ${wanted} after such a death keeps every outcome of the chunk`, async t => {
    const operation = await startOn(t, createMemoryDocuments())
    const outcomes = [done(FIRST[0]!), skipped(FIRST[1]!), done(FIRST[2]!)]
    await operation.diesAfterChunk('a', { outcomes })
    t.equal(await operation.stepOf('b', { wanted }), wanted === 'abort' ? 'over' : 'busy')
    await operation.has(t, outcomes)
  })
}

t.test('a chunk that another process stored while this one was frozen is kept', async t => {
  const operation = await startOn(t, createMemoryDocuments())
  await operation.stepOf('b', {
    async settles(items) {
      await operation.diesAfterChunk('a', { outcomes: [skipped(FIRST[0]!), ...FIRST.slice(1).map(done)] })
      return items.map(done)
    }
  })
  await operation.has(t, [skipped(FIRST[0]!), ...FIRST.slice(1).map(done)])
})

interface StepOf {
  readonly wanted?: BulkOrder['wanted']
  /** Default: nothing may be settled. */
  settles?(items: readonly PlannedItem[]): SettledItem[] | Promise<SettledItem[]>
  /** Default: there is nothing more. */
  readonly next?: NextItems
}

/** An operation whose plan is `FIRST`, and processes that continue it, each in its own way. */
async function startOn(t: Test, documents: DocumentStore) {
  const records = createBulkRecords(documents)
  await records.add('one', ORDER, { taskNames: ['a'], executionIds: null })
  const order = (await records.order('one'))!.value as BulkOrder
  const processes = new Map<string, { step(how: StepOf): Promise<string> }>()

  function processOf(name: string, isDying = false) {
    const own = isDying ? createBulkRecords(dyingAtState(documents)) : records
    let now: StepOf = {}
    const steps = createBulkSteps({
      records: own, now: async () => 3_000,
      matches: { next: async () => now.next ?? { items: [], position: NOWHERE, isEnd: true } },
      actions: {
        settle: async (_acting, items) => now.settles?.(items) ?? t.fail('nothing is left to do'),
        whatWasDone: async () => []
      } as Partial<BulkActions> as BulkActions
    })
    const job = steps.begin('one')
    const found = {
      async step(how: StepOf) {
        now = how
        return (await steps.step(job, { ...order, wanted: how.wanted ?? 'run' }, async () => {})).is
      }
    }
    processes.set(name, found)
    return found
  }

  await processOf('planner').step({ next: { items: FIRST, position: NOWHERE, isEnd: false } })
  return {
    stepOf: (name: string, how: StepOf) => (processes.get(name) ?? processOf(name)).step(how),
    /** The process does the planned items and stores the chunk, but dies before it stores the state. */
    async diesAfterChunk(name: string, { outcomes }: { outcomes: readonly SettledItem[] }) {
      await t.rejects(processOf(name, true).step({ settles: () => [...outcomes] }), { code: 'BACKEND_UNAVAILABLE' })
      t.same(await records.chunk('one', 0), outcomes, 'the chunk is kept')
      t.equal((await records.state('one'))!.value.chunks, 0, 'the state does not know of it')
    },
    /** Checks the items of the operation and its counts. */
    async has(t: Test, outcomes: readonly SettledItem[]) {
      const { chunks, tail, progress } = (await records.state('one'))!.value
      const kept = await Promise.all(Array.from({ length: chunks }, (_, chunk) => records.chunk('one', chunk)))
      t.same([...kept.flatMap(chunk => chunk ?? []), ...tail], outcomes)
      t.ok(kept.slice(0, -1).every(chunk => chunk?.length === 500), 'all chunks but the last are full')
      const count = (wanted: string): number => outcomes.filter(([, , outcome]) => outcome === wanted).length
      t.same(progress, { done: count('done'), skipped: count('skipped'), failed: 0, undone: 0 })
    }
  }
}

function dyingAtState(documents: DocumentStore): DocumentStore {
  return new Proxy(documents, {
    get(target, name, receiver) {
      if (name !== 'put') return Reflect.get(target, name, receiver)
      return async (...args: Parameters<DocumentStore['put']>) => {
        if (args[0] === 'bulk-states') throw new Error('the process died')
        return await target.put(...args)
      }
    }
  })
}

function ids(name: string, count: number): PlannedItem[] {
  return Array.from({ length: count }, (_, index) => [`${name}-${index}`, 0])
}

function done([id, task]: PlannedItem): SettledItem { return [id, task, 'done'] }
function skipped([id, task]: PlannedItem): SettledItem { return [id, task, 'skipped', 'ALREADY_RETRIED'] }
