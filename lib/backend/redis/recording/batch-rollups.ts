import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { EACH_ROLLUP_SPAN, OVERALL, type Tally, emptyTally, tallyInto } from '../../counting/tally.ts'
import { MINUTE_MS } from '../../../time/units.ts'
import type { PackWriter } from './pack-writer.ts'
import { packLine } from '../counting/rollup-lines.ts'
import type { LedgerKeys } from '../schema.ts'

type Tallies = Map<string, Tally>

/** Roll-ups of a batch. Counted by minute and task; hours and days get the same lines, since lines add up. */
export function createRollupBatch(keys: LedgerKeys, nowMs: number) {
  const minutes = new Map<number, Tallies>()
  return {
    add(entry: LedgerEntry): void {
      const minute = Math.floor(entry.execution.finishedAt / MINUTE_MS)
      let tallies = minutes.get(minute)
      if (tallies === undefined) minutes.set(minute, tallies = new Map<string, Tally>())
      tallyInto(tallyOf(tallies, OVERALL), entry)
      tallyInto(tallyOf(tallies, entry.execution.taskName), entry)
    },
    /** Names, lines, then of each hash its key, its expiry, and the positions of name and line of what it gets. */
    pack(writer: PackWriter): void {
      const names = new Map<string, number>()
      const lines: Tally[] = []
      const additions = new Map<string, { expiresAtMs: number; positions: number[] }>()
      for (const [minute, tallies] of minutes) {
        for (const [taskName, tally] of tallies) {
          if (!names.has(taskName)) names.set(taskName, names.size + 1)
          const position = [names.get(taskName)!, lines.push(tally)] as const
          for (const { stored, spanMs, keptMs } of taskName === OVERALL ? SPANS_OVERALL : SPANS_OF_TASKS) {
            const number = Math.floor(minute * MINUTE_MS / spanMs)
            const expiresAtMs = (number + 1) * spanMs + keptMs
            if (expiresAtMs <= nowMs) continue
            const key = keys.rollup(stored, number)
            const addition = additions.get(key)
            if (addition === undefined) additions.set(key, { expiresAtMs, positions: [...position] })
            else addition.positions.push(...position)
          }
        }
      }
      writer.texts(Array.from(names.keys(), toStorable))
      writer.array(lines.length)
      for (const tally of lines) packLine(writer, tally)
      writer.array(additions.size * 3)
      for (const [key, { expiresAtMs, positions }] of additions) {
        writer.text(key)
        writer.text(String(Math.floor(expiresAtMs / 1_000)))
        writer.positions(positions)
      }
    }
  }
}

const SPANS_OVERALL = EACH_ROLLUP_SPAN.map(([span, { ms, keptMs }]) => ({ stored: span, spanMs: ms, keptMs }))
const SPANS_OF_TASKS = EACH_ROLLUP_SPAN.map(([span, { ms, taskKeptMs }]) => ({ stored: span === 'minute' ? 'task-minute' as const : span, spanMs: ms, keptMs: taskKeptMs }))

function tallyOf(tallies: Tallies, taskName: string): Tally {
  let tally = tallies.get(taskName)
  if (tally === undefined) tallies.set(taskName, tally = emptyTally())
  return tally
}
