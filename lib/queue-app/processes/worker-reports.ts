import type { DocumentStore } from '../../stores/documents/documents.ts'
import { HOUR_MS } from '../../time/units.ts'
import { HEARTBEAT_TTL_MS, type PublishedProcess } from './process-heartbeats.ts'
import { createSharedLists, type SharedLists } from './shared-lists.ts'

/** What a process reports about itself in addition to its heartbeat, for the list of workers. Times are in milliseconds since the epoch. */
export interface WorkerReport extends PublishedProcess {
  readonly host: string
  readonly pid: number
  /** The versions of this package and of Node. */
  readonly version: string
  readonly nodeVersion: string
  /** When it was written, by the broker's clock. */
  readonly seenAt: number
  readonly isStopping: boolean
  /** Resident memory of the process, in bytes, without the processes of `cpu` tasks. */
  readonly memoryBytes: number
  /** The most executions that it runs at once of each of `tasks`, in their order. */
  readonly concurrencies: readonly number[]
  /** How many executions it runs now. */
  readonly running: number
  /** How many of them belong to each task; a task is an index into `tasks`. At most 100. */
  readonly runningOf: ReadonlyArray<readonly [task: number, count: number]>
  /** Those that have run longest, at most 10. `startedAt` is by the process's own clock. */
  readonly runs: readonly ReportedRun[]
}

export interface ReportedRun { readonly executionId: string; readonly taskName: string; readonly startedAt: number | null }

/** A process with tasks to run. It has a report only if its version writes one. */
export interface KnownWorker extends PublishedProcess {
  readonly report: WorkerReport | null
  /** Whether its heartbeats ended without a stop. */
  readonly isSilent: boolean
}

/** How long a process whose heartbeats ended is listed. The lists that a report refers to must be kept longer: see `shared-lists.ts`. */
export const REPORT_TTL_MS = HOUR_MS
/** A process without a heartbeat counts as stopped, unless its report is older than this. Then it counts as silent. */
const LEFT_WITHIN_MS = HEARTBEAT_TTL_MS / 2
const REPORTS = 'worker-reports'
const CONCURRENCIES = 'task-concurrency'

type Stored = Omit<WorkerReport, 'tasks' | 'concurrencies'> & { readonly taskList: string; readonly concurrencyList: string }

/**
 * Stores one document per process, which outlives its heartbeat, so that others can see that the heartbeats ended. It is separate to keep
 * heartbeats small: every process reads those, but only the list of workers reads reports.
 */
export function createWorkerReports(documents: DocumentStore, taskLists: SharedLists<string>) {
  const concurrencyLists = createSharedLists<number>(documents, CONCURRENCIES)

  return {
    async write({ tasks, concurrencies, ...report }: WorkerReport): Promise<void> {
      const [taskList, concurrencyList] = await Promise.all([taskLists.write(tasks), concurrencyLists.write(concurrencies)])
      const stored: Stored = { ...report, taskList, concurrencyList }
      await documents.put(REPORTS, report.workerId, stored, { ttlMs: REPORT_TTL_MS })
    },

    /** Leaves out reports whose task lists the broker has lost, until they are written again. */
    async read(): Promise<WorkerReport[]> {
      const stored = (await documents.list<Stored>(REPORTS)).map(document => document.value)
      await Promise.all([
        taskLists.read(new Set(stored.map(({ taskList }) => taskList))),
        concurrencyLists.read(new Set(stored.map(({ concurrencyList }) => concurrencyList)))
      ])
      return stored.flatMap(({ taskList, concurrencyList, ...report }) => {
        const tasks = taskLists.get(taskList)
        const concurrencies = concurrencyLists.get(concurrencyList)
        return tasks === undefined || concurrencies === undefined ? [] : [{ ...report, tasks, concurrencies }]
      })
    },

    renew: concurrencyLists.renew,

    async leave(workerId: string): Promise<void> {
      await documents.delete(REPORTS, workerId)
    }
  }
}

/** Joins heartbeats and reports, by worker id. `now`: the broker's time. */
export function joinWorkers(processes: readonly PublishedProcess[], reports: readonly WorkerReport[], now: number): KnownWorker[] {
  const alive = new Set(processes.map(process => process.workerId))
  const reported = new Map(reports.map(report => [report.workerId, report]))
  const silent = reports.filter(report => !alive.has(report.workerId) && now - report.seenAt > LEFT_WITHIN_MS)
  return [
    ...processes.map(process => ({ ...process, report: reported.get(process.workerId) ?? null, isSilent: false })),
    ...silent.map(report => ({ ...report, report, isSilent: true }))
  ].sort((one, other) => one.workerId < other.workerId ? -1 : 1)
}
