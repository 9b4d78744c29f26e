import { QueueApp } from '../../../lib/index.ts'
import { BULK_FORMAT, type BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { createBulkRecords, NEW_STATE, type SettledItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { Store } from '../../../lib/stores/store.ts'

/** Started by an unknown version. */
export const FOREIGN_OPERATION = 'foreign'
/** A person has started to undo this operation. */
export const UNDOING_OPERATION = 'undoing'

/** Undoing takes a second for each item, so it does not end during the test. */
const CHUNKS_TO_UNDO = 20
const ITEMS_PER_CHUNK = 100
const GONE_SCHEDULES = 30

export async function addForeignOperation(url: string): Promise<void> {
  await inStore(url, async ({ documents }) => {
    await documents.put('bulk-states', FOREIGN_OPERATION, NEW_STATE)
    await documents.put('bulk', FOREIGN_OPERATION, { format: 2, createdAt: Date.now(), by: 'ada' })
  })
}

export async function addUndoingOperation(url: string, taskName: string): Promise<void> {
  const now = Date.now()
  const order: Omit<BulkOrder, 'rangeId'> = {
    format: BULK_FORMAT, action: 'retry', filter: { taskName }, executionCount: null, createdAt: now, before: now, by: 'ada', reason: null,
    rate: 1, count: { value: CHUNKS_TO_UNDO * ITEMS_PER_CHUNK, relation: 'exact' }, taskCount: 1, tasksLeftOut: 0, isAllTasks: false,
    wanted: 'undo', changedAt: now, changedBy: 'ada'
  }
  await inStore(url, async ({ documents }) => {
    const records = createBulkRecords(documents)
    await records.add(UNDOING_OPERATION, order, { taskNames: [taskName], executionIds: null })
    for (let chunk = 0; chunk < CHUNKS_TO_UNDO; chunk++) {
      await records.replaceChunk(UNDOING_OPERATION, chunk, Array.from(
        { length: ITEMS_PER_CHUNK }, (_, index): SettledItem => [`made-up-${chunk}-${index}`, 0, 'done']))
    }
    const { version } = (await records.state(UNDOING_OPERATION))!
    await records.saveState(UNDOING_OPERATION, {
      ...NEW_STATE, isRead: true, ended: 'done', finishedAt: now, chunks: CHUNKS_TO_UNDO,
      progress: { ...NEW_STATE.progress, done: CHUNKS_TO_UNDO * ITEMS_PER_CHUNK }
    }, version)
  })
}

/** Schedules of a task that only an earlier version of the program had. */
export async function addGoneSchedules(url: string): Promise<string[]> {
  const task = 'own:gone'
  const earlier = QueueApp.fromUrls({ broker: url, tasks: { [task]: {} } })
  await earlier.start()
  const ids: string[] = []
  for (let count = 0; count < GONE_SCHEDULES; count++) {
    ids.push((await earlier.operations.createSchedule({
      taskName: task, timing: { cron: '0 4 1 1 *', timezone: 'UTC' }, description: 'as it was'
    })).scheduleId)
  }
  await earlier.stop()
  return ids
}

async function inStore(url: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError() {} })
  await store.start()
  await work(store)
  await store.stop()
}
