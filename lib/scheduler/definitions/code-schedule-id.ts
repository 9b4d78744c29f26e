import { createHash } from 'node:crypto'
import { SCHEDULE_ID_PREFIX } from '../effects/converge.ts'

/**
 * The id of a schedule that code declares: the same in every process and after every deployment, wherever it stands in the code.
 * @param id what its declaration calls it; undefined for the one schedule of a task that needs no name
 */
export function toCodeScheduleId(taskName: string, id: string | undefined): string {
  return id === undefined ? toOrdinalId(taskName, 1) : toScheduleId(taskName, `id ${id}`)
}

/** What schedules without an `id` had in 0.1: their place among those of the task, from 1. The first is still the one without a name. */
export function toOrdinalId(taskName: string, ordinal: number): string {
  return toScheduleId(taskName, `ordinal ${ordinal}`)
}

function toScheduleId(taskName: string, key: string): string {
  const hash = createHash('sha256').update(JSON.stringify([taskName, key])).digest('hex')
  return `${SCHEDULE_ID_PREFIX}${[
    hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)
  ].join('-')}`
}
