import type { ResultBackend } from '../../backend/result-backend.ts'
import { type ReadonlyTally, TallySum } from '../../backend/counting/tally.ts'
import { HOUR_MS, MINUTE_MS } from '../../time/units.ts'
import { createCached } from './cached.ts'

/** Throughput covers these minutes, which are read every time. Earlier minutes change only through late records. */
const LIVE_MINUTES = 5
const FRESH_MS = 10_000
const RECENT_MS = MINUTE_MS

/**
 * What finished in the last hour, and the rate per minute over the last five. Under regular use, earlier minutes are at most a minute old.
 */
export function createLastHour(backend: Pick<ResultBackend, 'rollups'>, now: () => number) {
  const earlier = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    const at = now()
    const toMs = Math.floor(at / MINUTE_MS - LIVE_MINUTES) * MINUTE_MS
    const sum = new TallySum()
    for (const { tally } of await backend.rollups({ span: 'minute', fromMs: at - HOUR_MS, toMs })) sum.add(tally)
    return { tally: sum.toTally(), toMs }
  } })

  return async (): Promise<{ readonly hour: ReadonlyTally; readonly perMinute: number }> => {
    const at = now()
    const before = await earlier.recent()
    const hour = new TallySum()
    hour.add(before.tally)
    // The first of these minutes is read, and counted, in full.
    const since = Math.floor(at / MINUTE_MS - LIVE_MINUTES) * MINUTE_MS
    let finishedLately = 0
    for (const { startMs, tally } of await backend.rollups({ span: 'minute', fromMs: before.toMs, toMs: at })) {
      hour.add(tally)
      if (startMs >= since) finishedLately += tally.success + tally.failed
    }
    return { hour: hour.toTally(), perMinute: finishedLately * MINUTE_MS / (at - since) }
  }
}
