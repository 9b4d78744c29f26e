import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { PackWriter } from './pack-writer.ts'

interface Sum { success: number; failed: number; durationMs: number; timed: number; last: FinishedListItem }

/** Counters of a batch, a name each; what they look like in Redis: see `totals.ts`. */
export function createSums() {
  const sums = new Map<string, Sum>()
  return {
    add(name: string, execution: FinishedListItem): void {
      let sum = sums.get(name)
      if (sum === undefined) sums.set(name, sum = { success: 0, failed: 0, durationMs: 0, timed: 0, last: execution })
      sum[execution.status]++
      if (execution.durationMs !== null) {
        sum.durationMs += execution.durationMs
        sum.timed++
      }
      if (isAfter(execution, sum.last)) sum.last = execution
    },
    pack(writer: PackWriter): void {
      writer.array(sums.size * 8)
      for (const [name, { success, failed, durationMs, timed, last }] of sums) {
        for (const each of [toStorable(name), success, failed, `${durationMs}/${timed}`, last.finishedAt, tookOf(last), last.status, toStorable(last.executionId)]) {
          writer.text(String(each))
        }
      }
    }
  }
}

/** Its duration, empty when it is not known, then `~` and how long before its finish it began. */
function tookOf({ durationMs, finishedAt, startedAt, submittedAt }: FinishedListItem): string {
  return `${durationMs ?? ''}~${finishedAt - (startedAt ?? submittedAt)}`
}

export function isAfter(a: FinishedListItem, b: FinishedListItem): boolean {
  return a.finishedAt > b.finishedAt || (a.finishedAt === b.finishedAt && a.executionId > b.executionId)
}
