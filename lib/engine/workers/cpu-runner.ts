import { dirname, join } from 'node:path'
import { ChildCommand, ChildPool, ParentCommand, type Child, type Job } from 'bullmq'
import { isTaskDashboardError } from '../../errors.ts'
import { ownFile, packageFile } from '../../own-file.ts'
import { attemptErrorFromChild } from '../jobs/attempt-error.ts'
import { CONTEXT_MODULE_VARIABLE, PARENT_VARIABLE, runName, TASK_MODULE_VARIABLE, type CpuResult } from './cpu-process.ts'
import type { StoredResult } from '../jobs/stored-result.ts'

/** How long a cancelled run may take to end by itself. */
export const CANCEL_GRACE_MS = 5_000

/** Runs executions of one task in processes of their own, which are reused. */
export function createCpuRunner(module: URL, contextModule: URL): CpuRunner {
  const pool = new ChildPool({
    mainFile: join(dirname(packageFile('bullmq')), 'classes', 'main.js'),
    workerForkOptions: {
      env: {
        ...process.env, [TASK_MODULE_VARIABLE]: module.href, [CONTEXT_MODULE_VARIABLE]: contextModule.href,
        [PARENT_VARIABLE]: String(process.pid)
      }
    }
  })
  const processFile = ownFile('engine/workers/cpu-process')!.href

  return {
    async run(job, token, signal) {
      const child = await pool.retain(processFile)
      let isKilled = false
      let grace: NodeJS.Timeout | undefined
      const kill = (): void => {
        isKilled = true
        void pool.kill(child, 'SIGKILL').catch(() => {})
      }
      const end = (): void => {
        if (!isCancellation(signal.reason)) return kill()
        child.send({ cmd: ChildCommand.Cancel, value: (signal.reason as Error).message }).catch(() => {})
        grace = setTimeout(kill, CANCEL_GRACE_MS)
      }
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      let isDone = false
      try {
        return await runInChild(child, job, token, () => { isDone = true })
      } finally {
        signal.removeEventListener('abort', end)
        clearTimeout(grace)
        // A process that did not end its run itself may still be busy with it.
        if (!isDone) kill()
        else if (child.exitCode === null && child.signalCode === null && !isKilled) pool.release(child)
      }
    },
    close: () => pool.clean()
  }
}

export interface CpuRunner {
  /** Kills the process when the signal aborts; after a cancellation, only if it has not ended the run within `CANCEL_GRACE_MS`. */
  run(job: Job, token: string, signal: AbortSignal): Promise<StoredResult>
  close(): Promise<void>
}

function isCancellation(reason: unknown): boolean {
  return isTaskDashboardError(reason) && reason.code === 'EXECUTION_CANCELLED'
}

/**
 * BullMQ's protocol with its child processes, reduced to what a task needs. `onDone`: called when the process reports that the run is over.
 */
function runInChild(child: Child, job: Job, token: string, onDone: () => void): Promise<StoredResult> {
  const run = runName(job.id, token)
  const isOfRun = (value: unknown): value is CpuResult => typeof value === 'object' && value !== null && 'run' in value && value.run === run
  return new Promise((resolve, reject) => {
    const writes: Array<Promise<unknown>> = []
    const keepWrite = (write: Promise<unknown>): void => { writes.push(write.catch(() => {})) }
    const onExit = (code: number | null, signal: string | null): void => settle(() => reject(new Error(
      `The process of this execution ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}`)))
    const onMessage = (message: ChildMessage | null): void => {
      // A handler may send messages of its own, of any kind.
      switch (message?.cmd) {
        // Everything it sent before must be written before the run counts as over.
        case ParentCommand.Completed: {
          const { value } = message
          if (!isOfRun(value)) return
          onDone()
          return settle(() => { void Promise.allSettled(writes).then(() => resolve(value.result)) })
        }
        case ParentCommand.Failed:
        case ParentCommand.Error: {
          if (isOfRun(message.value)) onDone()
          return settle(() => reject(attemptErrorFromChild(message.value ?? message.err)))
        }
        case ParentCommand.Progress: return keepWrite(job.updateProgress(message.value as string))
        case ParentCommand.Log: return keepWrite(job.log(message.value as string))
        default: // The rest is for flows and moves.
      }
    }
    const settle = (done: () => void): void => {
      child.off('exit', onExit)
      child.off('message', onMessage)
      done()
    }
    child.on('exit', onExit)
    child.on('message', onMessage)
    child.send({ cmd: ChildCommand.Start, job: job.asJSONSandbox(), token }).catch((error: Error) => settle(() => reject(error)))
  })
}

interface ChildMessage { cmd: ParentCommand; value?: unknown; err?: unknown }
