import type { ExecutionAttempt, FinishedExecution, Execution } from '../execution.ts'
import { LEFT_OUT, type Engine, type EngineRun, type EngineWorker } from '../engine/engine.ts'
import { runWithExecution } from './current-execution.ts'
import type { RegisteredTask, TaskHandler } from './task.ts'

/** Asked before each run that a schedule made. */
export interface RunGuard {
  beforeRun(run: ScheduledRun): Promise<'run' | 'disabled' | 'overlap'>
  afterRun(run: ScheduledRun): Promise<void>
}

export interface ScheduledRun {
  readonly scheduleId: string
  readonly executionId: string
  readonly dueAt: number
}

export interface WorkerDependencies {
  readonly engine: Pick<Engine, 'work'>
  readonly workerId: string
  readonly guard: RunGuard
  onFinished(execution: FinishedExecution): void
  onAttemptFailed(execution: Execution, attempt: ExecutionAttempt): void
  onError(error: Error): void
}

/** Starts running a task in this process: its handler with its context, its schedule's rules around it. */
export function startWorker(task: RegisteredTask, { engine, guard, ...reporting }: WorkerDependencies): EngineWorker {
  const { concurrency, timeoutMs } = task.settings
  const common = { taskName: task.name, concurrency, timeoutMs, ...reporting }
  const { handler } = task
  if (handler instanceof URL) {
    return engine.work({
      ...common,
      processor: {
        type: 'cpu',
        module: handler,
        contextModule: new URL(import.meta.url.endsWith('.ts') ? './current-execution.ts' : './current-execution.js', import.meta.url),
        before: run => mayRun(run, guard),
        after: run => release(run, guard)
      }
    })
  }
  return engine.work({ ...common, processor: { type: 'io', run: run => runHandler(run, handler, guard) } })
}

async function runHandler(run: EngineRun, handler: TaskHandler, guard: RunGuard): Promise<unknown> {
  if (!await mayRun(run, guard)) return LEFT_OUT
  try {
    return await runWithExecution(run, handler)
  } finally {
    await release(run, guard)
  }
}

async function mayRun(run: EngineRun, guard: RunGuard): Promise<boolean> {
  const scheduled = toScheduledRun(run)
  return scheduled === null || await guard.beforeRun(scheduled) === 'run'
}

async function release(run: EngineRun, guard: RunGuard): Promise<void> {
  const scheduled = toScheduledRun(run)
  if (scheduled) await guard.afterRun(scheduled)
}

function toScheduledRun({ scheduleId, executionId, dueAt }: EngineRun): ScheduledRun | null {
  return scheduleId === null ? null : { scheduleId, executionId, dueAt }
}
