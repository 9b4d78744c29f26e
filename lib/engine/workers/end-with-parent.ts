import { Worker } from 'node:worker_threads'

const ASKED_EVERY_MS = 500

/**
 * Ends this process when its parent is gone, even if its main thread is stuck in a loop. A parent that was killed cannot end its children,
 * and another process runs their executions again. Uses a thread of its own. Idempotent.
 */
export function endWithParent(parentPid: number): void {
  watcher ??= new Worker(WATCH, {
    eval: true, workerData: { parentPid, everyMs: ASKED_EVERY_MS }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8 }
  })
  // If it fails, the execution still runs.
  watcher.on('error', () => {})
  watcher.unref()
}

let watcher: Worker | undefined

// On Windows the parent's id stays the same after the parent is gone.
const WATCH = `
const { parentPid, everyMs } = require('node:worker_threads').workerData
const isGone = () => {
  if (process.platform !== 'win32') return process.ppid !== parentPid
  try {
    return !process.kill(parentPid, 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
setInterval(() => { if (isGone()) process.kill(process.pid, 'SIGKILL') }, everyMs)`
