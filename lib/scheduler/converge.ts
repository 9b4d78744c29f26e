import { inTurns } from './in-turns.ts'
import { isSame, rememberPolicies, type RetryPolicyOf, type ScheduleEffects, type SchedulerEffects } from './schedule-effects.ts'
import type { ScheduleStore, StoredSchedule } from './schedule-store.ts'

/** Every id of ours starts so; effects with another id belong to somebody else and are left alone. */
export const SCHEDULE_ID_PREFIX = 'sch_'

interface ConvergeDependencies {
  readonly store: ScheduleStore
  readonly effects: SchedulerEffects
  readonly scheduleEffects: ScheduleEffects
  readonly retryPolicyOf: RetryPolicyOf
  taskNames(): Promise<readonly string[]>
  isStopping(): boolean
}

/** Schedules that are written before their definitions are looked at again, in one call. */
const BATCH = 100

/**
 * Makes all effects in the engine what the definitions say: those that are missing or changed are written, those of ours that
 * have no enabled definition are removed. Any number of processes may do it at once; each step looks at the definition again.
 * @returns a function that does it and resolves with the schedules
 */
export function createConverge({ store, effects, scheduleEffects, retryPolicyOf, taskNames, isStopping }: ConvergeDependencies) {
  /** What this process last wrote a schedule: with an effect that stands, the same again is not worth a call. */
  const written = new Map<string, string>()

  return async function converge(): Promise<readonly StoredSchedule[]> {
    const schedules = await store.list()
    const byId = new Map(schedules.map(schedule => [schedule.id, schedule]))
    const standing = await listStanding(new Set([...schedules.map(({ value }) => value.taskName), ...await taskNames()]))

    const stale = [...standing].filter(([scheduleId]) => {
      const schedule = byId.get(scheduleId)
      return !schedule || !scheduleEffects.isWanted(schedule)
    })
    await inTurns(stale, async ([scheduleId, taskName]) => { if (!isStopping()) await scheduleEffects.settle(scheduleId, taskName) })
    const policyOf = rememberPolicies(retryPolicyOf)
    for (let start = 0; start < schedules.length && !isStopping(); start += BATCH) {
      await writeWhenNeeded(schedules.slice(start, start + BATCH), standing, policyOf)
    }
    for (const id of written.keys()) if (!byId.has(id)) written.delete(id)
    return schedules
  }

  async function listStanding(names: ReadonlySet<string>): Promise<Map<string, string>> {
    const standing = new Map<string, string>()
    for (const { scheduleId, taskName } of await effects.listSchedulers([...names])) {
      if (scheduleId.startsWith(SCHEDULE_ID_PREFIX)) standing.set(scheduleId, taskName)
    }
    return standing
  }

  /** Reads the definitions of a batch again afterwards: what another process changed meanwhile is settled by itself. */
  async function writeWhenNeeded(batch: readonly StoredSchedule[], standing: ReadonlyMap<string, string>, policyOf: RetryPolicyOf): Promise<void> {
    const upserted: StoredSchedule[] = []
    await inTurns(batch, async schedule => {
      if (isStopping() || !scheduleEffects.isWanted(schedule)) return
      const definition = await scheduleEffects.toDefinition(schedule, policyOf)
      const wanted = JSON.stringify(definition)
      if (standing.has(schedule.id) && written.get(schedule.id) === wanted) return
      await scheduleEffects.upsert(definition)
      written.set(schedule.id, wanted)
      upserted.push(schedule)
    })
    const after = await store.getMany(upserted.map(({ id }) => id))
    const changed = upserted.filter((before, index) => !isSame(before, after[index]!))
    await inTurns(changed, before => scheduleEffects.settle(before.id, before.value.taskName))
  }
}
