import { failedCall, isStoreFailure } from '../../stores/failures/unavailable.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { inTurns } from '../../collections/in-turns.ts'
import type { createPullBack } from './pull-back.ts'
import {
  isSame, rememberPolicies, type EffectDefinition, type RetryPolicyOf, type ScheduleEffects, type SchedulerEffects
} from './schedule-effects.ts'
import type { ScheduleStore, StoredSchedule } from '../definitions/schedule-store.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** All our ids start with this. BullMQ schedulers with other ids belong to someone else and are not touched. */
export const SCHEDULE_ID_PREFIX = 'sch_'

interface ConvergeDependencies {
  readonly store: ScheduleStore
  readonly effects: SchedulerEffects
  readonly scheduleEffects: ScheduleEffects
  readonly retryPolicyOf: RetryPolicyOf
  taskNames(): Promise<readonly string[]>
  isStopping(): boolean
  /** Plans next runs again that are too far away; see pull-back.ts. */
  readonly pullBack: ReturnType<typeof createPullBack>
  /** How long a BullMQ scheduler that was found as defined is not checked again, in milliseconds. Default ten minutes. */
  readonly knownForMs?: number
}

export interface Converged {
  readonly schedules: readonly StoredSchedule[]
  /** Schedules that could not be written, with the reason for each. */
  readonly failures: readonly Error[]
}

interface Wanted {
  readonly schedule: StoredSchedule
  readonly definition: EffectDefinition
  /** The same as text, for comparison. */
  readonly json: string
}

interface Standing {
  readonly taskName: string
  readonly nextRunAt: number
}

/**
 * Current schedulers are checked again after this, because someone may have removed their planned run. Not sooner, because two deployments
 * with different retries would keep overwriting each other.
 */
const KNOWN_FOR_MS = 10 * MINUTE_MS
/** How many schedules are written before their definitions are read again in one call. */
const BATCH = 100

/**
 * Brings all BullMQ schedulers in line with the definitions: writes those that are missing or changed, and removes ours that have no
 * enabled definition. Any number of processes may do this at once, because each step reads the definition again. Checking those that are
 * current takes a few calls in total. A schedule that cannot be written does not block the others.
 * @returns a function that does it; rejects if the broker is unavailable
 */
export function createConverge(dependencies: ConvergeDependencies) {
  const { store, effects, scheduleEffects, retryPolicyOf, taskNames, isStopping, pullBack, knownForMs = KNOWN_FOR_MS } = dependencies
  /** What this process wrote or found for each schedule, and when. */
  const known = new Map<string, { readonly json: string; readonly at: number }>()

  return async function converge(): Promise<Converged> {
    const failures: Error[] = []
    const schedules = await store.list()
    const byId = new Map(schedules.map(schedule => [schedule.id, schedule]))
    const standing = await listStanding(new Set([...schedules.map(({ value }) => value.taskName), ...await taskNames()]))

    const wanted = await toWanted(schedules, failures)
    const wantedIds = new Set(wanted.map(({ schedule }) => schedule.id))
    const unreadable = new Set(schedules.filter(({ id, value }) => value.enabled && !wantedIds.has(id)).map(({ id }) => id))
    const stale = [...standing].filter(([scheduleId]) => !wantedIds.has(scheduleId) && !unreadable.has(scheduleId))
    await inTurns(stale, ([scheduleId, { taskName }]) => attempt(failures, async () => {
      if (!isStopping()) await scheduleEffects.settle(scheduleId, taskName)
    }))
    await writeMissing(wanted, standing, failures)
    const planned = wanted.flatMap(({ schedule, definition }) => {
      const effect = standing.get(schedule.id)
      return effect ? { schedule, definition, nextRunAt: effect.nextRunAt } : []
    })
    await pullBack(planned, work => attempt(failures, async () => { if (!isStopping()) await work() }))
    for (const id of known.keys()) if (!byId.has(id)) known.delete(id)
    return { schedules, failures }
  }

  async function listStanding(names: ReadonlySet<string>): Promise<Map<string, Standing>> {
    const standing = new Map<string, Standing>()
    for (const { scheduleId, ...rest } of await effects.listSchedulers([...names])) {
      if (scheduleId.startsWith(SCHEDULE_ID_PREFIX)) standing.set(scheduleId, rest)
    }
    return standing
  }

  /**
   * Leaves out schedules whose times this process cannot read, such as a time zone from another process's newer data. Their BullMQ
   * schedulers stay as they are.
   */
  async function toWanted(schedules: readonly StoredSchedule[], failures: Error[]): Promise<Wanted[]> {
    const policyOf = rememberPolicies(retryPolicyOf)
    const wanted: Wanted[] = []
    for (const schedule of schedules) {
      await attempt(failures, async () => {
        if (!scheduleEffects.isWanted(schedule)) return
        const definition = await scheduleEffects.toDefinition(schedule, policyOf)
        wanted.push({ schedule, definition, json: JSON.stringify(definition) })
      })
    }
    return wanted
  }

  async function writeMissing(wanted: readonly Wanted[], standing: ReadonlyMap<string, Standing>, failures: Error[]): Promise<void> {
    const unsure = wanted.filter(each => standing.has(each.schedule.id) && !isKnown(each))
    const asDefined = await effects.standingAsDefined(unsure.map(({ definition }) => definition))
    for (const each of unsure) if (asDefined.has(each.schedule.id)) keep(each)
    const missing = [
      ...wanted.filter(({ schedule }) => !standing.has(schedule.id)), ...unsure.filter(({ schedule }) => !asDefined.has(schedule.id))
    ]
    for (const batch of inChunks(missing, BATCH)) if (!isStopping()) await write(batch, failures)
  }

  function isKnown({ schedule, json }: Wanted): boolean {
    const before = known.get(schedule.id)
    return before?.json === json && performance.now() - before.at < knownForMs
  }

  function keep({ schedule, json }: Wanted): void {
    known.set(schedule.id, { json, at: performance.now() })
  }

  /** Reads the definitions of a batch again afterwards. What another process has changed is settled separately. */
  async function write(batch: readonly Wanted[], failures: Error[]): Promise<void> {
    const upserted: StoredSchedule[] = []
    await inTurns(batch, each => attempt(failures, async () => {
      if (isStopping()) return
      await scheduleEffects.upsert(each.definition)
      keep(each)
      upserted.push(each.schedule)
    }))
    const after = await store.getMany(upserted.map(({ id }) => id))
    const changed = upserted.filter((before, index) => !isSame(before, after[index]!))
    await inTurns(changed, before => attempt(failures, () => scheduleEffects.settle(before.id, before.value.taskName)))
  }
}

/** An error of a single schedule is added to the list; if the broker is unavailable or refuses, this rejects. */
async function attempt(failures: Error[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isStoreFailure(failedCall(error, 'broker'))) throw error
    failures.push(error as Error)
  }
}
