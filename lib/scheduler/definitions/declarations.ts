import type { StoreClock } from '../../stores/store-clock.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { begunMoves, isSameSchedule, planMoves, type Declared, type Move } from './plan-moves.ts'
import type { RunLedger } from '../runs/run-ledger.ts'
import { toCodeDocument } from './schedule-document.ts'
import type { ScheduleEffects } from '../effects/schedule-effects.ts'
import type { ScheduleDefinition } from './schedule-input.ts'
import type { ScheduleDocument, ScheduleStore, StoredSchedule } from './schedule-store.ts'

interface DeclarationsDependencies {
  readonly store: ScheduleStore
  readonly scheduleEffects: ScheduleEffects
  readonly ledger: RunLedger
  readonly clock: StoreClock
  /** Never rejects. It can be called again for a move that another process began. */
  onMoved(from: string, to: string): Promise<void>
}

/** Writes code declarations. Any number of processes may do this at once. */
export function createDeclarations({ store, scheduleEffects, ledger, clock, onMoved }: DeclarationsDependencies) {
  const now = clock.latest

  return {
    /** @param lostSince for schedules that the broker lost: runs that did not happen from then on count as missed */
    async writeAll(declared: readonly Declared[], lostSince?: number): Promise<void> {
      if (declared.length === 0) return
      const [stored] = await Promise.all([store.list(), clock.set()])
      const begun = begunMoves(declared, stored)
      const begunFrom = new Set(begun.map(({ from }) => from.id))
      const moves = [...begun, ...planMoves(declared, stored.filter(({ id }) => !begunFrom.has(id)))]
      await inTurns([...new Set(moves.map(({ from }) => from.value.taskName))], async taskName => {
        for (const each of moves.filter(({ from }) => from.value.taskName === taskName)) await move(each)
      })
      await inTurns(stored.filter(({ value }) => value.movedFrom !== undefined && !begunFrom.has(value.movedFrom)), endMove)
      const moved = new Set(moves.flatMap(({ from, to }) => [from.id, to]))
      const standing = new Map(stored.filter(({ id }) => !moved.has(id)).map(schedule => [schedule.id, schedule.value]))
      // Most are unchanged.
      const changed = declared.filter(([id, definition]) => {
        const current = standing.get(id)
        return current === undefined || toCodeDocument(definition, current, now()) !== null
      })
      await inTurns(changed, ([id, definition]) => write(id, definition, lostSince))
    }
  }

  async function write(scheduleId: string, definition: ScheduleDefinition, lostSince?: number): Promise<void> {
    let isChanged = false
    const written = await store.change(scheduleId, current => {
      const next = toCodeDocument(definition, current, now())
      isChanged = next !== null
      return next && current === null && lostSince !== undefined ? { ...next, activeSince: lostSince } : next
    })
    if (isChanged) await scheduleEffects.settle(scheduleId, written!.value.taskName)
  }

  /**
   * Each step reads the state again, because another process may be doing the same. A process can die after any step. Until the last one,
   * `movedFrom` in the new document says what is left to do.
   */
  async function move({ from, to, next }: Move): Promise<void> {
    const made = await store.change(to, current => current === null ? { ...from.value, movedFrom: from.id } : null)
    const isMoving = made?.value.movedFrom === from.id
    if (isMoving) {
      await ledger.move(from.id, to)
      await onMoved(from.id, to)
    }
    await leave(from, next)
    if (isMoving) await endMove(made)
    await scheduleEffects.settle(to, from.value.taskName)
  }

  async function endMove({ id, value: { movedFrom } }: StoredSchedule): Promise<void> {
    await store.change(id, current => {
      if (current === null || current.movedFrom !== movedFrom) return null
      const { movedFrom: _done, ...settled } = current
      return settled
    })
  }

  /** From now on, the old id belongs to another schedule, which no one has disabled yet, or to none. */
  async function leave({ id, value }: StoredSchedule, next: ScheduleDefinition | null): Promise<void> {
    const code = value.code!
    const isStill = (current: ScheduleDocument | null | undefined) => current?.code ? isSameSchedule(current.code, code) : false
    if (next !== null) await store.change(id, current => isStill(current) ? toCodeDocument(next, null, now()) : null)
    else if (isStill((await store.get(id))?.value)) await store.delete(id)
    await scheduleEffects.settle(id, value.taskName)
  }
}
