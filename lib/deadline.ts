/**
 * Settles as `work` does, or rejects once `ms` have passed. The work goes on, its late rejection is swallowed.
 * @param late says what took too long, or makes the error
 */
export async function withDeadline<Result>(work: Promise<Result>, ms: number, late: string | (() => Error)): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(typeof late === 'string' ? new DeadlineError(`${late} within ${ms} ms`) : late()), ms)
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
