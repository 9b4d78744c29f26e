import type { FinishedListItem, LedgerEntry } from '../entry/ledger-entry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import { mergeInto } from './histogram.ts'
import {
  EACH_ROLLUP_SPAN, HOURS_KEPT_MS, OVERALL, type ReadonlyTally, type RollupSpan, type Tally, emptyTally, tallyInto
} from './tally.ts'

/** Everything that a batch of finished executions adds to the counters. Drivers write it and count nothing themselves. */
export interface BatchSummary {
  /** All-time counters: one overall, plus one per task and schedule in the batch. */
  readonly counters: readonly CounterAddition[]
  /** Only spans that are still kept. */
  readonly rollups: readonly RollupAddition[]
  readonly failureGroups: readonly FailureGroupAddition[]
}

export type CounterScope = 'overall' | 'task' | 'schedule'

export interface CounterAddition {
  readonly scope: CounterScope
  /** `OVERALL` for the overall counter. */
  readonly name: string
  readonly success: number
  readonly failed: number
  /** Sum of the known durations. */
  readonly durationMs: number
  /** How many durations are known. */
  readonly timed: number
  /** The most recently finished execution; ties within a millisecond go to the greatest id. */
  readonly last: FinishedListItem & { readonly status: 'success' | 'failed' }
}

export interface RollupAddition {
  readonly span: RollupSpan
  /** Minutes, hours or days since the epoch. */
  readonly number: number
  /** `OVERALL` for the roll-up over all tasks. */
  readonly taskName: string
  /** Several additions may share one tally: a driver can encode it once. */
  readonly tally: ReadonlyTally
  /** When the roll-up is no longer read. */
  readonly expiresAtMs: number
}

export interface FailureGroupAddition {
  readonly errorGroup: string
  readonly count: number
  readonly firstSeenAt: number
  /** The most recent failure; ties as in `CounterAddition`. */
  readonly last: LedgerEntry
  /** Failures by task. */
  readonly tasks: ReadonlyMap<string, number>
  /** Failures by hour since the epoch, then by task. Only hours that are still kept. */
  readonly hours: ReadonlyMap<number, ReadonlyMap<string, number>>
}

/** Counts a batch as if every execution were new. `nowMs` decides which roll-ups and hours are too old to keep. */
export function summarizeBatch(entries: readonly LedgerEntry[], nowMs: number): BatchSummary {
  const counted = entries.every(isCounted) ? entries : entries.filter(isCounted)
  return summarizeCounted(counted as readonly CountedEntry[], nowMs)
}

/** A cancelled execution is neither a success nor a failure, so no counter includes it. */
function isCounted({ execution }: LedgerEntry): boolean {
  return execution.status !== 'cancelled'
}

type CountedItem = FinishedListItem & { readonly status: 'success' | 'failed' }
type CountedEntry = LedgerEntry & { readonly execution: CountedItem }

function summarizeCounted(entries: readonly CountedEntry[], nowMs: number): BatchSummary {
  return { counters: countersOf(entries), rollups: rollupsOf(entries, nowMs), failureGroups: failureGroupsOf(entries, nowMs) }
}

type Open<Addition> = { -readonly [Field in keyof Addition]: Addition[Field] }

function countersOf(entries: readonly CountedEntry[]): CounterAddition[] {
  const tasks = new Map<string, Open<CounterAddition>>()
  const schedules = new Map<string, Open<CounterAddition>>()
  for (const { execution } of entries) {
    countInto(tasks, 'task', execution.taskName, execution)
    if (execution.scheduleId !== null) countInto(schedules, 'schedule', execution.scheduleId, execution)
  }
  return [...overallOf([...tasks.values()]), ...tasks.values(), ...schedules.values()]
}

function countInto(counters: Map<string, Open<CounterAddition>>, scope: CounterScope, name: string, execution: CountedItem): void {
  let counter = counters.get(name)
  if (counter === undefined) {
    counter = { scope, name, success: 0, failed: 0, durationMs: 0, timed: 0, last: execution }
    counters.set(name, counter)
  }
  counter[execution.status]++
  if (execution.durationMs !== null) {
    counter.durationMs += execution.durationMs
    counter.timed++
  }
  if (isAfter(execution, counter.last)) counter.last = execution
}

/** Every execution has exactly one task, so the overall counter is the sum of the tasks. */
function overallOf(tasks: readonly CounterAddition[]): CounterAddition[] {
  const [first] = tasks
  if (first === undefined) return []
  const overall: Open<CounterAddition> = { ...first, scope: 'overall', name: OVERALL, success: 0, failed: 0, durationMs: 0, timed: 0 }
  for (const { success, failed, durationMs, timed, last } of tasks) {
    overall.success += success
    overall.failed += failed
    overall.durationMs += durationMs
    overall.timed += timed
    if (isAfter(last, overall.last)) overall.last = last
  }
  return [overall]
}

function isAfter(a: FinishedListItem, b: FinishedListItem): boolean {
  return a.finishedAt > b.finishedAt || (a.finishedAt === b.finishedAt && a.executionId > b.executionId)
}

/** By span number, then by task name. */
type Tallies = Map<number, Map<string, Tally>>

function rollupsOf(entries: readonly CountedEntry[], nowMs: number): RollupAddition[] {
  const minute = minutesOf(entries)
  const hour = mergeSpans(minute, HOUR_MS / MINUTE_MS)
  const tallies: Record<RollupSpan, Tallies> = { minute, hour, day: mergeSpans(hour, DAY_MS / HOUR_MS) }
  const rollups: RollupAddition[] = []
  for (const [span, { ms, keptMs, taskKeptMs }] of EACH_ROLLUP_SPAN) {
    for (const [number, tasks] of tallies[span]) {
      for (const [taskName, tally] of tasks) {
        const expiresAtMs = (number + 1) * ms + (taskName === OVERALL ? keptMs : taskKeptMs)
        if (expiresAtMs > nowMs) rollups.push({ span, number, taskName, tally, expiresAtMs })
      }
    }
  }
  return rollups
}

function minutesOf(entries: readonly CountedEntry[]): Tallies {
  const minutes: Tallies = new Map()
  for (const entry of entries) {
    const minute = Math.floor(entry.execution.finishedAt / MINUTE_MS)
    let tasks = minutes.get(minute)
    if (tasks === undefined) minutes.set(minute, tasks = new Map<string, Tally>([[OVERALL, emptyTally()]]))
    tallyInto(tasks.get(OVERALL)!, entry)
    tallyInto(getOrAdd(tasks, entry.execution.taskName, emptyTally), entry)
  }
  return minutes
}

/** Merges every `size` spans into one. A group of one is reused as it is, because a batch rarely spans more than a minute. */
function mergeSpans(spans: Tallies, size: number): Tallies {
  const groups = new Map<number, Array<Map<string, Tally>>>()
  for (const [number, tasks] of spans) getOrAdd(groups, Math.floor(number / size), () => []).push(tasks)
  return new Map(Array.from(groups, ([number, each]) => [number, each.length === 1 ? each[0]! : mergeTasks(each)]))
}

function mergeTasks(spans: ReadonlyArray<ReadonlyMap<string, Tally>>): Map<string, Tally> {
  const merged = new Map<string, Tally>()
  for (const tasks of spans) {
    for (const [taskName, { success, failed, duration, wait }] of tasks) {
      const tally = getOrAdd(merged, taskName, emptyTally)
      tally.success += success
      tally.failed += failed
      mergeInto(tally.duration, duration)
      mergeInto(tally.wait, wait)
    }
  }
  return merged
}

interface OpenFailureGroup extends Open<Omit<FailureGroupAddition, 'tasks' | 'hours'>> {
  readonly tasks: Map<string, number>
  readonly hours: Map<number, Map<string, number>>
}

function failureGroupsOf(entries: readonly LedgerEntry[], nowMs: number): FailureGroupAddition[] {
  const groups = new Map<string, OpenFailureGroup>()
  for (const entry of entries) {
    const { status, errorGroup, taskName, finishedAt } = entry.execution
    if (status !== 'failed' || errorGroup === null) continue
    const group = getOrAdd<string, OpenFailureGroup>(groups, errorGroup, () => ({
      errorGroup, count: 0, firstSeenAt: finishedAt, last: entry, tasks: new Map<string, number>(),
      hours: new Map<number, Map<string, number>>()
    }))
    group.count++
    group.firstSeenAt = Math.min(group.firstSeenAt, finishedAt)
    if (isAfter(entry.execution, group.last.execution)) group.last = entry
    countOne(group.tasks, taskName)
    const hour = Math.floor(finishedAt / HOUR_MS)
    if ((hour + 1) * HOUR_MS + HOURS_KEPT_MS > nowMs) countOne(getOrAdd(group.hours, hour, () => new Map<string, number>()), taskName)
  }
  return [...groups.values()]
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}
