/**
 * Removes the failed command from an error, its causes and a cluster node's error. ioredis attaches it, including the password of AUTH or
 * the arguments of tasks, and loggers write an error's properties.
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
