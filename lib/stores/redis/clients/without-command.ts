/**
 * An error, its causes and what a cluster's node said, without the command that failed: ioredis puts it on them, with the password of AUTH
 * or the arguments of tasks in it, and loggers write what is on an error.
 */
export function withoutCommand(error: Error): Error {
  const seen = new Set<unknown>()
  const clean = (each: unknown): void => {
    if (!(each instanceof Error) || seen.has(each)) return
    seen.add(each)
    if ('command' in each) each.command = undefined
    if ('lastNodeError' in each) clean(each.lastNodeError)
    clean(each.cause)
  }
  clean(error)
  return error
}
