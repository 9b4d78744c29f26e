import { rememberPolicies, type RetryPolicyOf, type ScheduleEffects, type SchedulerEffects } from './schedule-effects.ts'
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

    for (const [scheduleId, taskName] of standing) {
      if (isStopping()) return schedules
      const schedule = byId.get(scheduleId)
      if (!schedule || !scheduleEffects.isWanted(schedule)) await scheduleEffects.settle(scheduleId, taskName)
    }
    const policyOf = rememberPolicies(retryPolicyOf)
    for (const schedule of schedules) {
      if (isStopping()) return schedules
      if (scheduleEffects.isWanted(schedule)) await writeWhenNeeded(schedule, standing, policyOf)
    }
    for (const id of written.keys()) if (!byId.has(id)) written.delete(id)
    return schedules
  }

  async function listStanding(names: ReadonlySet<string>): Promise<Map<string, string>> {
    const standing = new Map<string, string>()
    for (const taskName of names) {
      for (const { scheduleId } of await effects.listSchedulers(taskName)) {
        if (scheduleId.startsWith(SCHEDULE_ID_PREFIX)) standing.set(scheduleId, taskName)
      }
    }
    return standing
  }

  async function writeWhenNeeded(schedule: StoredSchedule, standing: ReadonlyMap<string, string>, policyOf: RetryPolicyOf): Promise<void> {
    const wanted = JSON.stringify(await scheduleEffects.toDefinition(schedule, policyOf))
    if (standing.has(schedule.id) && written.get(schedule.id) === wanted) return
    await scheduleEffects.settle(schedule.id, schedule.value.taskName)
    written.set(schedule.id, wanted)
  }
}
