export type RedactedField = 'args' | 'result' | 'error.message' | 'error.stack' | 'logs' | 'progress'

/** Stands for what was taken out. */
export const REDACTED = '[redacted]'

export interface RedactionPath {
  readonly field: RedactedField
  /** null: the whole field. */
  readonly steps: PathStep | null
}

/** A key of a path in lower case, and what comes after it; null at its end. */
export interface PathStep {
  readonly key: string
  readonly next: PathStep | null
}

/** What of all paths is to come at a place in a value. */
type Steps = ReadonlySet<PathStep | null>

const PATH = /^(args|result|progress)((?:\.(?:"[^"]+"|[^."[\]]+))*)$/i
const WHOLE_FIELD = /^(error\.message|error\.stack|logs)$/i
const KEY = /\.("[^"]+"|[^."]+)/g
const POSITION = /^\d+$/
const ANY_KEY = '*'
const ANY_KEYS = '**'

/** `args.user."odd.key"`; null when it is no path. */
export function redactionPathFrom(text: string): RedactionPath | null {
  const [, field, keys = ''] = WHOLE_FIELD.exec(text) ?? PATH.exec(text) ?? []
  if (field === undefined) return null
  const names = Array.from(keys.matchAll(KEY), match => match[1]!.replaceAll('"', '').toLowerCase())
  return { field: field.toLowerCase() as RedactedField, steps: names.reduceRight<PathStep | null>((next, key) => ({ key, next }), null) }
}

/** A copy in which what stands at one of the paths is replaced; a value that none can reach is passed on as it is. */
export function redactPaths(value: unknown, paths: Iterable<PathStep | null>, onRedacted?: (value: unknown) => void): unknown {
  return redactAt(value, reachable(paths))

  function redactAt(value: unknown, steps: Steps): unknown {
    if (steps.size === 0) return value
    if (steps.has(null)) {
      onRedacted?.(value)
      return REDACTED
    }
    if (Array.isArray(value)) return value.map((each, index) => redactAt(each, atPosition(steps, String(index))))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) =>
      [key, redactAt(each, reachable(afterKey(steps, key.toLowerCase())))]))
  }
}

/** A path may name a position or leave it out. */
function atPosition(steps: Steps, index: string): Steps {
  return reachable([...afterKey(steps, index), ...[...steps].filter(step => step !== null && !POSITION.test(step.key))])
}

function * afterKey(steps: Steps, key: string): Iterable<PathStep | null> {
  for (const step of steps) {
    if (step?.key === ANY_KEYS) yield step
    else if (step?.key === ANY_KEY || step?.key === key) yield step.next
  }
}

/** `**` may also be no key at all. A set, so that what is left of a path is never there twice, however deep the value. */
function reachable(steps: Iterable<PathStep | null>): Steps {
  const all = new Set(steps)
  // A set hands out what is added to it on the way.
  for (const step of all) if (step?.key === ANY_KEYS) all.add(step.next)
  return all
}
