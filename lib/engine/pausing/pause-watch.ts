import type { Store } from '../../stores/store.ts'
import { resumeDue } from './pause-queue.ts'

/** How late a queue resumes at most if the process that paused it has died, not counting outages. */
const ASKED_EVERY_MS = 5_000
/** No process polls more often than this, because all processes share the work. */
const MIN_PAUSE_MS = 50

/** Ends pauses in time. Every process of a queue app does this, so that no particular process has to stay alive. */
export interface PauseWatch {
  start(): void
  /** Call it when this process has made a pause that ends at a certain time: polls sooner. */
  wake(): void
  stop(): void
}

export function createPauseWatch(store: Store, everyMs = ASKED_EVERY_MS): PauseWatch {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let looking: Promise<void> | undefined

  function plan(inMs: number): void {
    clearTimeout(timer)
    if (isRunning) timer = setTimeout(look, inMs).unref()
  }

  function look(): void {
    if (looking !== undefined) return
    looking = resumeDue(store)
      // Other calls report an outage.
      .catch(() => null)
      .then(inMs => {
        looking = undefined
        plan(Math.max(Math.min(inMs ?? everyMs, everyMs), MIN_PAUSE_MS))
      })
  }

  return {
    start() {
      isRunning = true
      plan(0)
    },
    wake() { plan(0) },
    stop() {
      isRunning = false
      clearTimeout(timer)
    }
  }
}
