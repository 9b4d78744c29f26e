import { toOrdinalId } from '../definitions/code-schedule-id.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { ScheduleDefinition } from '../definitions/schedule-input.ts'
import type { StoredSchedule } from '../definitions/schedule-store.ts'

export type Declared = readonly [scheduleId: string, definition: ScheduleDefinition]

/** A schedule that goes on under another id, with all that an operator chose. */
export interface Move {
  readonly from: StoredSchedule
  readonly to: string
  /** What the old id stands for from now on; null for nothing. */
  readonly next: ScheduleDefinition | null
}

/** More schedules without a name than any task should have had. */
const MAX_ORDINALS = 100

/**
 * Schedules that were told apart by their place in the code, as 0.1 did, or that got a name since, and the declarations that they are
 * by now: those with the same times, arguments and description. What was changed too is not known again: it stays where it is. Pure.
 * @returns those of a task in the order in which they are to be made
 */
export function planMoves(declared: readonly Declared[], stored: readonly StoredSchedule[]): Move[] {
  const definitions = new Map(declared)
  const taskNames = new Set(declared.map(([, { taskName }]) => taskName))
  // Nearly always each is where it was declared.
  const unsettled = new Set(stored
    .filter(({ id, value }) => value.code !== null && taskNames.has(value.taskName) && !isSameSchedule(value.code, definitions.get(id)))
    .map(({ value }) => value.taskName))
  return [...unsettled].flatMap(taskName => planMovesOfTask(taskName, {
    declared: declared.filter(([, definition]) => definition.taskName === taskName),
    stored: stored.filter(({ value }) => value.taskName === taskName)
  }))
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
    // One without a name that cannot be declared any more was written once more by a process with older code: it is there already.
    const [to] = same.find(isFree) ?? (from.id === ordinals[0] ? undefined : same[0]) ?? []
    if (to === undefined) continue
    storedIds.add(to)
    storedIds.delete(from.id)
    moves.push({ from, to, next })
  }
  // Another one takes the place.
  return moves.map(move => moves.some(({ to }) => to === move.from.id) ? { ...move, next: null } : move)
}

export function isSameSchedule(code: ScheduleDefinition, definition: ScheduleDefinition | undefined): boolean {
  return definition !== undefined && (['timing', 'args', 'description'] as const).every(field => isSameJson(code[field], definition[field]))
}
