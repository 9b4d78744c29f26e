import { setTimeout } from 'node:timers/promises'
import { fixedDelay, type Backoff } from '../../time/backoff.ts'
import { COLLISION_WITHIN_MS } from '../../time/budgets.ts'
import { parseCron } from '../timing/cron.ts'
import { isReadable, nextDueTimeOf } from '../timing/due-times.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { ScheduleStore, StoredSchedule, StoredTiming } from '../definitions/schedule-store.ts'

/** The part of the engine that schedules need. An effect is the BullMQ scheduler of a schedule. */
export interface SchedulerEffects {
  /** `isNew`: it is known to be missing or outdated. */
  upsertScheduler(definition: EffectDefinition, options?: { readonly isNew?: boolean }): Promise<void>
  removeScheduler(taskName: string, scheduleId: string): Promise<boolean>
  /**
   * Plans the next run again, from now on.
   * @returns false if that run already exists; the plan is then unchanged
   */
  planSchedulerAnew(definition: EffectDefinition): Promise<boolean>
  listSchedulers(taskNames: readonly string[]): Promise<ReadonlyArray<{
    readonly scheduleId: string; readonly taskName: string; readonly nextRunAt: number
  }>>
  /** Ids of the definitions whose BullMQ scheduler is current and has its planned run: one call per 500. */
  standingAsDefined(definitions: readonly EffectDefinition[]): Promise<ReadonlySet<string>>
  /** For a run that is requested manually. */
  enqueue(requests: ReadonlyArray<RunRequest>): Promise<unknown>
  /**
   * Called when the datastore is back after an outage.
   * @returns a function that stops listening
   */
  onReconnect?(listener: () => void): () => void
}

export interface EffectDefinition extends RetryPolicy {
  readonly scheduleId: string
  readonly taskName: string
  readonly timing: { readonly cron: string; readonly timezone: string } | { readonly intervalMs: number; readonly anchorAt: number }
  readonly jitterMs: number
  readonly startAt: number | null
  readonly endAt: number | null
  readonly args: readonly unknown[]
  readonly priority: number
}

export interface RunRequest extends RetryPolicy {
  readonly executionId: string
  readonly taskName: string
  readonly args: readonly unknown[]
  readonly delayMs: number
  readonly priority: number
  readonly scheduleId: string
  readonly retryOf: null
}

export interface RetryPolicy {
  readonly maxAttempts: number
  readonly backoff: Backoff
}

/** For a task of this process, or one that another process published; null if the task is unknown. */
export type RetryPolicyOf = (taskName: string) => RetryPolicy | null | Promise<RetryPolicy | null>

const MAX_SETTLE_ATTEMPTS = 20
const MAX_WRITE_ATTEMPTS = 6

export function createScheduleEffects(store: ScheduleStore, effects: SchedulerEffects, retryPolicyOf: RetryPolicyOf, now: () => number) {
  return {
    toDefinition,
    isWanted,
    upsert,

    /**
     * Applies a definition that was just written, in one round trip if possible. Concurrent changes by others are left to `settle`.
     * @param before the definition it replaced; null if there was none
     */
    async follow(before: StoredSchedule | null, written: StoredSchedule): Promise<void> {
      const { id, value: { taskName } } = written
      if (!isWanted(written)) return void await tryAgain(() => effects.removeScheduler(taskName, id))
      if (before && await isSameEffect(before, written)) return
      await upsert(await toDefinition(written), { isNew: true })
    },

    isSameEffect,

    /**
     * Brings the effect of one schedule in line with its definition. Reads the definition again afterwards: if another process has
     * changed it, this may have reverted that process's work.
     */
    async settle(scheduleId: string, taskName: string): Promise<StoredSchedule | null> {
      for (let attempt = 0; attempt < MAX_SETTLE_ATTEMPTS; attempt++) {
        const before = await store.get(scheduleId)
        if (before && isWanted(before)) await upsert(await toDefinition(before))
        else await tryAgain(() => effects.removeScheduler(taskName, scheduleId))
        const after = await store.get(scheduleId)
        if (isSame(before, after)) return after
      }
      throw new Error(`The schedule ${scheduleId} is constantly being changed by other processes`)
    }
  }

  /** Whether the engine should run it: enabled, and not past its end. */
  function isWanted({ id, value }: StoredSchedule): boolean {
    return value.enabled && (value.endAt === null || !isReadable(value) || nextDueTimeOf(id, value, now()) !== null)
  }

  async function isSameEffect(one: StoredSchedule, other: StoredSchedule): Promise<boolean> {
    return isWanted(one) && isWanted(other) && isSameJson(await toDefinition(one), await toDefinition(other))
  }

  function upsert(definition: EffectDefinition, options?: { readonly isNew?: boolean }): Promise<void> {
    return tryAgain(() => effects.upsertScheduler(definition, options))
  }

  /** @param policyOf for many schedules at once, a cached one, because each lookup may be a call to the datastore */
  async function toDefinition({ id, value }: StoredSchedule, policyOf: RetryPolicyOf = retryPolicyOf): Promise<EffectDefinition> {
    const { taskName, timing, args, priority, jitterMs, startAt, endAt } = value
    const { maxAttempts, backoff } = await policyOf(taskName) ?? { maxAttempts: 1, backoff: fixedDelay(0) }
    return { scheduleId: id, taskName, timing: toEffectTiming(timing), jitterMs, startAt, endAt, args, priority, maxAttempts, backoff }
  }
}

/**
 * Two processes that write or remove the same effect at once may collide in the engine. The process whose call failed then finds the effect
 * as it should be.
 */
async function tryAgain<Result>(write: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === MAX_WRITE_ATTEMPTS || performance.now() - started > COLLISION_WITHIN_MS) throw error
    }
    await setTimeout(attempt * 10 * (1 + Math.random()))
  }
}

/** Looks up each task only once. */
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

/**
 * Whether no one has written the schedule in between. Versions restart at 1 when a schedule is deleted and declared again, so the time is
 * compared too.
 */
export function isSame(one: StoredSchedule | null, other: StoredSchedule | null): boolean {
  return one?.version === other?.version && one?.value.updatedAt === other?.value.updatedAt
}
