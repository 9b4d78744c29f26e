import { LEFT_OUT, type Engine, type EngineRun, type EngineWorker } from '../../engine/engine.ts'
import type { Execution, ExecutionAttempt, FinishedExecution } from '../../execution.ts'
import type { ScheduledRun } from '../../scheduler/runs/run-guard.ts'
import type { ScheduleControl } from '../../scheduler/schedule-control.ts'
import { ownFile } from '../../own-file.ts'
import type { TaskHandler } from '../../task-reference.ts'
import { runWithExecution } from './current-execution.ts'
import { CONTEXT_FILE, type RegisteredTask } from './task.ts'

export interface WorkerDependencies {
  readonly engine: Pick<Engine, 'work'>
  readonly workerId: string
  readonly guard: Pick<ScheduleControl, 'beforeRun' | 'afterRun'>
  onFinished(execution: FinishedExecution): void
  onAttemptFailed(execution: Execution, attempt: ExecutionAttempt, args: readonly unknown[] | null): void
  onError(error: Error): void
}

/** Starts running a task in this process: its handler in its context, surrounded by its schedule's rules. */
export function startWorker(task: RegisteredTask, { engine, guard, ...reporting }: WorkerDependencies): EngineWorker {
  const { concurrency, timeoutMs, retries, rateLimit } = task.settings
  const common = { taskName: task.name, concurrency, timeoutMs, rateLimit, maxLosses: Math.max(retries, 1), ...reporting }
  const { handler } = task
  if (handler instanceof URL) {
    return engine.work({
      ...common,
      processor: {
        type: 'cpu',
        module: handler,
        contextModule: ownFile(CONTEXT_FILE)!,
        before: run => mayRun(run, guard),
        after: run => release(run, guard)
      }
    })
  }
  return engine.work({ ...common, processor: { type: 'io', run: run => runHandler(run, handler, guard) } })
}

/** Almost no execution comes from a schedule, so this path awaits nothing unnecessary. */
function runHandler(run: EngineRun, handler: TaskHandler, guard: WorkerDependencies['guard']): Promise<unknown> {
  return run.scheduleId === null ? Promise.resolve(runWithExecution(run, handler)) : runScheduled(run, handler, guard)
}

async function runScheduled(run: EngineRun, handler: TaskHandler, guard: WorkerDependencies['guard']): Promise<unknown> {
  if (!await mayRun(run, guard)) return LEFT_OUT
  try {
    return await runWithExecution(run, handler)
  } finally {
    await release(run, guard)
  }
}

async function mayRun(run: EngineRun, guard: WorkerDependencies['guard']): Promise<boolean> {
  const scheduled = toScheduledRun(run)
  return scheduled === null || await guard.beforeRun(scheduled) === 'run'
}

async function release(run: EngineRun, guard: WorkerDependencies['guard']): Promise<void> {
  const scheduled = toScheduledRun(run)
  if (scheduled) await guard.afterRun(scheduled)
}

function toScheduledRun({ scheduleId, executionId, dueAt, wasTaken, isPlanned }: EngineRun): ScheduledRun | null {
  return scheduleId === null ? null : { scheduleId, executionId, dueAt, wasTaken, isPlanned }
}
