import { countedNoun } from '../../../collections/counted-noun.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Discovery, SeenQueue } from '../../../engine/observing/discovery.ts'
import { isDigest, scheduleIdOf, type ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { checkRunsAsked } from '../../../scheduler/definitions/schedule-input.ts'
import { bySoonest, countSchedules, isAfter, isWanted } from '../../../scheduler/list-schedules.ts'
import { previewRuns } from '../../../scheduler/preview-runs.ts'
import { overdueText } from '../../../scheduler/schedule-upkeep.ts'
import type { PlannedRun, SchedulePreviewResult, ScheduleQuery, ScheduleRecord, Schedules } from '../../../scheduler/schedules.ts'
import { planAgenda, totalsOf, type AgendaSchedule } from '../../../scheduler/timing/agenda.ts'
import { toPlannedRun } from '../../../scheduler/timing/next-runs.ts'
import { checkTimezone } from '../../../scheduler/timing/time-zone.ts'
import { answeredWithin, failedCall } from '../../../stores/failures/unavailable.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { SECOND_MS } from '../../../time/units.ts'
import { createCached } from '../../monitoring/cached.ts'
import type { JobNames } from '../names/job-names.ts'
import { ownersRunsAfter, readOwnersCron, type OwnersCron } from './owners-cron.ts'
import { readAllSchedulers } from './owners-schedulers.ts'
import type { ScheduleBook, ScheduleBooks } from './schedule-book.ts'
import { asPlanned, isDisabled, timingOf, toObservedRecord } from './to-observed-record.ts'

interface Dependencies {
  readonly discovery: Pick<Discovery, 'queues' | 'queueOf'>
  readonly books: ScheduleBooks
  readonly reads: SchedulerReads<SeenQueue>
  /** The task of the runs of a scheduler, by the name of their jobs. */
  readonly names: Pick<JobNames, 'taskOf' | 'tasksOf'>
  readonly patienceMs: number
  /** Whether the schedulers of a queue can be changed. */
  readonly manages: boolean
  /** The problem of the watch, for health. */
  problem(): string | null
}

type Reads = Omit<Schedules, 'create' | 'setEnabled' | 'update' | 'runNow' | 'delete'>

interface Loaded {
  readonly known: readonly Known[]
  /**
   * Queues whose schedules were not all read. The keys are the tasks of the queues. The values also have the tasks of the names of their
   * jobs.
   */
  readonly incomplete: ReadonlyMap<string, readonly string[]>
  /** Why some queues could not be read; null if all could. */
  readonly failure: unknown
}

interface Known {
  readonly scheduler: ObservedScheduler
  readonly book: ScheduleBook | null
  readonly record: ScheduleRecord
}

const FRESH_MS = SECOND_MS

export interface ObservedScheduleReads extends Reads {
  /** The current schedule, at most `FRESH_MS` old. */
  find(scheduleId: string): Promise<Known | null>
  /** Drops what is cached, so that the next call reads again. */
  forget(): void
}

/** Shows job schedulers of existing queues as schedules. They are read live, and their books add the rest. */
export function createObservedSchedules(dependencies: Dependencies): ObservedScheduleReads {
  const { discovery, books, reads, names, patienceMs, manages, problem } = dependencies
  const { slowReadMs } = budgetsOf(patienceMs)
  // Books may be in an embedded store, which is given more time than a server.
  const { severalMs } = budgetsOf(SERVER_PATIENCE_MS)
  let left = 0
  let unread: string | null = null
  let overdue: string | null = null
  const cached = createCached({ freshMs: FRESH_MS, recentMs: FRESH_MS, now: Date.now, load })

  async function load(): Promise<Loaded> {
    const queues = discovery.queues()
    const [found, stored, now] = await Promise.all([
      readAllSchedulers(reads, queues, severalMs), books.list(),
      queues[0] === undefined ? Date.now() : reads.now(queues[0]).catch(() => Date.now())
    ])
    const isNothingRead = found.complete.size + found.schedulers.length + found.unknown.length === 0
    if (found.failure !== null && isNothingRead) throw found.failure as Error
    left = found.left
    unread = [...found.failure === null ? [] : ['the schedulers of some queues cannot be read'], ...found.unknown].join('; ') || null
    const bookOf = new Map(stored.map(({ id, value }) => [id, value]))
    const known = found.schedulers.map(scheduler =>
      toKnown(scheduler, bookOf.get(scheduleIdOf(scheduler.taskName, scheduler.id)) ?? null, now))
    overdue = overdueText(known.filter(({ record }) => record.overdue).length)
    known.sort(({ record: one }, { record: other }) =>
      one.createdAt - other.createdAt || (one.scheduleId < other.scheduleId ? -1 : 1))
    const incomplete = queues.map(({ taskName }) => taskName).filter(taskName => !found.complete.has(taskName))
    return {
      known,
      incomplete: new Map(incomplete.map(taskName => [taskName, [taskName, ...names.tasksOf(taskName).map(task => task.taskName)]])),
      failure: found.failure
    }
  }

  function toKnown(scheduler: ObservedScheduler, book: ScheduleBook | null, now: number): Known {
    const queue = discovery.queueOf(scheduler.taskName)
    const record = toObservedRecord(scheduler, book, now, {
      queueSeenAt: queue?.firstSeenAt ?? now, isManaged: queue !== undefined && manages
    })
    return { scheduler, book, record: { ...record, taskName: names.taskOf(scheduler.taskName, scheduler.jobName) } }
  }

  const read = () => answeredWithin(slowReadMs, cached.get, 'broker', 'The schedules were not read')
  const all = async () => (await read()).known
  async function find(scheduleId: string, isOfTask: (taskName: string) => boolean = () => true): Promise<Known | null> {
    const { known, incomplete, failure } = await read()
    const found = known.find(({ record }) => record.scheduleId === scheduleId)
    // While its server cannot be read, a schedule must not be reported as missing.
    const isUnread = found === undefined && failure !== null && [...incomplete].some(([queueTask, tasks]) =>
      (isDigest(scheduleId) || scheduleId.startsWith(`${queueTask}:`)) && tasks.some(isOfTask))
    if (isUnread) throw failedCall(failure, 'broker') as Error
    return found ?? null
  }

  async function list({ order, after, limit = Infinity, ...wanted }: ScheduleQuery = {}): Promise<ScheduleRecord[]> {
    const records = (await all()).map(({ record }) => record).filter(record => isWanted(record, wanted))
    if (order === 'nextRun') records.sort(bySoonest)
    return records.filter(record => after === undefined || isAfter(record, after)).slice(0, limit)
  }

  return {
    find,
    forget: cached.forget,
    list,
    async count() {
      const { known, incomplete } = await read()
      const counts = countSchedules(known.map(({ record }) => record))
      const unknown = new Set([...incomplete.values()].flat())
      return { ...counts, ofTask: taskName => unknown.has(taskName) ? null : counts.ofTask(taskName) }
    },
    get: async (...parameters) => (await find(...parameters))?.record ?? null,
    async misses(scheduleId) {
      const known = await find(scheduleId)
      if (known === null) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
      return [...known.book?.entries ?? []]
    },
    async agenda(from, to) {
      const planned = (await all()).filter(({ record }) => record.enabled && record.nextRunAt !== null).flatMap(toAgendaSchedule)
      const seconds = new Map(planned.map(({ scheduleId, perMinute }) => [scheduleId, perMinute]))
      const agenda = planAgenda(planned, from, to)
      const counted = agenda.schedules.map(schedule => {
        const times = seconds.get(schedule.scheduleId) ?? 1
        return { ...schedule, total: schedule.total * times, counts: schedule.counts.map(count => count * times) }
      })
      return { hours: agenda.hours, totals: totalsOf(agenda, counted), schedules: counted }
    },
    preview(timing, { count = 10, from = Date.now() } = {}) {
      checkRunsAsked(from, count)
      const cron = 'cron' in timing ? readOwnersCron(timing.cron) : null
      if (cron !== null && 'cron' in timing && cron.minutely !== timing.cron) return previewOf(cron, timing, from, count)
      return previewRuns(timing, from, count)
    },
    status() {
      const beyond = left === 0
        ? null
        : `${countedNoun(left, 'job scheduler')} ${left === 1 ? 'is' : 'are'} not shown: 1,000 of a queue and 10,000 in all are`
      const problems = [unread, overdue, beyond, problem()].filter(each => each !== null)
      return problems.length === 0
        ? { healthy: true, message: 'unknown: other code schedules these queues' }
        : { healthy: false, message: problems.join('; ') }
    }
  }
}

/** Previews an expression that only BullMQ knows: with seconds, or a short form. */
function previewOf(
  cron: OwnersCron, { cron: expression, timezone }: { readonly cron: string; readonly timezone: string }, from: number, count: number
): SchedulePreviewResult {
  checkTimezone(timezone)
  const runs: PlannedRun[] = []
  for (const at of ownersRunsAfter(cron, timezone, from)) {
    runs.push(toPlannedRun(timezone, at, null))
    if (runs.length >= count) break
  }
  return { description: expression, timezone, runs }
}

function toAgendaSchedule({ scheduler, book, record }: Known): Array<AgendaSchedule & { readonly perMinute: number }> {
  const { scheduleId, taskName, description, startAt, endAt, intervalMs } = record
  const place = { scheduleId, taskName, description, startAt, endAt }
  const planned = asPlanned(scheduler, book)
  if (intervalMs !== null && intervalMs > 0)
    return [{ ...place, perMinute: 1, timing: { intervalMs, timezone: 'UTC', anchorAt: planned.plannedAt % intervalMs } }]
  const { cron, timezone } = timingOf(planned)
  return cron === null || timezone === null || isDisabled(scheduler)
    ? []
    : [{ ...place, perMinute: cron.seconds.length, timing: { cron: cron.minutely, timezone } }]
}
