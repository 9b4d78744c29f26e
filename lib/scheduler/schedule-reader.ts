import type { StoreClock } from '../stores/store-clock.ts'
import { planAgenda } from './timing/agenda.ts'
import { describeTiming } from './timing/describe-timing.ts'
import { isReadable, nextDueTimeOf } from './timing/due-times.ts'
import { bySoonest, countByTask, isAfter, isWanted } from './list-schedules.ts'
import { LATE_AFTER_MS } from './runs/late-after.ts'
import { driftingFields } from './definitions/schedule-document.ts'
import type { SchedulerEffects } from './effects/schedule-effects.ts'
import type { ScheduleDefinition } from './definitions/schedule-input.ts'
import { versionOf, type ScheduleDocument, type ScheduleStore, type StoredSchedule } from './definitions/schedule-store.ts'
import type { AgendaResult, DriftField, ScheduleCounts, ScheduleQuery, ScheduleRecord } from './schedules.ts'

interface ScheduleReaderDependencies {
  readonly store: ScheduleStore
  readonly effects: SchedulerEffects
  readonly clock: StoreClock
  /** Tasks that some process currently registers. */
  registeredTasks(): Promise<ReadonlySet<string>>
}

export function createScheduleReader({ store, effects, clock, registeredTasks }: ScheduleReaderDependencies) {
  return {
    /** Ordered by creation, then id, unless another order is requested. Only the requested schedules are looked up in the engine. */
    async list(query: ScheduleQuery = {}): Promise<ScheduleRecord[]> {
      const { after, limit = Infinity, order } = query
      if (order === 'nextRun') {
        const records = await toRecords((await store.listKnown()).filter(schedule => isListed(schedule, query)))
        return records.sort(bySoonest).slice(0, limit)
      }
      const wanted: StoredSchedule[] = []
      for (const schedule of await store.listKnown()) {
        if (wanted.length >= limit) break
        const isBefore = after !== undefined && !isAfter({ createdAt: schedule.value.createdAt, scheduleId: schedule.id }, after)
        if (!isBefore && isListed(schedule, query)) wanted.push(schedule)
      }
      return toRecords(wanted)
    },

    /** Reads only a revision as long as no schedule changes. */
    async count(): Promise<Omit<ScheduleCounts, 'overdue'>> {
      const schedules = await store.listKnown()
      return {
        total: schedules.length, enabled: schedules.filter(({ value }) => value.enabled).length,
        ofTask: countByTask(schedules.map(({ value }) => value))
      }
    },

    async get(scheduleId: string): Promise<ScheduleRecord | null> {
      const schedule = await store.get(scheduleId)
      return schedule && (await toRecords([schedule]))[0]!
    },

    async agenda(from: number, to: number): Promise<AgendaResult> {
      const schedules = (await store.listKnown()).filter(({ value }) => value.enabled && describe(value).hasKnownTimes)
      return planAgenda(schedules.map(({ id, value: { taskName, description, timing, startAt, endAt } }) =>
        ({ scheduleId: id, taskName, description, timing, startAt, endAt })), from, to)
    }
  }

  async function toRecords(schedules: readonly StoredSchedule[]): Promise<ScheduleRecord[]> {
    const taskNames = new Set(schedules.filter(({ value }) => value.enabled).map(({ value }) => value.taskName))
    const [standing, { missed, late }, registered] = await Promise.all([
      effects.listSchedulers([...taskNames]),
      store.missedAndLate(schedules.map(({ id }) => id)),
      registeredTasks(),
      clock.set()
    ])
    const planned = new Map(standing.map(({ scheduleId, nextRunAt }) => [scheduleId, nextRunAt]))
    const at = clock.now()
    return schedules.map((schedule, index) => toRecord(schedule, {
      planned: planned.get(schedule.id) ?? null, missed: missed[index] ?? 0, late: late[index] ?? 0,
      taskRegistered: registered.has(schedule.value.taskName), at
    }))
  }
}

function isListed({ id, value }: StoredSchedule, query: ScheduleQuery): boolean {
  const { taskName, timing, description, enabled } = value
  return isWanted({ scheduleId: id, taskName, cron: 'cron' in timing ? timing.cron : null, description, enabled }, query)
}

/** The live part of a record, which is not in the document. */
export interface Live extends Pick<ScheduleRecord, 'missed' | 'late' | 'taskRegistered'> {
  /** The planned next run, milliseconds since the epoch; null if there is none or it is unknown. */
  readonly planned: number | null
  /** The time that the record describes. */
  readonly at: number
}

/** Caches values derived from a document, which lists need again and again. */
const described = new WeakMap<ScheduleDocument, Described>()

interface Described extends Pick<ScheduleRecord, 'human' | 'drift'> {
  readonly hasKnownTimes: boolean
}

function describe(value: ScheduleDocument): Described {
  const before = described.get(value)
  if (before) return before
  const description = { human: describeTiming(value.timing), drift: toDrift(value), hasKnownTimes: isReadable(value) }
  described.set(value, description)
  return description
}

export function toRecord(schedule: StoredSchedule, { planned, at, ...live }: Live): ScheduleRecord {
  const { id, value } = schedule
  const {
    timing, taskName, description, args, enabled, priority, overlap, catchUp, jitterMs, startAt, endAt, source, createdAt, updatedAt
  } = value
  const { hasKnownTimes, human, drift } = describe(value)
  // Computed only where it is needed: for thousands of schedules it would block the process for a quarter of a second.
  const next = (): number | null => (hasKnownTimes ? nextDueTimeOf(id, value, at) : null)
  const isPlanned = enabled && planned !== null &&
    !(hasKnownTimes && endAt !== null && planned > endAt + jitterMs && next() === null)
  return {
    scheduleId: id,
    scheduleType: 'cron' in timing ? 'cron' : 'interval',
    taskName,
    cron: 'cron' in timing ? timing.cron : null,
    intervalMs: 'cron' in timing ? null : timing.intervalMs,
    timezone: timing.timezone,
    description,
    human, drift,
    args, enabled, priority, overlap, catchUp, jitterMs, startAt, endAt, source, createdAt, updatedAt,
    version: versionOf(schedule),
    wins: source === 'code' ? value.wins : null,
    nextRunAt: !enabled ? null : isPlanned && planned > at ? planned : next(),
    overdue: isPlanned && planned < at - LATE_AFTER_MS,
    changes: 'all',
    note: null,
    ...live
  }
}

function toDrift(document: ScheduleDocument): DriftField[] {
  return driftingFields(document).flatMap(field => {
    const { at: since = null, by = null } = document.edits[field] ?? {}
    const code = document.code!
    if (field !== 'timing') return [{ field, code: code[field], live: document[field], since, by }]
    return toTimingFields(code.timing, document.timing).map(timing => ({ ...timing, since, by }))
  })
}

function toTimingFields(
  code: ScheduleDefinition['timing'], live: ScheduleDefinition['timing']
): Array<Pick<DriftField, 'field' | 'code' | 'live'>> {
  const of = (timing: ScheduleDefinition['timing']) => ({
    cron: 'cron' in timing ? timing.cron : null, intervalMs: 'cron' in timing ? null : timing.intervalMs, timezone: timing.timezone
  })
  const [said, done] = [of(code), of(live)]
  return (['cron', 'intervalMs', 'timezone'] as const).filter(field => said[field] !== done[field]).map(
    field => ({ field, code: said[field], live: done[field] })
  )
}
