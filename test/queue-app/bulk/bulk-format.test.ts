import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { isForeign, orderFrom } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { createBulkRecords, NEW_STATE } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkRunner } from '../../../lib/queue-app/bulk/bulk-runner.ts'
import type { BulkSteps } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import type { BulkOperation, BulkPage } from '../../../schemas/bulk.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { onEveryStore, postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openBulk, FLAKY } from './bulk-app.ts'
import { ORDER } from './bulk-order.ts'

/** Longer than a process waits before it looks for work again, and longer than an operation without an order stays open. */
const LOOKED_MS = 4_000
const NOW = Date.now()
const DAY_MS = 86_400_000

/** Orders that another version may store. If a part was ignored, each would retry every failure of the task. */
const FOREIGN: Readonly<Record<string, object>> = {
  'a later format': { ...ORDER, format: 2, does: 'retry', filter: { all: [{ task: FLAKY }] } },
  'an action that is not known': { ...ORDER, action: 'reschedule', filter: { taskName: FLAKY } },
  'a condition that is not known': { ...ORDER, filter: { taskName: FLAKY, queue: 'other' } },
  'a field that is not known': { ...ORDER, filter: { taskName: FLAKY }, onlyTheFirst: 1 },
  'no format': { ...ORDER, format: undefined, filter: { taskName: FLAKY, executionIds: ['one'] } }
}

t.test('an operation of another version is left alone and marked as such, and all others continue', t => onEveryStore(t, async (t, url) => {
  const seeded = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
  await seeded.start()
  for (const [index, order] of Object.values(FOREIGN).entries()) {
    await seeded.documents.put('bulk-states', `foreign-${index}`, NEW_STATE)
    await seeded.documents.put('bulk-ranges', 'range', { taskNames: [FLAKY], executionIds: null })
    await seeded.documents.put('bulk', `foreign-${index}`, { ...order, createdAt: NOW + index, before: NOW + 3_600_000 })
    await seeded.documents.put('bulk-work', `foreign-${index}`, {})
  }
  await seeded.stop()

  const { post, fail, read, change, until, items, state, ran } = await openBulk(t, url)
  const [mine] = await fail(2)
  state.isMended = true
  const started = await post({ action: 'retry', filter: { execution_ids: [mine!] }, dry_run: false })
  t.match((await until(started.json<BulkOperation>().operation_id, 'done')).progress, { items: 1, done: 1 })
  await sleep(LOOKED_MS)
  await waitFor('the retry', async () => ran.length > 0)
  t.equal(ran.length, 1, 'only the execution of the known operation')

  const page = await read<BulkPage>('bulk')
  t.equal(page.total.value, Object.keys(FOREIGN).length + 1)
  for (const [index, what] of Object.keys(FOREIGN).entries()) {
    const id = `foreign-${index}`
    const listed = page.items.find(each => each.operation_id === id)
    t.match(listed, {
      action: null, state: 'unsupported', problem: /Another version/, filter: null, progress: null, count: { relation: 'at_least' },
      created_by: 'ada', undoable: false, finished_at: null
    }, what)
    t.same(await read<BulkOperation>(`bulk/${id}`), listed)
    t.same(await items(id), [])
    for (const verb of ['suspend', 'resume', 'abort', 'undo'])
      t.match((await change(id, verb)).json(), { status: 409, code: 'BULK_STATE', detail: /unsupported/ }, `${verb}: ${what}`)
  }
}))

// Only one process at a time may open the embedded store.
for (const [kind, urlOf] of Object.entries({ redis: redisUrl, postgres: postgresUrl })) {
  t.test(`a process of a version without formats does not end operations that it cannot read, on ${kind}`, async t => {
    const url = await urlOf(t)
    const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
    await store.start()
    t.teardown(() => store.stop())
    const { post, fail, until, items, state } = await openBulk(t, url)
    const failed = await fail(2)
    state.isMended = true
    const seen: unknown[] = []
    const older = olderProcess(store.documents, operation => seen.push(operation))
    // One step for each item, so that the older process could interfere in between.
    const started = await post({ action: 'retry', filter: { task_name: FLAKY }, dry_run: false, rate: 1 })
    const id = started.json<BulkOperation>().operation_id
    t.match((await until(id, 'done')).progress, { items: 2, done: 2 })
    t.same((await items(id)).map(each => each.execution_id).sort(), failed.toSorted())
    await older.stop()
    t.same(seen, [])

    await store.documents.put('bulk-states', 'older', NEW_STATE)
    await store.documents.put('bulk-open', 'older', {})
    const another = olderProcess(store.documents, operation => seen.push(operation))
    await waitFor('its own operation to be ended', async () => seen.length > 0)
    await another.stop()
    t.same(seen, ['older'], 'it does end what it finds')
  })
}

/** Ends every open operation, as such a process does if it does not find the range: without tasks there is nothing to do. */
function olderProcess(documents: DocumentStore, ended: (operationId: string) => void) {
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      for (const { id } of await documents.list('bulk-open')) {
        const state = await documents.get<typeof NEW_STATE>('bulk-states', id)
        await documents.put('bulk-states', id, { ...state!.value, ended: 'done', finishedAt: NOW }, { ifVersion: state!.version })
        await documents.delete('bulk-open', id)
        ended(id)
      }
      await sleep(20)
    }
  })()
  return { async stop() { isOver = true; await running } }
}

t.test('this version recognizes the orders that it stores, and no others', async t => {
  t.notOk(isForeign(orderFrom(JSON.parse(JSON.stringify(ORDER)))))
  for (const value of [null, 7, 'text', [], {}, { ...ORDER, wanted: 'pause' }, { ...ORDER, filter: null }, { ...ORDER, format: '1' }])
    t.match(orderFrom(value), { problem: String, createdAt: Number }, JSON.stringify(value))
  for (const createdAt of [-1, 1e300, 8.64e15, 0.5, '5', null]) t.match(orderFrom({ format: 2, createdAt }), { createdAt: 0 })
})

t.test('an operation of another version is removed only long after its own processes would have removed it', async t => {
  const documents = createMemoryDocuments()
  const now = 100 * DAY_MS
  const ages = { own: 8, young: 6, foreign: 8, forgotten: 15 }
  for (const [id, days] of Object.entries(ages)) {
    const order = { ...ORDER, createdAt: now - days * DAY_MS, ...id === 'foreign' || id === 'forgotten' ? { format: 2 } : {} }
    await documents.put('bulk', id, order)
    await documents.put('bulk-states', id, { ...NEW_STATE, ended: 'done' })
  }
  const runner = createBulkRunner({
    records: createBulkRecords(documents), leases: documents, holder: 'me', now: async () => now, onError(error) { t.error(error) },
    pruneAfterMs: 0, steps: {} as BulkSteps
  })
  runner.start()
  t.teardown(() => runner.stop())
  const ids = async (): Promise<string[]> => (await documents.list('bulk')).map(({ id }) => id)
  await waitFor('two to be removed', async () => (await ids()).length === 2)
  t.same((await ids()).sort(), ['foreign', 'young'])
  t.same((await documents.list('bulk-work')).length, 0)
})
