import { addRollups } from '../../counting/add-rollups.ts'
import type { RedisStore } from '../../../stores/store.ts'
import type { Rollup, RollupQuery } from '../../result-backend.ts'
import type { RollupCaches } from '../../counting/rollup-cache.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { OVERALL, ROLLUP_SPANS, type PackedTally, emptyTally, packTally, spansTouched } from '../../counting/tally.ts'
import { addStored } from './rollup-lines.ts'
import { type LedgerKeys, VERSION_BYTES, VERSION_FIELD, rollupSeries } from '../schema.ts'
import { createScript } from '../script.ts'

export async function readRollups(
  store: RedisStore, keys: LedgerKeys, caches: RollupCaches, { span, taskName = OVERALL, fromMs, toMs }: RollupQuery
): Promise<Rollup[]> {
  const series = rollupSeries(span, taskName)
  const { ms, keptMs, taskKeptMs } = ROLLUP_SPANS[span]
  const { first, end } = spansTouched(fromMs, toMs, ms, taskName === OVERALL ? keptMs : taskKeptMs)
  if (end <= first) return []
  const field = toStorable(taskName)
  const names = numbersFrom(first, end).map(number => `${series}:${number}:${field}`)
  const known = names.map(name => caches.tallies.get(name))
  const { states, changed } = await readChanged(store, keys, { key: keys.rollup(series, ''), first, end, known, field })
  const rollups: Rollup[] = []
  let next = 0
  for (const [i, name] of names.entries()) {
    const startMs = (first + i) * ms
    if (states[i] === SAME) rollups.push({ startMs, tally: known[i]!.value })
    if (states[i] !== CHANGED) continue
    const { version, text } = changed[next++]!
    const tally = tallyFromStored(text)
    caches.tallies.set(name, { version, value: tally })
    rollups.push({ startMs, tally })
  }
  return rollups
}

/** Adds up the roll-ups of these tasks. Nothing is cached, because each reader has different tasks. */
export async function readRollupsOf(
  store: RedisStore, keys: LedgerKeys, taskNames: readonly string[], { span, fromMs, toMs }: RollupQuery
): Promise<Rollup[]> {
  const { ms, taskKeptMs } = ROLLUP_SPANS[span]
  const { first, end } = spansTouched(fromMs, toMs, ms, taskKeptMs)
  if (end <= first || taskNames.length === 0) return []
  const fields = taskNames.map(toStorable)
  const numbers = numbersFrom(first, end)
  const pipeline = store.client.pipeline()
  for (const number of numbers) pipeline.hmgetBuffer(keys.rollup(rollupSeries(span, taskNames[0]!), number), ...fields)
  const rollups: Rollup[] = []
  for (const [i, [error, stored]] of (await pipeline.exec() ?? []).entries()) {
    if (error) throw error
    for (const text of stored as Array<Buffer | null>)
      if (text !== null) rollups.push({ startMs: numbers[i]! * ms, tally: tallyFromStored(text) })
  }
  return addRollups(rollups)
}

export function numbersFrom(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, i) => first + i)
}

export function tallyFromStored(stored: Buffer): PackedTally {
  const tally = emptyTally()
  addStored(tally, stored)
  return packTally(tally)
}

interface ChangedQuery {
  /** Without the number. */
  readonly key: string
  readonly first: number
  readonly end: number
  readonly known: ReadonlyArray<{ readonly version: string } | undefined>
  /** The field to read from hashes that changed. */
  readonly field?: string
}

export const [SAME, CHANGED, ABSENT] = ['=', '+', '-']

/**
 * Whether each hash has changed since it was cached, and the contents of those that have. A version covers a whole hash, so after a late
 * record all tasks of its hour are read again.
 */
export async function readChanged(
  store: RedisStore, keys: LedgerKeys, { key, first, end, known, field }: ChangedQuery
): Promise<{ states: string; changed: Array<{ version: string; text: Buffer }> }> {
  const versions = Buffer.from(known.map(each => each?.version ?? UNKNOWN_VERSION).join(''), 'latin1')
  const [states, ...changed] = await changedScript(store.client, [keys.executions, keys.absent], {
    key, first, last: end - 1, versions, field
  }) as [Buffer, ...Buffer[]]
  return {
    states: states.toString(),
    changed: Array.from({ length: changed.length / 2 }, (_, i) => ({
      version: changed[2 * i]!.toString('latin1'), text: changed[2 * i + 1]!
    }))
  }
}

const UNKNOWN_VERSION = '\0'.repeat(VERSION_BYTES)

const changedScript = createScript(`
local first, field = tonumber(given.first), given.field
local states, answer = {}, { '' }
for number = first, tonumber(given.last) do
  local name, at = given.key .. string.format('%.0f', number), number - first
  local version = redis.call('HGET', name, '${VERSION_FIELD}')
  local state = '${ABSENT}'
  if version and version == string.sub(given.versions, at * ${VERSION_BYTES} + 1, (at + 1) * ${VERSION_BYTES}) then
    state = '${SAME}'
  elseif version and field then
    local text = redis.call('HGET', name, field)
    if text then state, answer[#answer + 1], answer[#answer + 2] = '${CHANGED}', version, text end
  elseif version then
    state = '${CHANGED}'
  end
  states[at + 1] = state
end
answer[1] = table.concat(states)
return answer
`)
