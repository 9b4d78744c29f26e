import { SCHEDULE_ID_MAX_LENGTH } from '../../schemas/limits.ts'
import type { CatchUpPolicy, OverlapPolicy } from '../../schemas/schedule.ts'
import { toCodeScheduleId } from './code-schedule-id.ts'
import type { Declared } from './plan-moves.ts'
import { isSameJson } from './same-json.ts'
import { invalidSchedule, toScheduleDefinition, type ScheduleDefinition } from './schedule-input.ts'
import type { ScheduleTiming } from './schedules.ts'

export interface CodeScheduleOptions<Args extends readonly unknown[] = readonly unknown[]> {
  /**
   * Tells the schedules of one task apart across deployments. One schedule of a task needs none; each further one does. 1 to 100
   * characters.
   */
  id?: string
  /** Positional arguments. Default []. At most 100 items and 64 KiB as JSON. */
  args?: Readonly<Args>
  /** IANA name, default `UTC`. */
  timezone?: string
  /** 0 to 2 097 151, default 0: 0 runs first, then 1 upward. */
  priority?: number
  /** `skip` leaves out a run that is due while the one before it still runs. Default `allow`. */
  overlap?: OverlapPolicy
  /** After an outage: `none`, nothing of what was missed; `one`, one late run that stands for all of it. Default `none`. */
  catchUp?: CatchUpPolicy
  /** Each run is put off by 0 to this many milliseconds, always the same for the same instant. 0 to 3 600 000, default 0. */
  jitterMs?: number
  /** No run is due before, or after, it. Default null, no bound. */
  startAt?: Date | null
  endAt?: Date | null
  /** Default true. What an operator chose in the dashboard outlives deployments. */
  enabled?: boolean
}

/**
 * Schedules declared in code. Declare them before or after the start, in every process that may be the first to start: the same
 * declaration is the same schedule. A changed one (cron, args, …) changes the schedule, but for what an operator edited, enabled or
 * disabled (see `wins`). One that is no longer in the code stays until it is deleted in the dashboard.
 */
export class Scheduler<Tasks extends Record<string, (...args: never[]) => unknown> = Record<string, (...args: unknown[]) => unknown>> {
  readonly #declared = new Map<string, ScheduleDefinition>()
  readonly #write: (declared: Declared) => Promise<void>

  /** @param write writes a declaration at once, or does nothing before the start */
  constructor(write: (declared: Declared) => Promise<void>) {
    this.#write = write
  }

  /**
   * Runs a task at the times of a cron expression.
   * @param cron five fields: minute, hour, day of month, month, day of week
   * @returns the id of the schedule, the same in every process and after every deployment
   * @throws INVALID_CRON, INVALID_SCHEDULE; after the start BROKER_UNAVAILABLE
   */
  async scheduleCron<Name extends keyof Tasks & string>(
    taskName: Name, cron: string, description?: string | null, options: CodeScheduleOptions<Parameters<Tasks[Name]>> = {}
  ): Promise<string> {
    return this.#declare(taskName, { cron, timezone: options.timezone ?? 'UTC' }, description, options)
  }

  /**
   * Runs a task again and again, the first time one interval after the schedule was made.
   * @param intervalMs 1000 to 31 536 000 000
   * @returns the id of the schedule
   * @throws INVALID_SCHEDULE; after the start BROKER_UNAVAILABLE
   */
  async scheduleInterval<Name extends keyof Tasks & string>(
    taskName: Name, intervalMs: number, description?: string | null, options: CodeScheduleOptions<Parameters<Tasks[Name]>> = {}
  ): Promise<string> {
    return this.#declare(taskName, { intervalMs, timezone: options.timezone ?? 'UTC' }, description, options)
  }

  /** What this process declared: schedule id and definition. */
  declared(): readonly Declared[] {
    return [...this.#declared]
  }

  async #declare(taskName: string, timing: ScheduleTiming, description: string | null | undefined, options: CodeScheduleOptions): Promise<string> {
    checkOptions(options)
    const { id, args, priority, overlap, enabled, catchUp, jitterMs, startAt, endAt } = options
    const definition = toScheduleDefinition({
      taskName, timing,
      ...(description !== undefined && { description }),
      ...(args !== undefined && { args }),
      ...(priority !== undefined && { priority }),
      ...(overlap !== undefined && { overlap }),
      ...(catchUp !== undefined && { catchUp }),
      ...(jitterMs !== undefined && { jitterMs }),
      ...(startAt && { startAt: startAt.getTime() }),
      ...(endAt && { endAt: endAt.getTime() }),
      ...(enabled !== undefined && { enabled })
    })
    if (id !== undefined && (typeof id !== 'string' || id.length < 1 || id.length > SCHEDULE_ID_MAX_LENGTH)) {
      throw invalidSchedule([{ pointer: '/id', message: `must be 1 to ${SCHEDULE_ID_MAX_LENGTH} characters` }])
    }
    const scheduleId = toCodeScheduleId(taskName, id)
    const known = this.#declared.get(scheduleId)
    if (known && !isSameJson(known, definition)) throw invalidSchedule([{ pointer: '/id', message: alreadyThere(taskName, id) }])
    this.#declared.set(scheduleId, definition)
    await this.#write([scheduleId, definition])
    return scheduleId
  }
}

const OPTIONS = {
  id: true, args: true, timezone: true, priority: true, overlap: true, catchUp: true, jitterMs: true, startAt: true, endAt: true, enabled: true
} satisfies Record<keyof CodeScheduleOptions, true>

/** What types would find: a misspelt time zone would be UTC in silence. */
function checkOptions(options: CodeScheduleOptions): void {
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(OPTIONS, name))
  const noDate = (['startAt', 'endAt'] as const).filter(name => options[name] !== undefined && options[name] !== null && !(options[name] instanceof Date))
  const faults = [
    ...unknown.map(name => ({ pointer: `/${name}`, message: `is not an option; there are ${Object.keys(OPTIONS).join(', ')}` })),
    ...noDate.map(name => ({ pointer: `/${name}`, message: 'must be a Date' }))
  ]
  if (faults.length > 0) throw invalidSchedule(faults)
}

function alreadyThere(taskName: string, id: string | undefined): string {
  if (id !== undefined) return `"${id}" is already another schedule of the task "${taskName}" in this process`
  return `is missing: the task "${taskName}" already has a schedule without an id; give this one an id of its own, which tells it apart in later deployments`
}
