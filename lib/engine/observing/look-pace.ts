/** How often a server is searched for queues. A queue that is new is found at most `atMostMs` and a second after its first job. */
export interface LookPace {
  /** How often, if one search takes less than `SHARE` of this time. */
  readonly everyMs: number
  /** How often at least. A search that takes longer itself begins again after `REST_MS`. */
  readonly atMostMs: number
  /** How many keys of a node a search scans in a second. Only the first search is as fast as the server. */
  readonly keysPerSecond: number
}

/**
 * Redis 7.0 takes about a microsecond for a key. So it spends less than a tenth of its time on searches, and two million keys take 25 s.
 * More keys take longer, but no more of its time.
 */
export const LOOK_PACE: LookPace = { everyMs: 15_000, atMostMs: 25_000, keysPerSecond: 80_000 }

/** Searches take at most this share of the time, unless there would then be fewer of them than `atMostMs` allows. */
const SHARE = 1 / 30
const REST_MS = 500

/** How long to wait after a search, in milliseconds. */
export function restAfter(tookMs: number, isFirst: boolean, { everyMs, atMostMs }: LookPace): number {
  const isQuick = tookMs <= everyMs * SHARE
  // The second search is slower than the first one, and would come too late for queues that appeared in the meantime.
  const periodMs = isQuick ? everyMs : isFirst ? 0 : Math.min(tookMs / SHARE, atMostMs)
  return Math.max(REST_MS, periodMs - tookMs)
}
