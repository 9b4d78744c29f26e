import t from 'tap'
import { toCodeScheduleId, toOrdinalId } from '../../../lib/scheduler/definitions/code-schedule-id.ts'
import { toCodeDocument } from '../../../lib/scheduler/definitions/schedule-document.ts'
import { toScheduleDefinition } from '../../../lib/scheduler/definitions/schedule-input.ts'
import { createScheduleStore } from '../../../lib/scheduler/definitions/schedule-store.ts'
import type { ScheduleControl } from '../../../lib/scheduler/schedule-control.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { openSchedules } from '../open-schedules.ts'

const PURGE = toScheduleDefinition({ taskName: 'report', timing: { cron: '0 3 1 1 *', timezone: 'UTC' }, description: 'Purge' })
const WRITES: ReadonlySet<string> = new Set<keyof DocumentStore>([
  'put', 'putMany', 'replaceMany', 'delete', 'increment', 'deleteCounter'
])

for (const [title, ordinal, id] of [['a schedule without an id', 1, 'purge'], ['the second of a task', 2, 'purge']] as const) {
  t.test(`${title} that gets an id keeps its counts, wherever a kill interrupts the move`, async t => {
    const url = await redisUrl(t)
    let isWhole = false
    for (let writes = 0; !isWhole; writes++) {
      const { store, start } = await openSchedules(t, url)
      const schedules = createScheduleStore(store.documents)
      const [from, to] = [toOrdinalId('report', ordinal), toCodeScheduleId('report', id)]
      await schedules.change(from, () => toCodeDocument(PURGE, null, 1000))
      const entry = { kind: 'missed', reason: 'busy', from: 2000, to: 5000, count: 4, at: 6000 }
      await store.documents.put('schedule-ledgers', from, { until: 5000, entries: [entry] })
      await Promise.all([schedules.addMissed(from, 4), schedules.addLate(from, 2)])
      /** The result backend moves its counts in one step. */
      const counted = new Map([[from, 7]])
      const onMoved = async (from: string, to: string) => {
        counted.set(to, (counted.get(to) ?? 0) + (counted.get(from) ?? 0))
        counted.delete(from)
      }
      const declare = ({ scheduler }: ScheduleControl) => scheduler.scheduleCron('report', '0 3 1 1 *', 'Purge', { id })

      const dying = dyingAfter(store.documents, writes)
      const first = start({
        documents: dying.documents, onError() {}, onMoved: async (...move) => { if (!dying.isDead) await onMoved(...move) }
      }, declare)
      isWhole = await first.then(() => !dying.isDead, () => false)
      const control = await start({ onMoved }, declare)
      await control.converge()
      const after = `killed after ${writes} writes`
      t.match(await control.get(to), { missed: 4, late: 2, enabled: true, createdAt: 1000 }, after)
      t.match(await control.misses(to), [{ kind: 'missed', count: 4, firstDueAt: 2000 }], after)
      t.equal((await control.misses(to)).length, 1, after)
      t.same((await control.list()).map(({ scheduleId }) => scheduleId), [to], `${after}: nothing stays under the old id`)
      t.same(await schedules.missedAndLate([from]), { missed: [0], late: [0] }, after)
      t.same([...counted], [[to, 7]], after)
      t.equal((await schedules.get(to))?.value.movedFrom, undefined, after)
      if (isWhole) t.comment(`${writes} writes`)
    }
  })
}

/** The documents for a process that dies after this many writes. */
function dyingAfter(documents: DocumentStore, writes: number): { readonly documents: DocumentStore; readonly isDead: boolean } {
  let left = writes
  let isDead = false
  const calls = Object.entries(documents as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>)
  return {
    get isDead() { return isDead },
    documents: Object.fromEntries(calls.map(([name, call]) => [name, async (...parameters: unknown[]) => {
      isDead ||= WRITES.has(name) && left-- <= 0
      if (isDead) throw new Error('killed')
      return await call(...parameters)
    }])) as unknown as DocumentStore
  }
}
