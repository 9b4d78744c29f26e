import { hostname } from 'node:os'
import { MAX_WORKER_EXECUTIONS } from '../../../schemas/worker.ts'
import type { WorkerRun } from '../../engine/engine.ts'
import type { RegisteredTask } from '../tasks/task.ts'
import { VERSION } from '../../version.ts'
import type { ReportedRun, WorkerReport } from './worker-reports.ts'

const MAX_TASKS = 100

/** The host, id, versions and memory of this process. */
export function describeProcess(): Pick<WorkerReport, 'host' | 'pid' | 'version' | 'nodeVersion' | 'memoryBytes'> {
  return {
    host: hostname(), pid: process.pid, version: VERSION, nodeVersion: process.versions.node, memoryBytes: process.memoryUsage.rss()
  }
}

/**
 * What this process runs now, of bounded size. One pass, because it is read with every heartbeat.
 * @param own all of its tasks
 * @param tasks names of those it can run, in the same order
 */
export function readOwnWork(
  own: readonly RegisteredTask[], tasks: readonly string[], runsOf: (taskName: string) => readonly WorkerRun[]
): Pick<WorkerReport, 'concurrencies' | 'running' | 'runningOf' | 'runs'> {
  const concurrencies: number[] = []
  const runningOf: Array<[task: number, count: number]> = []
  const all: ReportedRun[] = []
  for (const { name: taskName, settings } of own) {
    const runs = runsOf(taskName)
    for (const { executionId, startedAt } of runs) all.push({ executionId, taskName, startedAt })
    if (tasks[concurrencies.length] !== taskName) continue
    if (runs.length > 0) runningOf.push([concurrencies.length, runs.length])
    concurrencies.push(settings.concurrency)
  }
  return {
    concurrencies,
    running: all.length,
    runningOf: runningOf.sort(([, one], [, other]) => other - one).slice(0, MAX_TASKS),
    runs: all.sort((one, other) => (one.startedAt ?? Infinity) - (other.startedAt ?? Infinity)).slice(0, MAX_WORKER_EXECUTIONS)
  }
}
