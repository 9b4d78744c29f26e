import { HOUR_MS } from '../../../time/units.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { FailureGroupAddition } from '../../counting/summarize-batch.ts'
import { HOURS_KEPT_MS } from '../../counting/tally.ts'
import type { LuaValue, PackWriter } from '../pack-writer.ts'
import { HOURS_PER_MONTH, type LedgerKeys } from '../schema.ts'

export function packFailureGroups(writer: PackWriter, keys: LedgerKeys, groups: readonly FailureGroupAddition[]): void {
  writer.value(groups.map(({ errorGroup, count, firstSeenAt, last: { execution, frame }, tasks, hours }) => {
    const lastExecutionId = toStorable(execution.executionId)
    return {
      name: toStorable(errorGroup),
      key: keys.group(errorGroup),
      count,
      firstSeenAt,
      lastSeenAt: execution.finishedAt,
      lastExecutionId,
      lastFields: [
        'type', toStorable(execution.error?.type ?? ''), 'message', toStorable(execution.error?.message ?? ''),
        'frame', frame === null ? '' : `@${toStorable(frame)}`, 'lastSeenAt', execution.finishedAt, 'lastExecutionId', lastExecutionId
      ],
      tasks: Array.from(tasks, ([taskName, each]) => ({ name: toStorable(taskName), count: each })),
      months: monthsOf(keys, errorGroup, hours)
    }
  }))
}

/** `group-hours` has one hash per month, so that it expires as a whole. */
function monthsOf(keys: LedgerKeys, errorGroup: string, hours: FailureGroupAddition['hours']): LuaValue {
  const months = new Map<number, Array<{ field: string; count: number }>>()
  for (const [hour, tasks] of hours) {
    const month = Math.floor(hour / HOURS_PER_MONTH)
    const counts = months.get(month) ?? []
    months.set(month, counts)
    counts.push({ field: String(hour), count: [...tasks.values()].reduce((sum, each) => sum + each, 0) })
    for (const [taskName, count] of tasks) counts.push({ field: `${hour}:${toStorable(taskName)}`, count })
  }
  return Array.from(months, ([month, counts]) => ({
    key: keys.groupHours(month, errorGroup),
    expiresAt: Math.floor(((month + 1) * HOURS_PER_MONTH * HOUR_MS + HOURS_KEPT_MS) / 1_000),
    counts
  }))
}
