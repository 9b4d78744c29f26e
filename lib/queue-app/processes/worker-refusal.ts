/** Minimum interval between checks for missing rights while workers are refused. */
const ASKED_EVERY_MS = 10_000

export interface WorkerRefusalDependencies {
  /** Why the broker refuses one of this process's workers, in the broker's words; null while it refuses none. */
  reason(): string | null
  /** Names the missing rights; null if none is missing. Takes a round trip. */
  findMissingRights(): Promise<string | null>
  now?(): number
}

/**
 * Why the broker refuses this process's workers, with the names of all missing rights. A script's refusal does not name them on Redis 7.0,
 * for example. The rights are checked only after a refusal, at most every 10 s. Never rejects.
 */
export function createWorkerRefusal(
  { reason, findMissingRights, now = () => performance.now() }: WorkerRefusalDependencies
): () => Promise<string | null> {
  let askedAt = -Infinity
  let missing: string | null = null

  return async function refusal() {
    const said = reason()
    if (said === null) {
      missing = null
      askedAt = -Infinity
      return null
    }
    if (now() - askedAt >= ASKED_EVERY_MS) {
      askedAt = now()
      missing = await findMissingRights().catch(() => null)
    }
    return missing ?? said
  }
}
