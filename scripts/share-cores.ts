import { setTimeout } from 'node:timers/promises'

export interface Job {
  /** How many cores it keeps busy, on average; far below 1 if it mostly waits. */
  readonly cores: number
  /** False while it would only wait for another job. Checked again whenever a job ends. */
  isReady?(): boolean
  run(): Promise<void>
}

/** Jobs that need no more than this mostly wait. */
const WAITS = 0.45

/** Most jobs mostly wait, so several can share a core. With more, each gets so little of it that a slow machine misses deadlines. */
const MAX_JOBS_PER_CORE = 3
/** Jobs that mostly wait may exceed that while the cores are idle, because jobs need different amounts at different times. */
const MAX_JOBS_PER_IDLE_CORE = 5

const ASKED_AGAIN_MS = 200

/** The state of the machine. By default, jobs start as if they were alone on it. */
export interface Machine {
  /**
   * Whether there is CPU time to spare. On a slow machine, jobs need more CPU time than was measured. While there is none to spare, no more
   * jobs start than there are cores.
   */
  hasSpare(): boolean
  /** Whether a large part of the CPU time was idle in the last seconds. Then a further job that mostly waits may start. */
  isIdle(): boolean
}

/**
 * Runs jobs in order, as many at a time as the cores allow. While there are such jobs, one that mostly waits and one that does not run at
 * the same time: if all waiting jobs ran together, the cores would be idle. A job that does not fit may be overtaken, but a job that needs
 * several cores only by jobs that mostly wait. A job that needs all cores, or more, runs alone. On a single core, every job runs alone.
 * After an abort, no further job starts.
 */
export async function shareCores(
  jobs: readonly Job[], cores: number, stopped: AbortSignal = new AbortController().signal,
  machine: Machine = { hasSpare: () => true, isIdle: () => false }
): Promise<void> {
  const waiting = [...jobs]
  const running = new Map<Job, Promise<void>>()
  let isHeld = false
  while (waiting.length > 0 || running.size > 0) {
    isHeld = false
    for (let job = next(); job !== undefined; job = next()) start(job)
    if (running.size > 0) await Promise.race([...running.values(), ...isHeld ? [setTimeout(ASKED_AGAIN_MS)] : []])
  }

  function next(): Job | undefined {
    if (stopped.aborted) waiting.length = 0
    if (waiting.length > 0 && running.size >= cores && !machine.hasSpare()) {
      isHeld = true
      return undefined
    }
    const next = running.size < (cores === 1 ? 1 : MAX_JOBS_PER_CORE * cores) ? indexOfNext() : -1
    const index = next === -1 ? indexOfFurther() : next
    return index === -1 ? undefined : waiting.splice(index, 1)[0]
  }

  /** The next job for the cores that are not assigned; -1 if there is none. */
  function indexOfNext(): number {
    const busy = [...running.keys()].reduce((sum, job) => sum + needOf(job), 0)
    // The tolerance is there because sums of decimal fractions are not exact.
    const hasRoom = (job: Job): boolean => busy + needOf(job) <= cores + 0.01 && isReady(job)
    const large = waiting.findIndex(({ cores }) => cores > 1)
    const mayStart = (job: Job, index: number): boolean => hasRoom(job) && (large === -1 || index <= large || job.cores <= WAITS)
    const isWaitMissing = running.size > 0 && ![...running.keys()].some(job => job.cores <= WAITS)
    const isWorkMissing = running.size >= cores && ![...running.keys()].some(job => job.cores > WAITS)
    const preferred = waiting.findIndex((job, index) =>
      job.cores <= WAITS ? isWaitMissing && hasRoom(job) : isWorkMissing && mayStart(job, index))
    return preferred === -1 ? waiting.findIndex(mayStart) : preferred
  }

  /** The next job that mostly waits, if the cores are idle although they are assigned; otherwise -1. */
  function indexOfFurther(): number {
    if (cores === 1 || running.size < cores || running.size >= MAX_JOBS_PER_IDLE_CORE * cores || isAlone()) return -1
    const index = waiting.findIndex(job => job.cores <= WAITS && isReady(job))
    if (index === -1) return -1
    isHeld = true
    return machine.isIdle() ? index : -1
  }

  /** Whether a job runs that needs all cores. */
  function isAlone(): boolean {
    return [...running.keys()].some(job => job.cores >= cores)
  }

  function isReady(job: Job): boolean {
    return running.size === 0 || job.isReady?.() !== false
  }

  function needOf(job: Job): number {
    return job.cores < cores ? job.cores : cores
  }

  function start(job: Job): void {
    running.set(job, job.run().finally(() => { running.delete(job) }))
  }
}
