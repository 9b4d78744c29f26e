import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { HOURS_KEPT_MS } from '../../counting/tally.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { isAfter } from './batch-sums.ts'
import type { PackWriter } from './pack-writer.ts'
import { HOURS_A_MONTH, type LedgerKeys } from '../schema.ts'

interface Failures {
  count: number
  firstAt: number
  last: LedgerEntry
  readonly tasks: Map<string, number>
  /** Month → field of `group-hours` → count. */
  readonly months: Map<number, Map<string, number>>
}

/** Failures of a batch, an error group each. */
export function createFailureBatch(keys: LedgerKeys, nowMs: number) {
  const groups = new Map<string, Failures>()
  return {
    add(entry: LedgerEntry, errorGroup: string): void {
      const { taskName, finishedAt } = entry.execution
      let group = groups.get(errorGroup)
      if (group === undefined) groups.set(errorGroup, group = { count: 0, firstAt: finishedAt, last: entry, tasks: new Map(), months: new Map() })
      group.count++
      group.firstAt = Math.min(group.firstAt, finishedAt)
      if (isAfter(entry.execution, group.last.execution)) group.last = entry
      countIn(group.tasks, taskName)
      const hour = Math.floor(finishedAt / HOUR_MS)
      const month = Math.floor(hour / HOURS_A_MONTH)
      if (expiryOf(month) <= nowMs) return
      const hours = group.months.get(month) ?? new Map<string, number>()
      group.months.set(month, hours)
      countIn(hours, String(hour))
      countIn(hours, `${hour}:${toStorable(taskName)}`)
    },
    pack(writer: PackWriter): void {
      writer.array(groups.size)
      for (const [errorGroup, { count, firstAt, last: { execution, frame }, tasks, months }] of groups) {
        writer.array(6)
        writer.texts([toStorable(errorGroup), count, firstAt, execution.finishedAt])
        writer.texts([
          'type', toStorable(execution.error?.type ?? ''), 'message', toStorable(execution.error?.message ?? ''), 'frame', frame === null ? '' : `@${toStorable(frame)}`,
          'lastSeenAt', execution.finishedAt, 'lastExecutionId', toStorable(execution.executionId)
        ])
        writer.texts([...tasks].flatMap(([taskName, each]) => [toStorable(taskName), each]))
        writer.text(keys.group(errorGroup))
        writer.texts(Array.from(months.keys(), month => keys.groupHours(month, errorGroup)))
        writer.array(months.size * 2)
        for (const [month, hours] of months) {
          writer.text(String(Math.floor(expiryOf(month) / 1_000)))
          writer.texts([...hours].flat())
        }
      }
    }
  }
}

function expiryOf(month: number): number {
  return (month + 1) * HOURS_A_MONTH * HOUR_MS + HOURS_KEPT_MS
}

function countIn(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
