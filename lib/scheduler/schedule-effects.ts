import { parseCron } from './cron.ts'
import type { ScheduleStore, StoredSchedule, StoredTiming } from './schedule-store.ts'

/** The engine as far as schedules need it. */
export interface SchedulerEffects {
  upsertScheduler(definition: EffectDefinition): Promise<void>
  removeScheduler(taskName: string, scheduleId: string): Promise<boolean>
  listSchedulers(taskName: string): Promise<ReadonlyArray<{ readonly scheduleId: string; readonly nextRunAt: number }>>
}

export interface EffectDefinition extends RetryPolicy {
  readonly scheduleId: string
  readonly taskName: string
  readonly timing: { readonly cron: string; readonly timezone: string } | { readonly intervalMs: number; readonly anchorAt: number }
  readonly args: readonly unknown[]
  readonly priority: number
}

export interface RetryPolicy {
  readonly maxAttempts: number
  readonly retryDelayMs: number
}

/** Of a task of this process, or of one that another process published; null when nobody knows the task. */
export type RetryPolicyOf = (taskName: string) => RetryPolicy | null | Promise<RetryPolicy | null>

const SETTLE_ATTEMPTS = 20

export function createScheduleEffects(store: ScheduleStore, effects: SchedulerEffects, retryPolicyOf: RetryPolicyOf) {
  return {
    toDefinition,

    /**
     * Makes the effect of one schedule what its definition says. Reads the definition again afterwards: when another process
     * changed it meanwhile, what was just done may be what that process had undone.
     */
    async settle(scheduleId: string, taskName: string): Promise<StoredSchedule | null> {
      for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
        const before = await store.get(scheduleId)
        if (before?.value.enabled) await effects.upsertScheduler(await toDefinition(before))
        else await effects.removeScheduler(taskName, scheduleId)
        const after = await store.get(scheduleId)
        if (isSame(before, after)) return after
      }
      throw new Error(`The schedule ${scheduleId} is being changed by others all the time`)
    }
  }

  /** @param policyOf for many schedules at once: one that remembers, as asking may be a call to the datastore */
  async function toDefinition({ id, value }: StoredSchedule, policyOf: RetryPolicyOf = retryPolicyOf): Promise<EffectDefinition> {
    const { taskName, timing, args, priority } = value
    const { maxAttempts, retryDelayMs } = await policyOf(taskName) ?? { maxAttempts: 1, retryDelayMs: 0 }
    return { scheduleId: id, taskName, timing: toEffectTiming(timing), args, priority, maxAttempts, retryDelayMs }
  }
}

/** Asks once a task. */
export function rememberPolicies(retryPolicyOf: RetryPolicyOf): RetryPolicyOf {
  const policies = new Map<string, ReturnType<RetryPolicyOf>>()
  return taskName => {
    if (!policies.has(taskName)) policies.set(taskName, retryPolicyOf(taskName))
    return policies.get(taskName)!
  }
}

export type ScheduleEffects = ReturnType<typeof createScheduleEffects>

function toEffectTiming(timing: StoredTiming): EffectDefinition['timing'] {
  if ('cron' in timing) return { cron: parseCron(timing.cron, timing.timezone).plain, timezone: timing.timezone }
  return { intervalMs: timing.intervalMs, anchorAt: timing.anchorAt }
}

/** Versions start again at 1 when a schedule is deleted and declared anew, hence the time beside them. */
function isSame(one: StoredSchedule | null, other: StoredSchedule | null): boolean {
  return one?.version === other?.version && one?.value.updatedAt === other?.value.updatedAt
}
