import { inTurns } from '../../collections/in-turns.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { isSameJson } from '../../json/same-json.ts'
import { toCodeDocument } from './schedule-document.ts'
import type { ScheduleDocument, ScheduleStore, StoredSchedule } from './schedule-store.ts'

export type ScheduleCopies = ReturnType<typeof createScheduleCopies>

interface ScheduleCopiesDependencies {
  readonly copies: DocumentStore
  readonly store: ScheduleStore
  readonly holder: string
  readonly now: () => number
  /** Default: every schedule. */
  readonly mayCopy?: ((schedule: ScheduleDocument) => boolean) | undefined
}

const COPIES = 'schedule-copies'
const MARKS = 'marks'
const MARK_ID = 'scheduler-copy'
const LEASE_MS = 20_000

/**
 * Copies of the schedules in a store other than the broker's, to restore them if the broker loses its data. The mark in the broker's store
 * is copied too, so that a process that was not running at the time still detects the loss.
 */
export function createScheduleCopies({ copies, store, holder, now, mayCopy = () => true }: ScheduleCopiesDependencies) {
  let leftOut = 0

  return {
    /** How many schedules could not be copied, at the last `follow`. */
    get leftOut() {
      return leftOut
    },

    /** @returns whether the copies belong to data that the broker no longer has */
    async isLost(mark: string): Promise<boolean> {
      const copied = await copies.get<string>(MARKS, MARK_ID)
      return copied !== null && copied.value !== mark
    },

    /**
     * Writes back what the broker lost. Existing schedules stay, except those that code declared again and no one has edited since: for
     * these the copy has the operator's choices.
     * @param activeSince runs that did not happen from then on count as missed, milliseconds since the epoch
     */
    async restore(mark: string, activeSince: number): Promise<void> {
      await inTurns(await copies.list<ScheduleDocument>(COPIES), async ({ id, value }) => {
        await store.change(id, current => {
          const copy = { ...value, activeSince }
          if (current === null) return copy
          if (current.code === null || current.createdAt <= value.createdAt || Object.keys(current.edits).length > 0) return null
          return { ...toCodeDocument(current.code, copy, now()) ?? copy, activeSince }
        })
      })
      await copies.put(MARKS, MARK_ID, mark)
    },

    /** Updates the copies to match the schedules that may be copied; one process at a time. */
    async follow(schedules: readonly StoredSchedule[], mark: string): Promise<void> {
      const wanted = schedules.filter(({ value }) => mayCopy(value))
      leftOut = schedules.length - wanted.length
      if (!await copies.acquireLease(COPIES, holder, LEASE_MS)) return
      const copied = new Map((await copies.list<ScheduleDocument>(COPIES)).map(({ id, value }) => [id, value]))
      await inTurns(wanted.filter(({ id, value }) => !isSameJson(copied.get(id), value)), ({ id, value }) => copies.put(COPIES, id, value))
      const kept = new Set(wanted.map(({ id }) => id))
      await inTurns([...copied.keys()].filter(id => !kept.has(id)), id => copies.delete(COPIES, id))
      await copies.put(MARKS, MARK_ID, mark)
    }
  }
}
