export interface Change {
  /** For example `stats.runs` or `args[0]`. */
  readonly path: string
  /** As JSON; undefined if it is not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Comparison {
  readonly changed: readonly Change[]
  readonly same: ReadonlyArray<{ readonly path: string; readonly value: string }>
  /** Some fields were left out, because there are too many. */
  readonly isCut: boolean
}

const MAX_PATHS = 300
/** Fields of each state that are compared. More would keep the page busy. */
const MAX_COMPARED = 20_000
const MAX_DEPTH = 6
const MAX_CHARACTERS = 240
/** How much of a long text is shown before the first difference. */
const LEAD_CHARACTERS = 40
/** Every change changes these, so they come last. */
const BOOKKEEPING = ['updated_at', 'version']

/** What differs between two states of a resource; null if they are not two states of the same thing. */
export function compareValues(before: unknown, after: unknown): Comparison | null {
  if (!isRecord(before) || !isRecord(after)) return null
  const keys = Object.keys(before)
  // For example, the response to a deletion only has the id and says that it is gone.
  if (keys.filter(key => Object.hasOwn(after, key)).length * 2 <= keys.length) return null
  const [old, now] = [leavesOf(before), leavesOf(after)]
  // Whether a field is missing from a state is not known if only a part of that state was read.
  const isKnown = (path: string): boolean =>
    (old.has(path) || old.size < MAX_COMPARED) && (now.has(path) || now.size < MAX_COMPARED)
  const paths = [...new Set([...now.keys(), ...old.keys()])].filter(isKnown)
  const changed = paths.filter(path => old.get(path) !== now.get(path)).sort(byImportance).slice(0, MAX_PATHS)
  const same = paths.filter(path => old.get(path) === now.get(path)).slice(0, MAX_PATHS - changed.length)
  return {
    changed: changed.map(path => {
      const [one, other] = [old.get(path), now.get(path)]
      const start = one === undefined || other === undefined ? 0 : startOf(one, other)
      return { path, before: one && excerpt(one, start), after: other && excerpt(other, start) }
    }),
    same: same.map(path => ({ path, value: excerpt(now.get(path)!, 0) })),
    isCut: paths.length > MAX_PATHS || Math.max(old.size, now.size) >= MAX_COMPARED
  }
}

function byImportance(one: string, other: string): number {
  return Number(BOOKKEEPING.includes(one)) - Number(BOOKKEEPING.includes(other))
}

/** Where an excerpt of two long texts begins, so that it shows their first difference. */
function startOf(one: string, other: string): number {
  if (Math.max(one.length, other.length) <= MAX_CHARACTERS) return 0
  let index = 0
  while (index < one.length && one[index] === other[index]) index++
  return Math.max(0, index - LEAD_CHARACTERS)
}

function excerpt(text: string, start: number): string {
  const end = start + MAX_CHARACTERS
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

function leavesOf(value: object): Map<string, string> {
  const leaves = new Map<string, string>()
  collect('', value, 0, leaves)
  return leaves
}

function collect(path: string, value: unknown, depth: number, leaves: Map<string, string>): void {
  const isBranch = typeof value === 'object' && value !== null && depth < MAX_DEPTH && Object.keys(value).length > 0
  if (!isBranch) {
    leaves.set(path, JSON.stringify(value) ?? 'null')
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (leaves.size >= MAX_COMPARED) return
    collect(Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, item, depth + 1, leaves)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
