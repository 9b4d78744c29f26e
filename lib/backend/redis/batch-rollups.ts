import { encodeHistogram } from '../buckets.ts'
import type { LedgerEntry } from '../ledger-entry.ts'
import { toStorable } from '../storable-text.ts'
import {
  DAYS_KEPT_MS, DAY_MS, HOURS_KEPT_MS, HOUR_MS, MINUTES_KEPT_MS, MINUTE_MS, OVERALL, TASK_MINUTES_KEPT_MS, type Tally, emptyTally, tallyInto
} from '../tally.ts'
import type { PackWriter } from './pack-writer.ts'
import type { LedgerKeys } from './schema.ts'

interface Addition { readonly expiresAtMs: number; readonly fields: Map<string, string[]> }

/** Roll-ups of a batch. Counted by minute and task; hours and days get the same lines, since lines add up. */
export function createRollupBatch(keys: LedgerKeys, nowMs: number) {
  const minutes = new Map<number, Map<string, Tally>>()
  return {
    add(entry: LedgerEntry): void {
      const minute = Math.floor(entry.execution.finishedAt / MINUTE_MS)
      let tallies = minutes.get(minute)
      if (tallies === undefined) minutes.set(minute, tallies = new Map<string, Tally>())
      tallyInto(tallyOf(tallies, OVERALL), entry)
      tallyInto(tallyOf(tallies, entry.execution.taskName), entry)
    },
    pack(writer: PackWriter): void {
      const additions = additionsOf(minutes, keys, nowMs)
      writer.array(additions.size * 4)
      for (const [key, { expiresAtMs, fields }] of additions) {
        writer.text(key)
        writer.text(String(Math.floor(expiresAtMs / 1_000)))
        writer.texts([...fields.keys()])
        writer.texts(Array.from(fields.values(), lines => lines.join('\n')))
      }
    }
  }
}

function additionsOf(minutes: ReadonlyMap<number, ReadonlyMap<string, Tally>>, keys: LedgerKeys, nowMs: number): Map<string, Addition> {
  const additions = new Map<string, Addition>()
  for (const [minute, tallies] of minutes) {
    const finishedAt = minute * MINUTE_MS
    for (const [taskName, tally] of tallies) {
      const line = toLine(tally)
      const add = (span: 'minute' | 'task-minute' | 'hour' | 'day', spanMs: number, keptMs: number) => {
        const number = Math.floor(finishedAt / spanMs)
        const expiresAtMs = (number + 1) * spanMs + keptMs
        if (expiresAtMs <= nowMs) return
        const key = keys.rollup(span, number)
        const addition = additions.get(key) ?? { expiresAtMs, fields: new Map<string, string[]>() }
        additions.set(key, addition)
        const field = toStorable(taskName)
        addition.fields.set(field, [...addition.fields.get(field) ?? [], line])
      }
      if (taskName === OVERALL) add('minute', MINUTE_MS, MINUTES_KEPT_MS)
      else add('task-minute', MINUTE_MS, TASK_MINUTES_KEPT_MS)
      add('hour', HOUR_MS, HOURS_KEPT_MS)
      add('day', DAY_MS, DAYS_KEPT_MS)
    }
  }
  return additions
}

/** `success failed duration wait`, the last two as histograms. */
function toLine(tally: Tally): string {
  return `${tally.success} ${tally.failed} ${encodeHistogram(tally.duration)} ${encodeHistogram(tally.wait)}`
}

function tallyOf(tallies: Map<string, Tally>, taskName: string): Tally {
  let tally = tallies.get(taskName)
  if (tally === undefined) tallies.set(taskName, tally = emptyTally())
  return tally
}
