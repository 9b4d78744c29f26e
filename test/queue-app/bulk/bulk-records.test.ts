import t from 'tap'
import { createBulkRecords, NEW_STATE, type BulkStanding, type SettledItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'

const GROUPS: readonly SettledItem[] = [['g', null, 'done'], ['h', 3, 'failed', 'CONFLICT']]
const STATE: BulkStanding = {
  ...NEW_STATE, plan: [['g', null], ['h', 0]], tail: GROUPS, position: { unread: 1, open: [[null, 'mark'], [2, null]] },
  postponed: [['i', null, true]]
}

t.test('an item without a task is stored with the -1 that older versions know, and read as null', async t => {
  const documents = createMemoryDocuments()
  const records = createBulkRecords(documents)
  await records.saveState('a', STATE, 0)
  t.match((await documents.get('bulk-states', 'a'))!.value, {
    plan: [['g', -1], ['h', 0]], tail: [['g', -1, 'done'], ['h', 3, 'failed', 'CONFLICT']],
    position: { unread: 1, open: [[-1, 'mark'], [2, null]] }, postponed: [['i', -1, true]]
  })
  t.same((await records.state('a'))!.value, STATE)
  t.same(await records.statesOf(['a', 'b']), [STATE, null])

  t.same(await records.keepChunk('a', 0, [], GROUPS), GROUPS)
  t.same((await documents.get('bulk-items', 'a:0'))!.value, [['g', -1, 'done'], ['h', 3, 'failed', 'CONFLICT']])
  t.same(await records.chunk('a', 0), GROUPS)
  t.same(await records.keepChunk('a', 0, [], [['g', null, 'skipped'], ['h', 3, 'done']]), GROUPS, 'the outcomes that are stored')
  await records.replaceChunk('a', 0, [['g', null, 'undone']])
  t.same((await documents.get('bulk-items', 'a:0'))!.value, [['g', -1, 'undone']])
})

t.test('the state of an operation of a newer version may have any form', async t => {
  const documents = createMemoryDocuments()
  await documents.put('bulk-states', 'newer', { steps: 3 })
  const records = createBulkRecords(documents)
  t.same((await records.state('newer'))!.value, { steps: 3 })
  t.same(await records.statesOf(['newer']), [{ steps: 3 }])
})
