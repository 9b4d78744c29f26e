import type { RedactedField } from './redaction.ts'

export interface RedactionPath {
  readonly field: RedactedField
  /** In lower case; `*` is any key, `**` (once at most) any number of them. Empty: the whole field. */
  readonly keys: readonly string[]
}

const PATH = /^(args|result|progress)((?:\.(?:"[^"]+"|[^."]+))*)$/i
const WHOLE_FIELD = /^(error\.message|error\.stack|logs)$/i
const KEY = /\.("[^"]+"|[^."]+)/g
const ANY_KEY = '*'
const ANY_KEYS = '**'

/** `args.user."odd.key"`; null when it is no path. */
export function redactionPathFrom(text: string): RedactionPath | null {
  const whole = WHOLE_FIELD.exec(text)
  if (whole) return { field: whole[1]!.toLowerCase() as RedactedField, keys: [] }
  const path = PATH.exec(text)
  if (!path) return null
  const keys = Array.from(path[2]!.matchAll(KEY), match => match[1]!.replaceAll('"', '').toLowerCase())
  // With two of them, what is left of a path would grow with each key.
  if (keys.filter(key => key === ANY_KEYS).length > 1) return null
  return { field: path[1]!.toLowerCase() as RedactedField, keys }
}

/** A copy in which what stands at one of the paths is replaced; a value that none can reach is passed on as it is. */
export function redactPaths(value: unknown, paths: ReadonlyArray<RedactionPath['keys']>, replacement: string, onRedacted: (value: unknown) => void): unknown {
  return redactAt(value, paths.flatMap(reachable))

  /** @param left of each path that still fits, what is to come */
  function redactAt(value: unknown, left: ReadonlyArray<readonly string[]>): unknown {
    if (left.length === 0) return value
    if (left.some(keys => keys.length === 0)) {
      onRedacted(value)
      return replacement
    }
    if (Array.isArray(value)) return value.map(each => redactAt(each, left))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactAt(each, left.flatMap(keys => afterKey(keys, key.toLowerCase())))]))
  }
}

function afterKey(keys: readonly string[], key: string): Array<readonly string[]> {
  const [first, ...rest] = keys
  if (first === ANY_KEYS) return reachable(keys)
  return first === ANY_KEY || first === key ? reachable(rest) : []
}

/** `**` may also be no key at all. */
function reachable(keys: readonly string[]): Array<readonly string[]> {
  return keys[0] === ANY_KEYS ? [keys, ...reachable(keys.slice(1))] : [keys]
}
