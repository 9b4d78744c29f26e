import type { Changes } from '../../../schemas/common.ts'
import type { FailureGroupState } from '../../../schemas/failure.ts'
import type { HealthComponentName, HealthStatus } from '../../../schemas/health.ts'
import type { CountRelation } from '../../../schemas/page.ts'
import type { TaskType } from '../../../schemas/task.ts'
import type { TimeseriesGap, TimeseriesSource, TimeseriesStep, TimeseriesWindow } from '../../../schemas/timeseries.ts'
import type { WorkerState } from '../../../schemas/worker.ts'
import type { Backoff } from '../../time/backoff.ts'
import type { QueueLimits } from '../../engine/limiting/queue-limits.ts'
import type { QueuePause } from '../../engine/pausing/queue-pause.ts'
import type { BackendSupport, FailureGroup, KeptHistory, RetentionPolicy, TaskTotals } from '../../backend/result-backend.ts'
import type { DurationPercentiles } from '../../backend/counting/histogram-sum.ts'
import type { SearchCompletions } from '../../backend/search/complete-search.ts'
import type { SearchNames } from '../../backend/search/names-in-search.ts'
import type { ExecutionRemoval } from '../../errors.ts'
import type { Execution, ExecutionDetail } from '../../execution.ts'
import type {
  AgendaResult, MissRecord, SchedulePreviewResult, ScheduleQuery, ScheduleRecord, ScheduleTiming
} from '../../scheduler/schedules.ts'
import type { BulkReads } from '../bulk/bulk.ts'
import type { ExecutionPage, ExecutionQuery } from './executions/execution-page.ts'
import type { AuditEntriesPage } from '../audit/audit-log.ts'
import type { AuditQuery } from '../audit/audit-entry.ts'
import type { ReportedRun } from '../processes/worker-reports.ts'
import type { RateLimit } from '../tasks/rate-limit.ts'
import type { DatastoreReport } from './describe-store.ts'
import type { JobReads } from './job-of.ts'
import type { Why } from './why/why.ts'

/**
 * The reads of a dashboard, from any process of a queue app. `Operations` has the writes. Times are in milliseconds since the epoch,
 * durations in milliseconds. If a datastore does not respond at all, every call rejects within 2 s, with BROKER_UNAVAILABLE,
 * BACKEND_UNAVAILABLE, STORE_REFUSED or NOT_STARTED.
 */
export interface Monitoring extends JobReads {
  /** Every task that a process registered in the last seven days, ordered by name. */
  tasks(): Promise<TaskOverview[]>
  task(name: string): Promise<TaskReport | null>

  /** Processes that run tasks, and those whose heartbeats ended in the last hour, ordered by id. */
  workers(): Promise<WorkerOverview[]>
  /** The queue of each of `tasks()` that has one of its own, in their order. */
  queues(): Promise<QueueOverview[]>
  /** The queue with this name, or of the task with this name; null if there is none. */
  queue(name: string): Promise<QueueOverview | null>
  /** The task that a queue of this name belongs to. Queries no datastore. */
  taskOfQueue(name: string): string

  /** Rejects with INVALID_SEARCH, INVALID_CURSOR. */
  executions(query: ExecutionQuery): Promise<ExecutionPage>
  execution(executionId: string): Promise<ExecutionDetail | null>
  /**
   * Why an execution does not run, or that it does; null if there is no such execution. A store that does not respond is reported as a
   * fact, not as a rejection.
   */
  why(executionId: string): Promise<Why | null>
  /** Finished executions that repeat this one, newest first, at most 20. */
  retriesOf(executionId: string): Promise<Execution[]>
  /** The retry that `operations.retryExecution` made of an execution, if the broker still has it; null if not, or if it is unavailable. */
  standingRetryOf(execution: Pick<Execution, 'executionId' | 'taskName'>): Promise<Execution | null>
  /**
   * Why an execution that was not found is gone. `prunedBefore` if its id shows that it was created at or before the latest finish that
   * retention has removed; null if unknown. A deletion is known for at least two hours.
   */
  removalOf(executionId: string): Promise<ExecutionRemoval | null>
  /** Completions at `position` in a search, in UTF-16 code units. */
  searchCompletions(search: string, position: number): Promise<SearchCompletions>
  /** The tasks, schedules and executions named in an execution search. Queries no datastore and never throws. */
  searchNames(search: string): SearchNames
  /** Groups of failures, last seen first. Rejects with INVALID_CURSOR. */
  failureGroups(query: FailureGroupsQuery): Promise<FailureGroupsPage>
  /** Rejects with INVALID_INPUT if the step does not fit the window. */
  timeseries(query: TimeseriesQuery): Promise<Timeseries>

  /** Ordered by creation, then id; default all. */
  schedules(query?: ScheduleQuery): Promise<ScheduleOverview[]>
  schedule(scheduleId: string): Promise<ScheduleOverview | null>
  /** Missed and late runs, newest first. Rejects with SCHEDULE_NOT_FOUND. */
  scheduleMisses(scheduleId: string): Promise<MissRecord[]>
  /** Planned runs of the enabled schedules in each hour from `from`, a whole hour, to `to`. */
  scheduleAgenda(from: number, to: number): Promise<AgendaResult>
  previewSchedule(timing: ScheduleTiming, options?: { count?: number; from?: number }): SchedulePreviewResult

  /** Who changed what, newest first. Rejects with INVALID_CURSOR. */
  auditEntries(query: AuditQuery): Promise<AuditEntriesPage>

  /** Bulk operations. */
  readonly bulk: BulkReads

  statistics(): Promise<Statistics>
  /** Never rejects. */
  health(): Promise<HealthReport>
  /** Version and settings of the two datastores. Never rejects. */
  datastores(): Promise<{ readonly broker: DatastoreReport; readonly backend: DatastoreReport }>
  /** The kinds of the two datastores, for display. */
  readonly stores: { readonly broker: string; readonly backend: string }
  /** The longer timeout of the two datastores, in milliseconds: 1500 for a server, more for an embedded store. */
  readonly patienceMs: number
  readonly supports: MonitoringSupport
  /** Whether the history is in the memory of this process, because no result backend was configured. */
  readonly endsWithProcess: boolean
}

export interface MonitoringSupport extends BackendSupport {
  /** Whether executions, queues and schedules can be changed. False if all are in existing queues and are only observed. */
  readonly changes: boolean
  /** Whether a task's executions, queue and schedules can be changed. Absent: the same as `changes`, for every task. */
  changesOf?(taskName: string): boolean
  /** Whether executions in existing queues can nevertheless be retried and cancelled, and these queues paused. */
  readonly manages: boolean
}

/** `pending` and `running` are null if they are unknown: existing queues are not counted by the names of their jobs. */
export interface InFlightAndFinished {
  readonly pending: number | null
  readonly running: number | null
  readonly success: number
  readonly failed: number
}

export interface TaskOverview {
  readonly name: string
  readonly type: TaskType
  readonly description: string | null
  readonly queue: string
  /** The task of the queue, if this task is one of the names of the queue's jobs. Null for every other task. */
  readonly partOf: string | null
  /** Null for an external task, whose executions have settings of their own. */
  readonly retries: number | null
  readonly backoff: Backoff | null
  readonly timeoutMs: number | null
  readonly concurrency: number | null
  readonly rateLimit: RateLimit | null
  /** No attempt starts before this, because of the rate limit; null when not limited. */
  readonly rateLimitedUntil: number | null
  /** How many processes run it now, except those that are stopping. Null for an external task, whose workers are not known. */
  readonly workers: number | null
  /** How many schedules it has. Null if their server cannot be read, or if there are more than are shown. */
  readonly schedules: number | null
  readonly executions: InFlightAndFinished
  /** Over the last 24 hours. */
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly last: TaskTotals['last']
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface TaskReport extends TaskOverview { readonly oldestPendingMs: number | null }

/** A field is null if the process does not report it, because it runs an earlier version. */
export interface WorkerOverview {
  readonly workerId: string
  readonly state: WorkerState
  /** Sentences; empty if it is healthy. */
  readonly problems: readonly string[]
  readonly host: string | null
  readonly pid: number | null
  readonly appName: string | null
  readonly version: string | null
  readonly nodeVersion: string | null
  readonly startedAt: number
  /** When the process last reported. The executions that it runs are from that report. */
  readonly lastSeenAt: number | null
  readonly taskCount: number
  /** At most 50. Tasks with the most running executions come first. */
  readonly tasks: ReadonlyArray<{ readonly name: string; readonly concurrency: number | null; readonly running: number | null }>
  readonly running: number | null
  /** At most 10: those that have run longest. */
  readonly executions: readonly ReportedRun[] | null
  readonly memoryBytes: number | null
  /** Negative if its clock is behind the broker's. */
  readonly clockAheadMs: number | null
}

export interface QueueOverview {
  readonly name: string
  readonly taskName: string
  /** `some` or `none` for an existing queue. */
  readonly changes: Changes
  /** Null while it is not paused. Limits are those set at run time, in addition to those in the code; null for none. */
  readonly pause: QueuePause | null
  readonly limits: QueueLimits | null
  readonly pending: number
  readonly running: number
  readonly oldestPendingMs: number | null
  /** How many processes run its task now, except those that are stopping. Null for an external task, whose workers are not known. */
  readonly workers: number | null
  /** The sum over all of these processes; null if one of them does not report it. One that the broker refuses adds 0. */
  readonly concurrency: number | null
  readonly rateLimit: RateLimit | null
  /** No attempt starts before this, because of the rate limit; null when not limited. */
  readonly rateLimitedUntil: number | null
  /** Executions finished per minute, since the start of the previous hour; and in each of the last 24 hours up to now, oldest first. */
  readonly throughputPerMinute: number
  readonly trend: readonly number[]
}

export interface FailureGroupsQuery {
  /** Failures in [from, to), to the hour. Default: all time. */
  readonly from?: number
  readonly to?: number
  readonly taskName?: string
  /** Only this group. */
  readonly errorGroup?: string
  /** Default: all. `open` includes regressed groups. */
  readonly state?: FailureGroupState
  /** 1 to 200, default 50. */
  readonly limit?: number
  readonly cursor?: string
}

export type FailureGroupOverview = FailureGroup & { /** First seen in the last 24 hours. */ readonly isNew: boolean }

export interface FailureGroupsPage {
  readonly groups: readonly FailureGroupOverview[]
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
  /** `from` and `to` are step boundaries; `to` is not before now. */
  readonly from: number
  readonly to: number
  readonly stepMs: number
  readonly source: TimeseriesSource
  /** One per step, oldest first. */
  readonly points: readonly TimeseriesPoint[]
}

export interface TimeseriesPoint {
  readonly at: number
  /** Null if unknown, with the reason in `gap`; 0 if nothing finished. */
  readonly success: number | null
  readonly failed: number | null
  /** An open span counts only its elapsed part; null during the first minute. */
  readonly throughputPerMinute: number | null
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly isOpen: boolean
  readonly gap: TimeseriesGap | null
}

export interface ScheduleOverview extends ScheduleRecord {
  /** Start of the last finished run. If the start was lost with its process, the time it was due. */
  readonly lastRunAt: number | null
  readonly lastStatus: 'running' | 'success' | 'failed' | null
  /** `runs`, `success` and `failed` are null in the result of an operation while the result backend is out of reach. */
  readonly runs: number | null
  readonly success: number | null
  readonly failed: number | null
  /** Over runs with a known duration; null if none. */
  readonly avgDurationMs: number | null
}

export interface Statistics {
  readonly executions: InFlightAndFinished
  readonly activeWorkers: number | null
  readonly registeredTasks: number
  readonly schedules: { readonly total: number; readonly enabled: number; readonly overdue: number }
  /** Executions finished per minute, over the last five minutes. */
  readonly throughputPerMinute: number
  /** Over the last hour. */
  readonly duration: DurationPercentiles | null
  readonly wait: DurationPercentiles | null
  readonly oldestPendingMs: number | null
  /** `retention` is null if nothing is ever removed. */
  readonly history: KeptHistory & { readonly retention: RetentionPolicy | null }
  readonly generatedAt: number
}

export interface HealthReport {
  readonly status: HealthStatus
  readonly timestamp: number
  readonly uptimeMs: number
  readonly components: Record<HealthComponentName, { readonly healthy: boolean; readonly message: string; readonly latencyMs?: number }>
}
