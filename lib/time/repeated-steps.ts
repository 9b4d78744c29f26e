interface RepeatedStepsOptions {
  /** Milliseconds between the beginnings of two passes. A pass that is still running is not joined by another. */
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
  /** Resolves after the step that is running; none follows. Only then may a store be closed. Idempotent; never rejects. */
  stop(): Promise<void>
}

/** Work that each process repeats for as long as it runs. What only one process should do is on a leased loop. */
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
