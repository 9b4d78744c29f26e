import type { PublishedProcess } from '../processes/process-heartbeats.ts'
import type { KnownWorker, WorkerReport } from '../processes/worker-reports.ts'
import type { Covered } from '../tasks/parts-of-tasks.ts'
import type { KnownTask } from '../tasks/known-task.ts'
import type { TaskRegistry } from '../tasks/task-registry.ts'
import type { Scope } from './scope.ts'

/** The calls of the registry that dashboards use. */
export type ShownRegistry = Pick<
  TaskRegistry, 'taskNames' | 'registeredTasks' | 'declaredTasks' | 'processes' | 'workers' | 'workersByTask' | 'recent'
> & {
  /** Whether the processes that run its tasks are known. For tasks of observed queues they are not. */
  readonly knowsWorkers: boolean
  tasks(): Promise<readonly KnownTask[]>
  task(name: string): Promise<KnownTask | undefined>
  /** The tasks that a list of a task shows: itself, and its parts if it has any. */
  readonly covered?: Covered
}

/** The tasks in a scope and the processes that run them, as if there were no others. */
export function registryWithinScope(registry: ShownRegistry, { sees }: Scope): ShownRegistry {
  const seenIn = async (names: Promise<ReadonlySet<string>>) => new Set([...await names].filter(sees))
  const seenProcesses = (processes: readonly PublishedProcess[]) => processes.flatMap(process => processOf(process, sees) ?? [])
  return {
    knowsWorkers: registry.knowsWorkers,
    tasks: async () => (await registry.tasks()).filter(({ name }) => sees(name)),
    taskNames: async () => {
      const names = await registry.taskNames()
      return names.every(sees) ? names : names.filter(sees)
    },
    task: async name => sees(name) ? registry.task(name) : undefined,
    ...registry.covered && { covered: name => sees(name) ? registry.covered!(name).filter(sees) : [name] },
    registeredTasks: () => seenIn(registry.registeredTasks()),
    declaredTasks: () => seenIn(registry.declaredTasks()),
    processes: async () => seenProcesses(await registry.processes()),
    workers: async () => (await registry.workers()).flatMap(worker => workerOf(worker, sees) ?? []),
    workersByTask: async () => new Map([...await registry.workersByTask()].filter(([name]) => sees(name))),
    async recent() {
      const { taskNames, processes } = await registry.recent()
      return { taskNames: taskNames.filter(sees), processes: seenProcesses(processes) }
    }
  }
}

/** Null if the process has no task of the scope. */
function processOf<Process extends PublishedProcess>(process: Process, sees: Scope['sees']): Process | null {
  const tasks = process.tasks.filter(sees)
  if (tasks.length === 0) return null
  if (tasks.length === process.tasks.length && process.unreachable === 0) return withoutTexts(process)
  // It is not known which of its tasks it cannot run.
  return { ...withoutTexts(process), tasks, unreachable: 0 }
}

/** Replaces texts of stores and upkeep, which may contain queues and executions of any task. */
function withoutTexts<Process extends PublishedProcess>(process: Process): Process {
  return {
    ...process,
    recordingProblem: process.recordingProblem ? 'it has trouble with the history' : null,
    ...process.refusal && { refusal: 'it refuses what they need' }
  }
}

function workerOf(worker: KnownWorker, sees: Scope['sees']): KnownWorker | null {
  const process = processOf(worker, sees)
  const report = worker.report && reportOf(worker.report, sees)
  // A heartbeat leaves out tasks that the process cannot run for now, and the report does the same.
  return process === null ? null : { ...process, report }
}

function reportOf(report: WorkerReport, sees: Scope['sees']): WorkerReport | null {
  const indexes = report.tasks.flatMap((name, index) => sees(name) ? [index] : [])
  if (indexes.length === report.tasks.length) return withoutTexts(report)
  const places = new Map(indexes.map((index, place) => [index, place]))
  const runningOf = report.runningOf.flatMap(([index, count]) => places.has(index) ? [[places.get(index)!, count] as const] : [])
  return {
    ...withoutTexts(report),
    unreachable: 0,
    tasks: indexes.map(index => report.tasks[index]!),
    concurrencies: indexes.flatMap(index => report.concurrencies[index] ?? []),
    runningOf,
    running: runningOf.reduce((sum, [, count]) => sum + count, 0),
    runs: report.runs.filter(({ taskName }) => sees(taskName))
  }
}
