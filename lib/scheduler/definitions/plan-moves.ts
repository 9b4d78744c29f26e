import { toOrdinalId } from './code-schedule-id.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { ScheduleDefinition } from './schedule-input.ts'
import type { StoredSchedule } from './schedule-store.ts'

export type Declared = readonly [scheduleId: string, definition: ScheduleDefinition]

/** A schedule that continues under another id, with everything an operator chose. */
export interface Move {
  readonly from: StoredSchedule
  readonly to: string
  /** The schedule that the old id belongs to from now on; null for none. */
  readonly next: ScheduleDefinition | null
}

/** More unnamed schedules than any task should have had. */
const MAX_ORDINALS = 100

/**
 * Finds the current declarations of schedules whose id has changed: schedules that were identified by their position in the code, as in
 * 0.1, or that got an id since. A declaration belongs to a schedule if it has the same times, arguments and description. A schedule that
 * was changed as well cannot be recognized and stays where it is. Pure.
 * @returns moves; those of one task must be made in this order
 */
export function planMoves(declared: readonly Declared[], stored: readonly StoredSchedule[]): Move[] {
  const definitions = new Map(declared)
  const taskNames = new Set(declared.map(([, { taskName }]) => taskName))
  // In almost all cases, every schedule still has the id of its declaration.
  const unsettled = new Set(stored
    .filter(({ id, value }) => value.code !== null && taskNames.has(value.taskName) && !isSameSchedule(value.code, definitions.get(id)))
    .map(({ value }) => value.taskName))
  return [...unsettled].flatMap(taskName => planMovesOfTask(taskName, {
    declared: declared.filter(([, definition]) => definition.taskName === taskName),
    stored: stored.filter(({ value }) => value.taskName === taskName)
  }))
}

/** Moves that a process began and perhaps did not end, because it died. Pure. */
export function begunMoves(declared: readonly Declared[], stored: readonly StoredSchedule[]): Move[] {
  const definitions = new Map(declared)
  return stored.flatMap(({ id: to, value: { movedFrom, code } }) => {
    const from = movedFrom === undefined ? undefined : stored.find(({ id }) => id === movedFrom)
    // By now, the old id may belong to another schedule.
    const isStill = from?.value.code && code && isSameSchedule(from.value.code, code) &&
      !isSameSchedule(from.value.code, definitions.get(from.id))
    return isStill ? [{ from, to, next: definitions.get(from.id) ?? null }] : []
  })
}

function planMovesOfTask(
  taskName: string, { declared, stored }: { declared: readonly Declared[]; stored: readonly StoredSchedule[] }
): Move[] {
  const ordinals = Array.from({ length: MAX_ORDINALS }, (_, index) => toOrdinalId(taskName, index + 1))
  const definitions = new Map(declared)
  const storedIds = new Set(stored.map(({ id }) => id))
  const isOld = ({ id, value }: StoredSchedule) => value.code !== null && !isSameSchedule(value.code, definitions.get(id))
  const old = ordinals.flatMap(id => stored.find(each => each.id === id && isOld(each)) ?? [])
  const moves: Move[] = []
  for (const from of old) {
    const next = definitions.get(from.id) ?? null
    const isFree = ([to]: Declared) => to !== from.id && !storedIds.has(to)
    const same = declared.filter(([, definition]) => isSameSchedule(from.value.code!, definition))
    // An unnamed schedule that can no longer be declared was written again by a process with older code. Its new version already exists.
    const [to] = same.find(isFree) ?? (from.id === ordinals[0] ? undefined : same[0]) ?? []
    if (to === undefined) continue
    storedIds.add(to)
    storedIds.delete(from.id)
    moves.push({ from, to, next })
  }
  // If another schedule moves to the old id, nothing else is declared there.
  return moves.map(move => moves.some(({ to }) => to === move.from.id) ? { ...move, next: null } : move)
}

export function isSameSchedule(code: ScheduleDefinition, definition: ScheduleDefinition | undefined): boolean {
  return definition !== undefined && (['timing', 'args', 'description'] as const).every(field => isSameJson(code[field], definition[field]))
}
