import type { ExecutionOrder, ExecutionStatus } from '../../../schemas/execution.ts'
import type { HealthComponentName, HealthStatus } from '../../../schemas/health.ts'
import type { CountRelation } from '../../../schemas/page.ts'
import type { TaskType } from '../../../schemas/task.ts'
import type { TimeseriesGap, TimeseriesSource, TimeseriesStep, TimeseriesWindow } from '../../../schemas/timeseries.ts'
import type { Backoff } from '../../time/backoff.ts'
import type { BackendSupport, FailureGroup, KeptHistory, RetentionPolicy, TaskTotals } from '../../backend/result-backend.ts'
import type { DurationPercentiles } from '../../backend/counting/histogram-sum.ts'
import type { SearchCompletions } from '../../backend/search/complete-search.ts'
import type { SearchNames } from '../../backend/search/names-in-search.ts'
import type { Execution, ExecutionDetail } from '../../execution.ts'
import type {
  AgendaResult, MissRecord, SchedulePreviewResult, ScheduleQuery, ScheduleRecord, ScheduleTiming
} from '../../scheduler/schedules.ts'
import type { RateLimit } from '../tasks/rate-limit.ts'

/**
 * What a dashboard reads, from any process of a queue app; `Operations` is what it changes. Times are milliseconds since the epoch,
 * durations milliseconds. When a datastore does not answer at all, every call rejects within 2 s, with BROKER_UNAVAILABLE,
 * BACKEND_UNAVAILABLE, STORE_REFUSED or NOT_STARTED.
 */
export interface Monitoring {
  /** Every task that a process registered in the last seven days, ordered by name. */
  tasks(): Promise<TaskOverview[]>
  task(name: string): Promise<TaskReport | null>

  /** Rejects with INVALID_SEARCH, INVALID_CURSOR. */
  executions(query: ExecutionQuery): Promise<ExecutionPage>
  execution(executionId: string): Promise<ExecutionDetail | null>
  /** What repeats an execution and has finished, the newest first, at most 20. */
  retriesOf(executionId: string): Promise<Execution[]>
  /**
   * Of an execution that is not found: when its id tells that it was made at or before the latest finish among what retention
   * removed, that time; null when the id tells nothing, or nothing of that time was removed.
   */
  prunedBefore(executionId: string): Promise<number | null>
  /** What may be typed at `position` of a search, in UTF-16 code units. */
  searchCompletions(search: string, position: number): Promise<SearchCompletions>
  /** The tasks, schedules and executions that a search of executions names. Asks no datastore, and never throws. */
  searchNames(search: string): SearchNames
  /** Groups of failures, last seen first. Rejects with INVALID_CURSOR. */
  failureGroups(query: FailureGroupsQuery): Promise<FailureGroupsPage>
  /** Rejects with INVALID_INPUT when the step does not fit the window. */
  timeseries(query: TimeseriesQuery): Promise<Timeseries>

  /** Ordered by creation, then id; default all. */
  schedules(query?: ScheduleQuery): Promise<ScheduleOverview[]>
  schedule(scheduleId: string): Promise<ScheduleOverview | null>
  /** Missed and late runs, newest first. Rejects with SCHEDULE_NOT_FOUND. */
  scheduleMisses(scheduleId: string): Promise<MissRecord[]>
  /** Planned runs of the enabled schedules in each hour from `from`, a whole hour, to `to`. */
  scheduleAgenda(from: number, to: number): Promise<AgendaResult>
  previewSchedule(timing: ScheduleTiming, options?: { count?: number; from?: number }): SchedulePreviewResult

  statistics(): Promise<Statistics>
  /** Never rejects. */
  health(): Promise<HealthReport>
  /** What the two datastores say of themselves. Never rejects. */
  datastores(): Promise<{ readonly broker: DatastoreReport; readonly backend: DatastoreReport }>
  /** The kinds of the two datastores, for display. */
  readonly stores: { readonly broker: string; readonly backend: string }
  /** How long the more patient of the two datastores is waited for, in milliseconds: 1500 for a server, more for one in this process. */
  readonly patienceMs: number
  readonly supports: BackendSupport
}

export interface InFlightAndFinished {
  readonly pending: number
  readonly running: number
  readonly success: number
  readonly failed: number
}

export interface TaskOverview {
  readonly name: string
  readonly type: TaskType
  readonly description: string | null
  readonly queue: string
  readonly retries: number
  readonly backoff: Backoff
  readonly timeoutMs: number | null
  readonly concurrency: number | null
  readonly rateLimit: RateLimit | null
  /** Until when its rate limit lets no attempt start; null while it does. */
  readonly rateLimitedUntil: number | null
  /** Processes that run it now. */
  readonly workers: number
  readonly schedules: number
  readonly executions: InFlightAndFinished
  /** Over the last 24 hours. */
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly last: TaskTotals['last']
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface TaskReport extends TaskOverview {
  readonly oldestPendingMs: number | null
}

export interface ExecutionQuery {
  /** Default: all. */
  readonly status?: ExecutionStatus
  readonly taskName?: string
  readonly scheduleId?: string
  /** Of what runs or finished. */
  readonly workerId?: string
  readonly errorGroup?: string
  /** Of what finished: milliseconds, inclusive. */
  readonly minDurationMs?: number
  /** In the search language (docs/search.md), at most 512 characters; holds beside the other filters. */
  readonly search?: string
  /** By the time of the last change (finished, started or submitted); inclusive, exclusive. */
  readonly from?: number
  readonly to?: number
  /** Default `newest`. */
  readonly order?: ExecutionOrder
  /** 1 to 200, default 50. */
  readonly limit?: number
  /** `nextCursor` of the page before. Rejects with INVALID_CURSOR. */
  readonly cursor?: string
}

export interface ExecutionPage {
  readonly executions: Execution[]
  readonly nextCursor: string | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
  /** Executions looked through for this page; null when indexes answered. */
  readonly scanned: number | null
  /** False when looking through stopped at its bound before the page was full: go on with `nextCursor`. */
  readonly complete: boolean
}

export interface FailureGroupsQuery {
  /** Failures in [from, to), to the hour. Default: all time. */
  readonly from?: number
  readonly to?: number
  readonly taskName?: string
  /** This one alone. */
  readonly errorGroup?: string
  /** 1 to 200, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

export interface FailureGroupsPage {
  readonly groups: ReadonlyArray<FailureGroup & { readonly isNew: boolean }>
  readonly nextCursor: string | null
  readonly total: { readonly value: number; readonly relation: CountRelation }
}

export interface TimeseriesQuery {
  readonly window: TimeseriesWindow
  /** Default: fits the window. */
  readonly step?: TimeseriesStep
  /** Default: over all tasks. */
  readonly taskName?: string
}

export interface Timeseries {
  /** Starts and ends of whole steps; `to` is not before now. */
  readonly from: number
  readonly to: number
  readonly stepMs: number
  readonly source: TimeseriesSource
  /** One a step, oldest first. */
  readonly points: readonly TimeseriesPoint[]
}

export interface TimeseriesPoint {
  readonly at: number
  /** Null with the reason in `gap`; 0 when nothing finished. */
  readonly success: number | null
  readonly failed: number | null
  /** Of a span that is not over: in the part that is, null while that is less than a minute. */
  readonly throughputPerMinute: number | null
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly isOpen: boolean
  readonly gap: TimeseriesGap | null
}

export interface ScheduleOverview extends ScheduleRecord {
  /** When the last run that finished began; where that was lost with its process, when it was due. */
  readonly lastRunAt: number | null
  readonly lastStatus: 'running' | 'success' | 'failed' | null
  /** These three are null in what an operation returns while the result backend is out of reach. */
  readonly runs: number | null
  readonly success: number | null
  readonly failed: number | null
  /** Of the runs whose duration is known; null when there is none. */
  readonly avgDurationMs: number | null
}

export interface Statistics {
  readonly executions: InFlightAndFinished
  readonly activeWorkers: number | null
  readonly registeredTasks: number
  readonly schedules: { readonly total: number; readonly enabled: number; readonly overdue: number }
  /** Executions finished a minute, over the last five minutes. */
  readonly throughputPerMinute: number
  /** Over the last hour. */
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly oldestPendingMs: number | null
  /** `retention`: null when nothing is ever removed. */
  readonly history: KeptHistory & { readonly retention: RetentionPolicy | null }
  readonly generatedAt: number
}

export interface HealthReport {
  readonly status: HealthStatus
  readonly timestamp: number
  readonly uptimeMs: number
  readonly components: Record<HealthComponentName, { readonly healthy: boolean; readonly message: string; readonly latencyMs?: number }>
}

/** Null is what a datastore does not tell. */
export interface DatastoreReport {
  readonly kind: string
  readonly version: string | null
  /** Redis alone: its `maxmemory-policy`. */
  readonly evictionPolicy: string | null
  /** What is left after a crash: everything (`log`), what was there at the last snapshot, or nothing. */
  readonly persistence: 'log' | 'snapshots' | 'none' | 'memory' | null
}
