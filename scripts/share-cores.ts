export interface Job {
  /** How many cores it keeps busy; below 1 if it mostly waits. */
  readonly cores: number
  run(): Promise<void>
}

/** Jobs that need no more than this may overtake a job that has no room yet. */
const WAITS = 0.5

/**
 * Runs jobs in order, as many at a time as the cores allow. The next job waits until there is room. A job that needs more cores than there
 * are runs only beside jobs that mostly wait. After an abort, no further job starts.
 */
export async function shareCores(jobs: readonly Job[], cores: number, stopped: AbortSignal = new AbortController().signal): Promise<void> {
  const waiting = [...jobs]
  const running = new Set<Promise<void>>()
  let busy = 0
  while (waiting.length > 0 || running.size > 0) {
    for (let job = next(); job !== undefined; job = next()) start(job)
    if (running.size > 0) await Promise.race(running)
  }

  function next(): Job | undefined {
    if (stopped.aborted) waiting.length = 0
    // Sums of decimal fractions are not exact.
    const hasRoom = (job: Job): boolean => busy + Math.min(job.cores, cores) <= cores + 0.01
    const index = waiting.findIndex((job, index) => hasRoom(job) && (index === 0 || job.cores <= WAITS))
    return index === -1 ? undefined : waiting.splice(index, 1)[0]
  }

  function start(job: Job): void {
    const needed = Math.min(job.cores, cores)
    busy += needed
    const done = job.run().finally(() => {
      busy -= needed
      running.delete(done)
    })
    running.add(done)
  }
}
