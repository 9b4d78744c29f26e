import type { RedisStore } from '../../stores/store.ts'
import type { FinishedListItem } from '../entry/ledger-entry.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'
import type { PackWriter } from './pack-writer.ts'
import type { LedgerKeys } from './schema.ts'
import { toStorable } from '../entry/storable-text.ts'

/** [from, to) by finish time, milliseconds. */
export interface TimeRange { readonly from: number; readonly to: number }

/**
 * The minutes in which the workers of a batch finished something, and those in which an execution failed. Takes twice 180 bytes per worker
 * and day, where a list would take 100 bytes per record.
 */
export function createWorkerBatch(keys: LedgerKeys) {
  const workers = new Map<string, Map<string, Set<number>>>()
  let [lastWorker, lastMinute] = ['', -1]
  return {
    add(workerId: string, { finishedAt, status }: FinishedListItem): void {
      const minute = Math.floor(finishedAt / MINUTE_MS)
      if (status === 'success' && minute === lastMinute && workerId === lastWorker) return
      [lastWorker, lastMinute] = [workerId, minute]
      let days = workers.get(workerId)
      if (days === undefined) workers.set(workerId, days = new Map<string, Set<number>>())
      const day = Math.floor(finishedAt / DAY_MS)
      for (const field of status === 'failed' ? [String(day), failedField(day)] : [String(day)]) {
        days.set(field, (days.get(field) ?? new Set()).add(minute - day * DAY_MS / MINUTE_MS))
      }
    },
    pack(writer: PackWriter): void {
      writer.value([...workers].flatMap(([workerId, days]) => Array.from(days, ([field, minutes]) => ({
        worker: toStorable(workerId), key: keys.worker(workerId), field, minutes: [...minutes]
      }))))
    }
  }
}

function failedField(day: number): string {
  return `${day}${FAILED}`
}

const FAILED = ':failed'

/** One bit per minute. */
export const BYTES_PER_WORKER_DAY = DAY_MS / MINUTE_MS / 8

/** The time ranges with executions of a worker, oldest first; consecutive minutes form one range. */
export async function workerRanges(
  store: RedisStore, keys: LedgerKeys, workerId: string, { failedOnly, ...within }: Partial<TimeRange> & { failedOnly: boolean }
): Promise<TimeRange[]> {
  const stored = await store.client.hgetallBuffer(keys.worker(workerId))
  const days = Object.entries(stored).filter(([field]) => field.endsWith(FAILED) === failedOnly)
    .map(([field, bits]) => ({ startMs: Number.parseInt(field) * DAY_MS, bits })).sort((a, b) => a.startMs - b.startMs)
  const ranges: Array<{ from: number; to: number }> = []
  for (const { startMs, bits } of days) {
    for (let minute = 0; minute < DAY_MS / MINUTE_MS; minute++) {
      if (((bits[minute >> 3] ?? 0) & (1 << (minute & 7))) === 0) continue
      const from = Math.max(startMs + minute * MINUTE_MS, within.from ?? -Infinity)
      const to = Math.min(startMs + (minute + 1) * MINUTE_MS, within.to ?? Infinity)
      if (from >= to) continue
      const last = ranges.at(-1)
      if (last?.to === from) last.to = to
      else ranges.push({ from, to })
    }
  }
  return ranges
}
