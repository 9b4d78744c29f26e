import t from 'tap'
import { createBulk } from '../../../lib/queue-app/bulk/create-bulk.ts'
import { createBulkRecords, NEW_STATE } from '../../../lib/queue-app/bulk/bulk-records.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { ORDER } from './bulk-order.ts'

const START = { action: 'retry' as const, filter: {}, taskNames: ['a'], tasksLeftOut: 0 }
const LOST = new Error('Connection is closed.')
/** The error as `pg` words it. */
const NEVER_SENT = new Error('timeout exceeded when trying to connect')

/** Operations whose store stops responding, either before or after a write to `bulk`, and in every call after that. */
async function openFailing(when: 'before' | 'after', { isEnded = false } = {}) {
  const documents = createMemoryDocuments()
  const records = createBulkRecords(documents)
  await records.add('one', ORDER, { taskNames: ['a'], executionIds: null })
  const state = (await records.state('one'))!
  if (isEnded) {
    const progress = { ...NEW_STATE.progress, done: 1 }
    await records.saveState('one', { ...NEW_STATE, ended: 'done', finishedAt: 5, progress }, state.version)
  }
  let isAway = false
  const failing = Object.fromEntries(Object.entries(documents).map(([name, call]) => [name, async (...args: unknown[]) => {
    if (isAway) throw LOST
    const isOrder = name === 'put' && args[0] === 'bulk'
    isAway = isOrder
    if (isOrder && when === 'before') throw NEVER_SENT
    const result: unknown = await (call as (...args: unknown[]) => Promise<unknown>)(...args)
    if (isOrder) throw LOST
    return result
  }])) as unknown as DocumentStore
  const bulk = createBulk({
    records: createBulkRecords(failing), matches: { count: async () => ({ value: 1, relation: 'exact' }) }, now: async () => 5,
    runner: { notice() {}, waitingFor: () => null }
  } as unknown as Parameters<typeof createBulk>[0])
  return { bulk, stored: async (id: string) => (await records.order(id))?.value }
}

t.test('a change that the store may have made is reported as unconfirmed, not as failed', async t => {
  for (const [verb, wanted] of [['suspend', 'suspend'], ['abort', 'abort'], ['undo', 'undo']] as const) {
    const { bulk, stored } = await openFailing('after', { isEnded: verb === 'undo' })
    await t.rejects(bulk[verb]('one', { by: 'ada' }), { code: 'UNCONFIRMED' }, verb)
    t.match(await stored('one'), { wanted }, 'it was made')
  }
  const { bulk, stored } = await openFailing('after')
  await t.rejects(bulk.create(START, { id: 'two', isRepeated: false }), { code: 'UNCONFIRMED' })
  t.match(await stored('two'), { wanted: 'run' })
})

t.test('a change that never reached a store is not reported as unconfirmed', async t => {
  const { bulk, stored } = await openFailing('before')
  await t.rejects(bulk.suspend('one'), { code: 'BACKEND_UNAVAILABLE' })
  t.match(await stored('one'), { wanted: 'run' })
})
