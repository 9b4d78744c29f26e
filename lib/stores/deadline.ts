/**
 * Settles as `work` does, or rejects once `ms` have passed. The work goes on, its late rejection is swallowed.
 * @param message says what took too long
 */
export async function withDeadline<Result>(work: Promise<Result>, ms: number, message: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${message} within ${ms} ms`)), ms)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}
