import { MAX_WORKER_EXECUTIONS, MAX_WORKER_TASKS, type WorkerState } from '../../../schemas/worker.ts'
import { MAX_CLOCK_SKEW_MS } from '../../scheduler/runs/late-after.ts'
import { describeSkew } from '../../stores/store-clock.ts'
import { SECOND_MS } from '../../time/units.ts'
import { nameOfApp } from '../processes/app-identity.ts'
import type { KnownWorker } from '../processes/worker-reports.ts'
import type { WorkerOverview } from './monitoring.ts'

export function toWorkerOverview(worker: KnownWorker): WorkerOverview {
  const { workerId, startedAt, aheadMs, app, tasks, report } = worker
  // Start times are shown by the broker's clock. They are corrected by whole seconds, because each heartbeat measures the difference again.
  const wrongMs = Math.round((aheadMs ?? 0) / SECOND_MS) * SECOND_MS
  return {
    workerId,
    state: stateOf(worker),
    problems: problemsOf(worker),
    host: report?.host ?? null,
    pid: report?.pid ?? null,
    appName: app ? nameOfApp(app) : null,
    version: report?.version ?? null,
    nodeVersion: report?.nodeVersion ?? null,
    startedAt: startedAt - wrongMs,
    lastSeenAt: report?.seenAt ?? null,
    taskCount: (report?.tasks ?? tasks).length,
    tasks: tasksOf(worker),
    running: report?.running ?? null,
    executions: report && report.runs.slice(0, MAX_WORKER_EXECUTIONS)
      .map(run => ({ ...run, startedAt: run.startedAt === null ? null : run.startedAt - wrongMs })),
    memoryBytes: report?.memoryBytes ?? null,
    clockAheadMs: aheadMs ?? null
  }
}

function stateOf({ isSilent, refusal, report }: KnownWorker): WorkerState {
  if (isSilent) return 'silent'
  if (report?.isStopping) return 'stopping'
  return refusal ? 'refused' : 'alive'
}

function problemsOf({ isSilent, tasks, unreachable, refusal, recordingProblem, aheadMs = 0 }: KnownWorker): string[] {
  return [
    isSilent && 'Its heartbeats ended although it did not stop: it died, hangs, or cannot reach the broker',
    refusal && `The broker refuses its workers: ${refusal}`,
    unreachable > 0 && `${unreachable} of its ${tasks.length + unreachable} tasks cannot reach the broker to take executions`,
    recordingProblem && `Its history: ${recordingProblem}`,
    Math.abs(aheadMs) > MAX_CLOCK_SKEW_MS && `Its clock is ${describeSkew(aheadMs)}: correct it`
  ].filter(problem => typeof problem === 'string' && problem !== '') as string[]
}

/** The tasks with the most running executions first, then the others in order of registration. */
function tasksOf({ tasks, report }: KnownWorker): WorkerOverview['tasks'] {
  if (report === null) return tasks.slice(0, MAX_WORKER_TASKS).map(name => ({ name, concurrency: null, running: null }))
  const counted = report.runningOf.reduce((sum, [, count]) => sum + count, 0)
  // A report lists only a limited number of running tasks. If it left some out, it is unknown whether any other task is running.
  const others = counted === report.running ? 0 : null
  const busy = new Set(report.runningOf.map(([index]) => index))
  const toTask = (index: number, running: number | null) =>
    ({ name: report.tasks[index]!, concurrency: report.concurrencies[index] ?? null, running })
  const listed = report.runningOf.slice(0, MAX_WORKER_TASKS).map(([index, count]) => toTask(index, count))
  for (let index = 0; index < report.tasks.length && listed.length < MAX_WORKER_TASKS; index++)
    if (!busy.has(index)) listed.push(toTask(index, others))
  return listed
}

/**
 * How many executions of each task all living processes together may run at a time, except processes that are stopping. Null if one of them
 * does not report it. A process that the broker refuses takes none, so it adds 0.
 */
export function concurrencyByTask(workers: readonly KnownWorker[]): Map<string, number | null> {
  const byTask = new Map<string, number | null>()
  for (const { names, concurrencies, taking } of groupByTasks(workers.filter(({ isSilent, isStopping }) => !isSilent && !isStopping))) {
    for (const [index, name] of names.entries()) {
      const known = byTask.get(name)
      const added = taking === 0 ? 0 : concurrencies?.[index]
      byTask.set(name, known === null || added === undefined ? null : (known ?? 0) + added * taking)
    }
  }
  return byTask
}

/** Processes of one program share their lists, so there are few groups. */
function groupByTasks(workers: readonly KnownWorker[]): Iterable<TaskGroup> {
  const groups = new Map<readonly string[], Map<readonly number[] | null, TaskGroup>>()
  for (const { tasks, refusal, report } of workers) {
    const names = report?.tasks ?? tasks
    const concurrencies = report?.concurrencies ?? null
    const ofNames = groups.get(names) ?? new Map<readonly number[] | null, TaskGroup>()
    groups.set(names, ofNames)
    ofNames.set(concurrencies, { names, concurrencies, taking: (ofNames.get(concurrencies)?.taking ?? 0) + (refusal ? 0 : 1) })
  }
  return [...groups.values()].flatMap(ofNames => [...ofNames.values()])
}

/** `taking`: how many processes of the group take executions. */
interface TaskGroup { readonly names: readonly string[]; readonly concurrencies: readonly number[] | null; readonly taking: number }
