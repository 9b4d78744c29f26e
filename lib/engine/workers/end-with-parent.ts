import { Worker } from 'node:worker_threads'

const ASKED_EVERY_MS = 500

/**
 * Ends this process when its parent is gone, even while its own thread is in a loop and hears nothing: a parent that was killed cannot end
 * its children, and another process runs their executions again. Costs a thread of its own. Does nothing the second time.
 */
export function endWithParent(parentPid: number): void {
  watcher ??= new Worker(WATCH, {
    eval: true, workerData: { parentPid, everyMs: ASKED_EVERY_MS }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8 }
  })
  // Without it the execution runs all the same.
  watcher.on('error', () => {})
  watcher.unref()
}

let watcher: Worker | undefined

// On Windows the number of the parent stays when the parent is gone.
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
