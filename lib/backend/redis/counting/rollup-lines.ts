import { type OpenHistogram, countInto } from '../../counting/histogram.ts'
import type { ReadonlyTally, Tally } from '../../counting/tally.ts'
import type { PackWriter } from '../pack-writer.ts'

/**
 * Stored format of a roll-up: 4 bytes with the length of the first line, then MessagePack lines that add up. Each line holds success,
 * failed, the number of duration bins, then bin and count of each, then the same for waits.
 */
export function packLine(writer: PackWriter, { success, failed, duration, wait }: ReadonlyTally): void {
  writer.packed(() => {
    writer.array(3 + 2 * (duration.size + wait.size))
    writer.number(success)
    writer.number(failed)
    writer.number(duration.size)
    for (const histogram of [duration, wait]) {
      for (const [bin, count] of histogram) {
        writer.number(bin)
        writer.number(count)
      }
    }
  })
}

const LENGTH_BYTES = 4

export function addStored(tally: Tally, stored: Buffer): void {
  let at = LENGTH_BYTES
  const arrayLength = () => {
    const mark = stored[at++]!
    if (mark < 0xa0) return mark - 0x90
    return mark === 0xdc ? bytes(2) : bytes(4)
  }
  const number = () => {
    const mark = stored[at++]!
    return mark < 0x80 ? mark : bytes(2 ** (mark - 0xcc))
  }
  const bytes = (count: number) => {
    let value = 0
    for (let i = 0; i < count; i++) value = value * 256 + stored[at++]!
    return value
  }
  const countBins = (histogram: OpenHistogram, bins: number) => {
    for (let i = 0; i < bins; i++) countInto(histogram, number(), number())
  }
  while (at < stored.length) {
    const length = arrayLength()
    tally.success += number()
    tally.failed += number()
    const durations = number()
    countBins(tally.duration, durations)
    countBins(tally.wait, (length - 3) / 2 - durations)
  }
}

const LINES_AT_ONCE = 500

/** Merges all lines into one. */
export const LUA_IN_ONE_LINE = `
local function count(bins, line, first, last)
  for i = first, last, 2 do
    local bin = line[i]
    bins[bin] = (bins[bin] or 0) + line[i + 1]
  end
end

local function append(line, bins)
  local at = #line
  for bin, counted in pairs(bins) do
    line[at + 1], line[at + 2] = bin, counted
    at = at + 2
  end
end

local function inOneLine(text)
  local success, failed, durations, waits = 0, 0, {}, {}
  local at = 0
  repeat
    -- The results of unpack are on Lua's stack, whose size is limited.
    local lines = { cmsgpack.unpack_limit(text, ${LINES_AT_ONCE}, at) }
    at = lines[1]
    for i = 2, #lines do
      local line = lines[i]
      success, failed = success + line[1], failed + line[2]
      local lastDuration = 3 + 2 * line[3]
      count(durations, line, 4, lastDuration)
      count(waits, line, lastDuration + 1, #line)
    end
  until at == -1
  local line = { success, failed, 0 }
  append(line, durations)
  line[3] = (#line - 3) / 2
  append(line, waits)
  return cmsgpack.pack(line)
end
`
