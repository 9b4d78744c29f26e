import { toStorable } from '../../entry/storable-text.ts'
import type { RollupAddition } from '../../counting/summarize-batch.ts'
import type { ReadonlyTally } from '../../counting/tally.ts'
import { packLine } from '../counting/rollup-lines.ts'
import type { PackWriter } from '../pack-writer.ts'
import { type LedgerKeys, rollupSeries } from '../schema.ts'

interface HashAddition { readonly expiresAtMs: number; readonly names: number[]; readonly lines: number[] }

/** Names and lines without duplicates, then for each hash the positions of its names and lines. */
export function packRollups(writer: PackWriter, keys: LedgerKeys, rollups: readonly RollupAddition[]): void {
  const names = new Map<string, number>()
  const lines = new Map<ReadonlyTally, number>()
  const hashes = new Map<string, HashAddition>()
  for (const { span, number, taskName, tally, expiresAtMs } of rollups) {
    const key = keys.rollup(rollupSeries(span, taskName), number)
    let hash = hashes.get(key)
    if (hash === undefined) hashes.set(key, hash = { expiresAtMs, names: [], lines: [] })
    hash.names.push(positionIn(names, taskName))
    hash.lines.push(positionIn(lines, tally))
  }
  writer.map({
    names: () => writer.texts(Array.from(names.keys(), toStorable)),
    lines() {
      writer.array(lines.size)
      for (const tally of lines.keys()) packLine(writer, tally)
    },
    hashes() {
      writer.array(hashes.size)
      for (const [key, hash] of hashes) {
        writer.map({
          key: () => writer.text(key),
          expiresAt: () => writer.text(String(Math.floor(hash.expiresAtMs / 1_000))),
          names: () => writer.positions(hash.names),
          lines: () => writer.positions(hash.lines)
        })
      }
    }
  })
}

/** Starts at 1, as in Lua. */
function positionIn<Value>(positions: Map<Value, number>, value: Value): number {
  let position = positions.get(value)
  if (position === undefined) positions.set(value, position = positions.size + 1)
  return position
}
