import { MAX_SCHEDULE_ID_LENGTH, PRINTABLE } from '../../../../schemas/limits.ts'
import { digestOfText } from '../../../json/digest.ts'

/** A job scheduler of an existing queue as stored in its queue, or an old repeatable job. Times are in milliseconds since the epoch. */
export interface ObservedScheduler {
  readonly taskName: string
  /** Unique in its queue. */
  readonly id: string
  /** `repeatable`: from before BullMQ had job schedulers. */
  readonly kind: 'scheduler' | 'repeatable'
  readonly jobName: string
  /** A cron expression, or whatever the owner's repeat strategy reads. */
  readonly pattern: string | null
  readonly everyMs: number | null
  /** Null: that of the process which planned the next run. */
  readonly timezone: string | null
  readonly startAt: number | null
  readonly endAt: number | null
  readonly limit: number | null
  /** How long after the start of each interval its runs are due. */
  readonly offsetMs: number | null
  /** How many runs were planned since it was created; null for a repeatable job. */
  readonly iterations: number | null
  /** Data of its runs as JSON. Undefined if it is too large to be read. */
  readonly data: string | null | undefined
  /** Options of its runs as JSON. Undefined if they are too large to be read. */
  readonly opts: string | null | undefined
  /** When its next run is due. The id of that run's job contains this time. */
  readonly plannedAt: number
  /**
   * The state of the job of its next run. `started`: it is running or over, and the run after it is not planned yet, or never will be.
   * `gone`: someone removed it.
   */
  readonly pending: 'delayed' | 'due' | 'started' | 'gone'
  /** Whether its definition was last written by this package. */
  readonly isEdited: boolean
}

/** Fields of its hash, in the order that `observedSchedulerFrom` expects. */
export const SCHEDULER_FIELDS = [
  'name', 'pattern', 'every', 'tz', 'startDate', 'endDate', 'limit', 'offset', 'ic', 'taskDashboard'
] as const

/** What is read besides the hash. */
type Beside = Pick<ObservedScheduler, 'taskName' | 'id' | 'data' | 'opts' | 'plannedAt' | 'pending'>

/** @param values of SCHEDULER_FIELDS */
export function observedSchedulerFrom(beside: Beside, values: ReadonlyArray<string | null>): ObservedScheduler {
  const [name = null, pattern = null, every = null, tz = null, startDate, endDate, limit, offset, iterations, edited = null] = values
  const old = name === null ? fromOldKey(beside.id) : null
  return {
    ...beside,
    // Only job schedulers count their runs.
    kind: wholeFrom(iterations) === null ? 'repeatable' : 'scheduler',
    jobName: name ?? old?.jobName ?? '',
    pattern: pattern ?? old?.pattern ?? null,
    everyMs: wholeFrom(every) ?? old?.everyMs ?? null,
    timezone: tz ?? old?.timezone ?? null,
    startAt: wholeFrom(startDate),
    endAt: wholeFrom(endDate) ?? old?.endAt ?? null,
    limit: wholeFrom(limit),
    offsetMs: wholeFrom(offset),
    iterations: wholeFrom(iterations),
    isEdited: edited !== null
  }
}

/** Before version 5.10, BullMQ kept nothing of a repeatable job but its key: `name:id:endDate:tz:pattern`. */
function fromOldKey(key: string): Pick<ObservedScheduler, 'jobName' | 'endAt' | 'timezone' | 'pattern' | 'everyMs'> | null {
  const [jobName, id, endDate, timezone, ...rest] = key.split(':')
  const rule = rest.join(':')
  if (jobName === undefined || id === undefined || rule === '') return null
  const everyMs = wholeFrom(rule)
  return { jobName, endAt: wholeFrom(endDate), timezone: timezone || null, pattern: everyMs === null ? rule : null, everyMs }
}

const PRINTABLE_ID = new RegExp(PRINTABLE, 'u')

/**
 * The id of the schedule that represents a scheduler. It is a digest if the name is too long or cannot be printed, because owners may
 * choose any name.
 */
export function scheduleIdOf(taskName: string, schedulerId: string): string {
  const id = `${taskName}:${schedulerId}`
  if (id.length <= MAX_SCHEDULE_ID_LENGTH && PRINTABLE_ID.test(id)) return id
  return digestOfText(id)
}

/** Whether an id may be a digest, which does not reveal the task. */
export function isDigest(scheduleId: string): boolean {
  return /^[\w-]{43}$/.test(scheduleId)
}

function wholeFrom(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}
