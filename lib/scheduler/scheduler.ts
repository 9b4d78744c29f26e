import { MAX_SCHEDULE_ID_LENGTH } from '../../schemas/limits.ts'
import type { CatchUpPolicy, OverlapPolicy } from '../../schemas/schedule.ts'
import type { InputFault } from '../errors.ts'
import type { AnyTasks, TaskArgs, TaskMap, TaskTarget } from '../task-map.ts'
import type { TaskReference } from '../task-reference.ts'
import { toCodeScheduleId } from './definitions/code-schedule-id.ts'
import type { Declared } from './definitions/plan-moves.ts'
import { isObject } from '../json/is-object.ts'
import { isSameJson } from '../json/same-json.ts'
import { invalidSchedule, toScheduleDefinition, type ScheduleDefinition } from './definitions/schedule-input.ts'

export interface CodeScheduleOptions<Args extends readonly unknown[] = readonly unknown[]> {
  /**
   * Identifies the schedules of one task across deployments. Only one schedule of a task may have none. 1 to 100 characters.
   */
  id?: string
  /** Positional arguments. Default []. At most 100 items and 64 KiB as JSON. */
  args?: Readonly<Args>
  /** IANA name, default `UTC`. */
  timezone?: string
  /** 0 to 2,097,151: 0 runs first, then 1 upward. Default 0. */
  priority?: number
  /** `skip` skips a run that is due while the previous one is still running. Default `allow`. */
  overlap?: OverlapPolicy
  /** What happens after an outage. `none`: missed runs stay missed. `one`: a single late run stands for all of them. Default `none`. */
  catchUp?: CatchUpPolicy
  /** Delays each run by 0 to this many milliseconds, always the same for the same instant. 0 to 3,600,000. Default 0. */
  jitterMs?: number
  /** No run is due before `startAt` or after `endAt`. Default null: no limit. */
  startAt?: Date | null
  endAt?: Date | null
  /** Whether it runs. An operator's choice in the dashboard survives deployments. Default true. */
  enabled?: boolean
}

/** `options.args` is required if the task needs arguments. */
type DescriptionAndOptions<Args extends readonly unknown[]> =
  [] extends Args
    ? [description?: string | null, options?: CodeScheduleOptions<Args>]
    : [description: string | null | undefined, options: CodeScheduleOptions<Args> & { args: Readonly<Args> }]

/**
 * Declares schedules in code, before or after the start. Declare them in every process that may start first: equal declarations are one
 * schedule. A changed declaration (cron, args, …) changes the schedule, except fields that an operator edited, enabled or disabled (see
 * `wins`). A schedule that is no longer in the code stays until it is deleted in the dashboard.
 */
export class Scheduler<Tasks extends TaskMap<Tasks> = AnyTasks> {
  readonly #declared = new Map<string, ScheduleDefinition>()
  readonly #write: (declared: Declared) => Promise<void>
  readonly #check: (taskName: string) => void

  /**
   * @param write writes a declaration at once, or does nothing before the start
   * @param check throws if schedules of a task cannot be declared
   */
  constructor(write: (declared: Declared) => Promise<void>, check: (taskName: string) => void = () => {}) {
    this.#write = write
    this.#check = check
  }

  /**
   * Runs a task at the times of a cron expression.
   * @param task a name in the map of tasks, or a task that `queueApp.task()` returned
   * @param cron five fields: minute, hour, day of month, month, day of week
   * @returns the id of the schedule, the same in every process and after every deployment
   * @throws INVALID_CRON, INVALID_SCHEDULE; after the start BROKER_UNAVAILABLE
   */
  async scheduleCron<Target extends TaskTarget<Tasks>>(
    task: Target, cron: string, ...[description, options]: DescriptionAndOptions<TaskArgs<Tasks, Target>>
  ): Promise<string> {
    return this.#declare(task, { cron }, description, options)
  }

  /**
   * Runs a task at a fixed interval. The first run is one interval after the schedule was created.
   * @param intervalMs milliseconds between runs, 1,000 to 31,536,000,000
   * @returns the id of the schedule
   * @throws INVALID_SCHEDULE; after the start BROKER_UNAVAILABLE
   */
  async scheduleInterval<Target extends TaskTarget<Tasks>>(
    task: Target, intervalMs: number, ...[description, options]: DescriptionAndOptions<TaskArgs<Tasks, Target>>
  ): Promise<string> {
    return this.#declare(task, { intervalMs }, description, options)
  }

  /** The schedules declared in this process: id and definition. */
  declared(): readonly Declared[] {
    return [...this.#declared]
  }

  async #declare(
    task: string | TaskReference<never>, timing: TimingOption, description: string | null | undefined, options: CodeScheduleOptions = {}
  ): Promise<string> {
    const [scheduleId, definition] = toDeclared(task, timing, description, options)
    this.#check(definition.taskName)
    const known = this.#declared.get(scheduleId)
    if (known && !isSameJson(known, definition))
      throw invalidSchedule([{ pointer: '/id', message: alreadyThere(definition.taskName, options.id) }])
    this.#declared.set(scheduleId, definition)
    await this.#write([scheduleId, definition])
    return scheduleId
  }
}

type TimingOption = { readonly cron: string } | { readonly intervalMs: number }

/** Throws INVALID_CRON or INVALID_SCHEDULE with every error. Errors use the names of the options. */
function toDeclared(
  task: string | TaskReference<never>, timing: TimingOption, description: string | null | undefined, options: CodeScheduleOptions
): Declared {
  const { id, args, timezone = 'UTC', priority, overlap, enabled, catchUp, jitterMs, startAt, endAt } = isOptions(options) ? options : {}
  const taskName = typeof task === 'string' ? task : task?.name
  const definition = toScheduleDefinition({
    taskName, timing: { ...timing, timezone },
    ...(description !== undefined && { description }),
    ...(args !== undefined && { args }),
    ...(priority !== undefined && { priority }),
    ...(overlap !== undefined && { overlap }),
    ...(catchUp !== undefined && { catchUp }),
    ...(jitterMs !== undefined && { jitterMs }),
    ...(startAt instanceof Date && { startAt: startAt.getTime() }),
    ...(endAt instanceof Date && { endAt: endAt.getTime() }),
    ...(enabled !== undefined && { enabled })
  }, optionFaults(options), inOptionNames)
  return [toCodeScheduleId(taskName, id), definition]
}

/** The API's `/start_at` is the option `startAt`. */
function inOptionNames(pointer: string): string {
  return pointer.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const OPTIONS = {
  id: true, args: true, timezone: true, priority: true, overlap: true, catchUp: true, jitterMs: true, startAt: true, endAt: true,
  enabled: true
} satisfies Record<keyof CodeScheduleOptions, true>

/** For untyped callers: a misspelled `timezone` would silently mean UTC. */
function optionFaults(options: unknown): InputFault[] {
  if (!isOptions(options)) return [{ pointer: '/options', message: 'must be an object' }]
  const { id } = options
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(OPTIONS, name))
  const noDate = (['startAt', 'endAt'] as const).filter(
    name => options[name] !== undefined && options[name] !== null && !(options[name] instanceof Date
    ))
  const isWrongId = id !== undefined && (typeof id !== 'string' || id.length < 1 || id.length > MAX_SCHEDULE_ID_LENGTH)
  return [
    ...unknown.map(name => ({ pointer: `/${name}`, message: `is not an option; the options are ${Object.keys(OPTIONS).join(', ')}` })),
    ...noDate.map(name => ({ pointer: `/${name}`, message: 'must be a Date' })),
    ...isWrongId ? [{ pointer: '/id', message: `must be 1 to ${MAX_SCHEDULE_ID_LENGTH} characters` }] : []
  ]
}

function isOptions(options: unknown): options is CodeScheduleOptions {
  return isObject(options)
}

function alreadyThere(taskName: string, id: string | undefined): string {
  if (id !== undefined) return `"${id}" is already another schedule of the task "${taskName}" in this process`
  return `is missing: the task "${taskName}" already has a schedule without an id; give this one an id, which identifies ` +
    'it in later deployments'
}
