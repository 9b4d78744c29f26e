/** While workers are refused, the broker is asked so often at most which rights are missing. */
const ASKED_EVERY_MS = 10_000

export interface WorkerRefusalDependencies {
  /** Why the broker refuses one of the workers of this process, in the broker's words; null while it refuses none. */
  reason(): string | null
  /** Names the rights that are missing, null when none is. Takes a round trip. */
  findMissingRights(): Promise<string | null>
  now?(): number
}

/**
 * Why the broker refuses the workers of this process, with the names of all missing rights: what a script is refused carries none, on Redis
 * 7.0 for example. The broker is asked for them only after a refusal, and every 10 s at most. Never rejects.
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
