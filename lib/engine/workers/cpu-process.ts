import type { SandboxedJob } from 'bullmq'
import { toAttemptError } from '../jobs/attempt-error.ts'
import { endWithParent } from './end-with-parent.ts'
import { argsFromJob, dueAtFromJob, scheduleIdFromJob } from '../jobs/job-mapper.ts'
import type { JobData } from '../jobs/job-fields.ts'
import type { EngineRun } from '../engine.ts'
import { toStorableJson } from '../jobs/storable.ts'
import { toStoredResult, type StoredResult } from '../jobs/stored-result.ts'

/**
 * Runs in the process of a `cpu` task: calls the default export of its module with the positional arguments, inside the context that makes
 * `currentExecution()` work. Environment variables name both modules. The process ends when its parent is gone.
 */
export default async function runInProcess(job: SandboxedJob<JobData>, token: string, signal: AbortSignal): Promise<CpuResult> {
  endWithParent(Number(process.env[PARENT_VARIABLE]))
  let isOver = false
  try {
    const [task, context] = await Promise.all([importFrom(TASK_MODULE_VARIABLE), importFrom(CONTEXT_MODULE_VARIABLE)])
    const handler = task.default as (...args: readonly unknown[]) => unknown
    if (typeof handler !== 'function')
      throw new TypeError(`The module ${process.env[TASK_MODULE_VARIABLE]} of this task has no default export that is a function`)
    const runWithExecution = context.runWithExecution as (run: EngineRun, callback: () => unknown) => unknown
    const run = toRun(job, signal, () => isOver)
    return { run: runName(job.id, token), result: toStoredResult(await runWithExecution(run, () => handler(...run.args))) }
  } catch (thrown) {
    throw Object.assign(toAttemptError(thrown), { run: runName(job.id, token) })
  } finally {
    isOver = true
  }
}

/**
 * The outcome of a run, and the name of that run. The handler may send messages that look the same, and so may code that it left running
 * after the next run has started.
 */
export interface CpuResult { readonly run: string; readonly result: StoredResult }

export function runName(executionId: string | undefined, token: string): string {
  return `${executionId} ${token}`
}

export const TASK_MODULE_VARIABLE = 'TASK_DASHBOARD_TASK_MODULE'
export const CONTEXT_MODULE_VARIABLE = 'TASK_DASHBOARD_CONTEXT_MODULE'
/** Id of the parent process. */
export const PARENT_VARIABLE = 'TASK_DASHBOARD_PARENT_PID'

async function importFrom(variable: string): Promise<Record<string, unknown>> {
  return await (import(process.env[variable]!) as Promise<Record<string, unknown>>)
}

function toRun(job: SandboxedJob<JobData>, signal: AbortSignal, isOver: () => boolean): EngineRun {
  const fields = { ...job, repeatJobKey: job.repeatJobKey } as Parameters<typeof scheduleIdFromJob>[0] & Parameters<typeof dueAtFromJob>[0]
  return {
    executionId: String(job.id),
    taskName: job.name,
    args: argsFromJob(job) ?? [],
    attempt: job.attemptsMade + 1,
    // The parent process has already checked before it started the run here.
    wasTaken: job.attemptsMade > 0,
    maxAttempts: Math.max(job.opts.attempts ?? 1, 1),
    scheduleId: scheduleIdFromJob(fields),
    isPlanned: fields.repeatJobKey !== undefined,
    dueAt: dueAtFromJob(fields),
    signal,
    // Declared as void, but it returns a promise that the line was sent.
    log: async line => { if (!isOver()) await (job.log(line) as unknown as Promise<void>) },
    // After the run ended, this would be reported for the process's next run.
    progress: async value => { if (!isOver()) await job.updateProgress(toStorableJson(value)) }
  }
}
