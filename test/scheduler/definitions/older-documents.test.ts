import t from 'tap'
import { createScheduleStore } from '../../../lib/scheduler/definitions/schedule-store.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'

const WRITTEN = {
  taskName: 'mail', timing: { cron: '0 0 * * *', timezone: 'UTC' }, args: [], enabled: true, source: 'api', createdAt: 1, updatedAt: 2,
  code: null
}

t.test('a schedule written by an earlier version gets every field that it lacks', async t => {
  const documents = createMemoryDocuments()
  await documents.put('schedules', 'first', WRITTEN)
  await documents.put('schedules', 'later', { ...WRITTEN, edits: {}, activeSince: 7, catchUp: 'latest' })
  const schedules = new Map((await createScheduleStore(documents).list()).map(({ id, value }) => [id, value]))
  const added = { jitterMs: 0, startAt: null, endAt: null, wins: 'live', edits: {} }
  t.match(schedules.get('first'), { ...WRITTEN, ...added, catchUp: 'none', activeSince: 2 })
  t.match(schedules.get('later'), { ...WRITTEN, ...added, catchUp: 'latest', activeSince: 7 })
})
