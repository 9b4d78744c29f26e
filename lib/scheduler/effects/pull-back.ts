import { setImmediate } from 'node:timers/promises'
import type { StoreClock } from '../../stores/store-clock.ts'
import { inTurns } from '../../collections/in-turns.ts'
import { nextDueTimeOf } from '../timing/due-times.ts'
import { MAX_CLOCK_SKEW_MS, LATE_AFTER_MS } from '../runs/late-after.ts'
import type { EffectDefinition, ScheduleEffects, SchedulerEffects } from './schedule-effects.ts'
import type { ScheduleDocument, ScheduleStore, StoredSchedule } from '../definitions/schedule-store.ts'

interface PullBackDependencies {
  readonly store: Pick<ScheduleStore, 'change'>
  readonly effects: Pick<SchedulerEffects, 'planSchedulerAnew'>
  readonly scheduleEffects: Pick<ScheduleEffects, 'settle'>
  readonly clock: StoreClock
  /** How far the fastest clock of the live processes is ahead of the store's, in milliseconds; 0 if none is. */
  clocksAheadMs(): Promise<number>
}

export interface Planned {
  readonly schedule: StoredSchedule
  readonly definition: EffectDefinition
  readonly nextRunAt: number
}

/**
 * Finds next runs that are further away than the schedule allows, and plans them again. The worker that takes a run plans the next one by
 * its own clock. With a clock that is an hour ahead, a schedule that runs every second would stop for an hour once the clock is corrected.
 * While any process is still ahead, nothing is done, because it would take the new plan at once.
 * @returns a function that does it; `attempt` runs each change and isolates its errors
 */
export function createPullBack({ store, effects, scheduleEffects, clock, clocksAheadMs }: PullBackDependencies) {
  /** Next runs that passed the check. Later they can only get closer. */
  const checked = new Map<string, number>()

  return async function pullBack(planned: readonly Planned[], attempt: (work: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const ids = new Set(planned.map(({ schedule }) => schedule.id))
    for (const id of checked.keys()) if (!ids.has(id)) checked.delete(id)
    const soon = clock.now() + LATE_AFTER_MS
    const tooFar: Planned[] = []
    const unchecked = planned.filter(({ schedule, nextRunAt }) => nextRunAt > soon && checked.get(schedule.id) !== nextRunAt)
    for (const [index, each] of unchecked.entries()) {
      // Computing cron runs takes a while; yield so that thousands of them do not block the event loop.
      if (index % 100 === 99) await setImmediate()
      if (isTooFar(each, soon)) tooFar.push(each)
      else checked.set(each.schedule.id, each.nextRunAt)
    }
    if (tooFar.length === 0 || Math.abs(clock.aheadMs()) > MAX_CLOCK_SKEW_MS || await clocksAheadMs() > MAX_CLOCK_SKEW_MS) return
    await inTurns(tooFar, each => attempt(() => replan(each)))
  }

  async function replan({ schedule: { id, value }, definition }: Planned): Promise<void> {
    if (withAnchorBefore(value, clock.now()) === value) return void await effects.planSchedulerAnew(definition)
    // An interval that was declared with the fast clock counts from a time in the future.
    await store.change(id, current => current && withAnchorBefore(current, clock.now()))
    await scheduleEffects.settle(id, value.taskName)
  }
}

/** A fast clock may have run the next time early already, so the one after it is the latest that is allowed. */
function isTooFar({ schedule: { id, value }, nextRunAt }: Planned, soon: number): boolean {
  const rules = withAnchorBefore(value, soon)
  const first = nextDueTimeOf(id, rules, soon)
  const second = first === null ? null : nextDueTimeOf(id, rules, first)
  return second !== null && nextRunAt > second
}

/** Moves the anchor back by whole intervals; returns the same document if it needs no change. */
function withAnchorBefore(document: ScheduleDocument, at: number): ScheduleDocument {
  const { timing } = document
  if ('cron' in timing || timing.anchorAt <= at) return document
  return {
    ...document,
    timing: { ...timing, anchorAt: timing.anchorAt - Math.ceil((timing.anchorAt - at) / timing.intervalMs) * timing.intervalMs }
  }
}
