import { MAX_TIMESERIES_POINTS, type TimeseriesSource, type TimeseriesStep, type TimeseriesWindow } from '../../../schemas/timeseries.ts'
import type { ResultBackend, Rollup } from '../../backend/result-backend.ts'
import type { FinishedWindow, RollupSpan } from '../../backend/counting/tally.ts'
import { type ReadonlyTally, ROLLUP_SPANS, TallySum } from '../../backend/counting/tally.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { ofTasks, ONLY_ITSELF, type Covered } from '../tasks/parts-of-tasks.ts'
import type { Monitoring, Timeseries, TimeseriesPoint, TimeseriesQuery } from './monitoring.ts'

const WINDOW_MS: Record<TimeseriesWindow, number> = {
  '15m': 15 * MINUTE_MS, '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '90d': 90 * DAY_MS,
  '1y': 365 * DAY_MS
}
const STEP_MS: Record<TimeseriesStep, number> = {
  '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '15m': 15 * MINUTE_MS, '30m': 30 * MINUTE_MS, '1h': HOUR_MS, '3h': 3 * HOUR_MS, '6h': 6 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS, '3d': 3 * DAY_MS, '7d': 7 * DAY_MS
}
/** Gives 60 to 200 points, or one per minute if there are fewer minutes. */
const DEFAULT_STEP: Record<TimeseriesWindow, TimeseriesStep> = {
  '15m': '1m', '1h': '1m', '6h': '5m', '24h': '15m', '7d': '1h', '30d': '6h', '90d': '1d', '1y': '3d'
}

interface Source { readonly name: TimeseriesSource; readonly span: RollupSpan }
const SOURCES: readonly Source[] = [{ name: 'days', span: 'day' }, { name: 'hours', span: 'hour' }, { name: 'minutes', span: 'minute' }]

/**
 * Finished executions per span, computed from roll-ups, so the cost does not depend on the size of the history.
 * @param options `isOfTasks`: without a task in the query, the backend adds up the roll-ups of some tasks, which are kept as long as those
 *   of a single task. `covered`: the tasks that are added up for a task; default: itself
 */
export function createTimeseries(
  backend: Pick<ResultBackend, 'rollups' | 'totals'>, now: () => number,
  { isOfTasks = false, covered = ONLY_ITSELF }: { readonly isOfTasks?: boolean; readonly covered?: Covered } = {}
): Monitoring['timeseries'] {
  const windowOf = createWindows()
  return async query => {
    const at = now()
    const { taskName } = query
    const plan = planTimeseries(query, at, isOfTasks || taskName !== undefined)
    const wanted = {
      span: plan.source.span, fromMs: Math.max(plan.from, plan.keptSince), toMs: plan.to,
      ...taskName !== undefined && ofTasks(taskName, covered(taskName))
    }
    const [rollups, { since }] = await Promise.all([backend.rollups(wanted), backend.totals()])
    return {
      from: plan.from, to: plan.to, stepMs: plan.stepMs, source: plan.source.name, points: pointsFrom(rollups, plan, since, at, windowOf)
    }
  }
}

interface Plan { readonly from: number; readonly to: number; readonly stepMs: number; readonly source: Source; readonly keptSince: number }

/** @throws INVALID_INPUT */
function planTimeseries({ window, step }: TimeseriesQuery, at: number, isOfTask: boolean): Plan {
  const windowMs = WINDOW_MS[window]
  const stepMs = step === undefined ? defaultStepMs(window, isOfTask) : STEP_MS[step]
  const count = Math.ceil(windowMs / stepMs)
  if (stepMs > windowMs) throw unfit(`must not be longer than the window of ${window}`)
  if (count > MAX_TIMESERIES_POINTS)
    throw unfit(`gives ${count} points for ${window}, but at most ${MAX_TIMESERIES_POINTS} are allowed: choose a longer step`)
  const source = SOURCES.find(({ span }) => stepMs % ROLLUP_SPANS[span].ms === 0)!
  const { keptMs, taskKeptMs } = ROLLUP_SPANS[source.span]
  const to = Math.floor(at / stepMs + 1) * stepMs
  return { from: to - count * stepMs, to, stepMs, source, keptSince: at - (isOfTask ? taskKeptMs : keptMs) }
}

/** Per-task minutes are kept for a shorter time. */
function defaultStepMs(window: TimeseriesWindow, isOfTask: boolean): number {
  const stepMs = STEP_MS[DEFAULT_STEP[window]]
  return isOfTask && stepMs < HOUR_MS && WINDOW_MS[window] > ROLLUP_SPANS.minute.taskKeptMs ? HOUR_MS : stepMs
}

const NOT_KNOWN = { success: null, failed: null, throughputPerMinute: null, duration: null, wait: null }

/** @param rollups in time order */
function pointsFrom(
  rollups: readonly Rollup[], { from, to, stepMs, keptSince }: Plan, since: number, at: number,
  windowOf: (tallies: readonly ReadonlyTally[]) => FinishedWindow
): Timeseries['points'] {
  const points: TimeseriesPoint[] = []
  let next = 0
  while (next < rollups.length && rollups[next]!.startMs < from) next++
  for (let start = from; start < to; start += stepMs) {
    const end = start + stepMs
    const first = next
    while (next < rollups.length && rollups[next]!.startMs < end) next++
    const { success, failed, duration, wait } = windowOf(rollups.slice(first, next).map(each => each.tally))
    const isEmpty = success + failed === 0
    // Executions that the reconciler found in the broker may have finished before the history existed.
    const gap = start < keptSince ? 'not_kept' : isEmpty && start < since ? 'before_ledger' : null
    const elapsedMinutes = (Math.min(at, end) - start) / MINUTE_MS
    const throughputPerMinute = elapsedMinutes < 1 ? null : (success + failed) / elapsedMinutes
    const known = gap === null ? { success, failed, throughputPerMinute, duration, wait } : NOT_KNOWN
    points.push({ at: start, ...known, isOpen: at < end, gap })
  }
  return points
}

/** Caches the window of a single tally. The backend returns the same object while nothing in it changes. */
function createWindows(): (tallies: readonly ReadonlyTally[]) => FinishedWindow {
  const known = new WeakMap<ReadonlyTally, FinishedWindow>()
  const sum = new TallySum()
  return tallies => {
    const [only] = tallies.length === 1 ? tallies : []
    const before = only && known.get(only)
    if (before) return before
    sum.clear()
    for (const tally of tallies) sum.add(tally)
    const window = sum.toWindow()
    if (only) known.set(only, window)
    return window
  }
}

function unfit(message: string) {
  return createTaskDashboardError('INVALID_INPUT', [`The query parameter "step" ${message}`], { errors: [{ pointer: '/step', message }] })
}
