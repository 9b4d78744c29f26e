import { createHash } from 'node:crypto'
import { SCHEDULE_ID_PREFIX } from '../effects/converge.ts'

/**
 * The id of a schedule declared in code: the same in every process and after every deployment, wherever the declaration is in the code.
 * @param id the declaration's own id; undefined for a task's single schedule without one
 */
export function toCodeScheduleId(taskName: string, id: string | undefined): string {
  return id === undefined ? toOrdinalId(taskName, 1) : toScheduleId(taskName, `id ${id}`)
}

/**
 * The id of schedules without an `id` in 0.1: their position among the task's schedules, from 1. The first is still the one without an id.
 */
export function toOrdinalId(taskName: string, ordinal: number): string {
  return toScheduleId(taskName, `ordinal ${ordinal}`)
}

function toScheduleId(taskName: string, key: string): string {
  const hash = createHash('sha256').update(JSON.stringify([taskName, key])).digest('hex')
  return `${SCHEDULE_ID_PREFIX}${[
    hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)
  ].join('-')}`
}
