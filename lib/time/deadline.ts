/**
 * Settles as `work` does, or rejects once `ms` have passed. The work goes on, its late rejection is swallowed. If this process was
 * held up when the time was over, the answer may lie there unread: it gets as long again as it was held up, until ten times `ms`.
 * @param late says what took too long, or makes the error
 */
export async function withDeadline<Result>(work: Promise<Result>, ms: number, late: string | (() => Error)): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const startedAt = performance.now()
  const deadline = new Promise<never>((_resolve, reject) => {
    function wait(forMs: number): void {
      const dueAt = performance.now() + forMs
      timer = setTimeout(() => {
        const heldUpMs = performance.now() - dueAt
        if (heldUpMs > HELD_UP_MS && performance.now() - startedAt < ms * STRETCHED_AT_MOST) return wait(Math.min(heldUpMs, ms))
        reject(typeof late === 'string' ? new DeadlineError(`${late} within ${ms} ms`) : late())
      }, forMs)
    }
    wait(ms)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** A timer that comes so much later than it was due: the event loop was blocked, or the machine had no time for the process. */
const HELD_UP_MS = 50
const STRETCHED_AT_MOST = 10

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}
