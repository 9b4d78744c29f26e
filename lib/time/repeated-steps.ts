interface RepeatedStepsOptions {
  /** Milliseconds from the start of one pass to the start of the next. If a pass is still running then, no other one starts. */
  readonly everyMs: number
  /** Whether the first pass starts at once or after `everyMs`. */
  readonly startsAtOnce: boolean
  /** How many steps a pass makes at most. Default: as many as there is work. */
  readonly maxSteps?: number
  /** @returns how much it did; a pass ends when it is 0 */
  step(): Promise<number>
  onError(error: Error): void
}

export interface RepeatedSteps {
  /** Returns at once. Idempotent. */
  start(): void
  /** Resolves after the running step; no other step follows. A store may be closed only after that. Idempotent; never rejects. */
  stop(): Promise<void>
}

/** Work that each process repeats for as long as it runs. Work for a single process belongs on a leased loop. */
export function createRepeatedSteps({ everyMs, startsAtOnce, maxSteps = Infinity, step, onError }: RepeatedStepsOptions): RepeatedSteps {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let running: Promise<void> | undefined

  async function pass(): Promise<void> {
    try {
      for (let steps = 0; steps < maxSteps && !isStopped && await step() > 0; steps++);
    } catch (error) {
      onError(error as Error)
    }
  }

  function run(): void {
    running ??= pass().finally(() => { running = undefined })
  }

  return {
    start() {
      if (timer !== undefined || isStopped) return
      timer = setInterval(run, everyMs).unref()
      if (startsAtOnce) run()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await running
    }
  }
}
