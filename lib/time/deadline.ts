/**
 * Settles as `work` does, or rejects after `ms`. The work continues, and its late rejection is ignored. If this process was blocked when
 * the time ran out, the response may have arrived but not been read. So the deadline is extended by as long as the process was blocked, up
 * to ten times `ms`.
 * @param late says what took too long, or creates the error
 */
export async function withDeadline<Result>(work: Promise<Result>, ms: number, late: string | (() => Error)): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    startDeadline(ms, {
      onTimer: next => { timer = next },
      onLate: () => { reject(typeof late === 'string' ? new DeadlineError(`${late} within ${ms} ms`) : late()) }
    })
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

interface DeadlineEvents {
  /** Called with the timer to clear if the wait is over, at first and whenever the deadline is extended. */
  onTimer(timer: NodeJS.Timeout): void
  onLate(): void
}

/** The deadline of `withDeadline`, for code that keeps its own timer. */
export function startDeadline(ms: number, { onTimer, onLate }: DeadlineEvents): void {
  const startedAt = performance.now()
  function wait(forMs: number): void {
    const dueAt = performance.now() + forMs
    onTimer(setTimeout(() => {
      const blockedMs = performance.now() - dueAt
      if (blockedMs > BLOCKED_AFTER_MS && performance.now() - startedAt < ms * MAX_STRETCH) return wait(Math.min(blockedMs, ms))
      onLate()
    }, forMs))
  }
  wait(ms)
}

/** The result, or `late` if it takes longer than `ms`; see `withDeadline`. */
export async function orLate<Result, Late>(work: Promise<Result>, ms: number, late: Late): Promise<Result | Late> {
  try {
    return await withDeadline(work, ms, 'no answer')
  } catch (error) {
    if (error instanceof DeadlineError) return late
    throw error
  }
}

/** How late a timer must fire to show that the event loop was blocked, or that the machine had no time for the process. */
const BLOCKED_AFTER_MS = 50
const MAX_STRETCH = 10

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}
