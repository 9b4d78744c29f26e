/** One of the five fields of a cron expression, expanded. */
export interface CronField {
  /** Written as `*`: no restriction. For the rule of the two day fields, only this spelling counts. */
  readonly isStar: boolean
  /** Sorted, without duplicates; Sunday is 0. */
  readonly values: readonly number[]
  /** The same values in the simplest form: numbers, ranges and commas. */
  readonly plain: string
  /** A form whose description is exact (`*`, `*` with an even step, or values); null if it would be too long to read. */
  readonly readable: string | null
}

export interface CronFieldRange {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Names in numeric order, from `min`. */
  readonly names?: readonly string[]
  /** `max + 1` is allowed and means `min`: 7 for Sunday. */
  readonly wraps?: boolean
}

/** In the order of an expression. */
export const CRON_FIELDS: readonly CronFieldRange[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { name: 'day of week', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], wraps: true }
]

/** With more values, the description gets too long to read. */
const MAX_READABLE_VALUES = 8

/**
 * Expands one field. Every bound is checked before expanding, so the cost does not depend on the numbers in it.
 * @throws Error whose message is the reason, for people
 */
export function parseCronField(text: string, range: CronFieldRange): CronField {
  const values = new Set<number>()
  const readable: Array<string | null> = []
  for (const item of text.split(',')) {
    const { first, last, step } = parseItem(item, range)
    for (let value = first; value <= last; value += step) values.add(wrap(value, range))
    readable.push(isEvenlySpread(first, last, step, range) ? item : null)
  }
  const sorted = [...values].sort((a, b) => a - b)
  const [even = null] = readable.length === 1 ? readable : []
  const isFull = sorted.length === range.max - range.min + 1
  const plain = toRanges(sorted)
  return {
    isStar: text === '*',
    values: sorted,
    plain: text === '*' ? '*' : plain,
    readable: text === '*' || isFull ? '*' : even !== null ? even : plain.split(',').length <= MAX_READABLE_VALUES ? plain : null
  }
}

function parseItem(item: string, range: CronFieldRange): { first: number; last: number; step: number } {
  const match = /^(\*|[a-z\d]+)(?:-([a-z\d]+))?(?:\/(\d+))?$/i.exec(item)
  if (!match || (match[1] === '*' && match[2] !== undefined)) throw new Error(explainSyntax(item, range))
  const [, from = '', to, stepText] = match
  const step = stepText === undefined ? 1 : parseStep(stepText, range)
  if (from === '*') return { first: range.min, last: range.max, step }
  const first = parseValue(from, range)
  if (to === undefined) return { first, last: stepText === undefined ? first : Math.max(first, range.max), step }
  const last = parseRangeEnd(to, first, range)
  if (last < first) throw new Error(`the range ${item} of the ${range.name} runs backwards; write two ranges with a comma between them`)
  return { first, last, step }
}

function explainSyntax(item: string, { name }: CronFieldRange): string {
  if (item === '') return `the ${name} has an empty item in its list`
  if (/[LW#?]|H(?!U)/.test(item))
    return `"${item}" in the ${name} is an extension of some schedulers; use numbers, names, *, commas, - and /`
  return `"${item}" is not a ${name}`
}

function parseStep(text: string, { name, min, max }: CronFieldRange): number {
  const step = text.length > 4 ? Infinity : Number(text)
  const size = max - min + 1
  if (step < 1 || step > size) throw new Error(`the step of the ${name} must be 1 to ${size}`)
  return step
}

function parseValue(text: string, range: CronFieldRange): number {
  const { name, min, max, names, wraps } = range
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return min + named
  if (!/^\d+$/.test(text)) throw new Error(explainSyntax(text, range))
  const value = text.length > 4 ? Infinity : Number(text)
  const highest = wraps ? max + 1 : max
  if (value < min || value > highest) throw new Error(`${text} is out of range for the ${name}: ${min} to ${highest}`)
  return value
}

/** `5-7`, `fri-sun` and `5-0` are Friday to Sunday: Sunday at the end of a range becomes 7. */
function parseRangeEnd(text: string, first: number, range: CronFieldRange): number {
  const last = parseValue(text, range)
  return range.wraps && last === range.min && first > range.min ? range.max + 1 : last
}

function wrap(value: number, { min, max }: CronFieldRange): number {
  return value > max ? min : value
}

/** Whether "every n" is exact: the same distance everywhere, including from the last value to the first of the next cycle. */
function isEvenlySpread(first: number, last: number, step: number, { min, max }: CronFieldRange): boolean {
  return step > 1 && (max - min + 1) % step === 0 && first - min < step && last === max && max !== 31
}

/** 1,2,3,5 → 1-3,5 */
function toRanges(values: readonly number[]): string {
  const parts: string[] = []
  for (let start = 0; start < values.length;) {
    let end = start
    while (values[end + 1] === values[end]! + 1) end++
    if (end - start > 1) parts.push(`${values[start]}-${values[end]}`)
    else parts.push(...values.slice(start, end + 1).map(String))
    start = end + 1
  }
  return parts.join(',')
}
