import { REDACTED, REDACTION_FAILED } from '../../../schemas/limits.ts'

export type RedactedField = 'args' | 'result' | 'error.message' | 'error.stack' | 'logs' | 'progress'

/** Whether JSON that was shown to someone lacks values that redaction replaced. */
export function hidesValues(json: string): boolean {
  return json.includes(REDACTED) || json.includes(REDACTION_FAILED)
}

export interface RedactionPath {
  readonly field: RedactedField
  /** null: the whole field. */
  readonly steps: PathStep | null
}

/** A lower-case key of a path, and the next step; null at the end. */
export interface PathStep {
  readonly key: string
  readonly next: PathStep | null
}

/** The remaining steps of all paths at one place in a value. */
type Steps = ReadonlySet<PathStep | null>

const PATH = /^(args|result|progress)((?:\.(?:"[^"]+"|[^."[\]]+))*)$/i
const WHOLE_FIELD = /^(error\.message|error\.stack|logs)$/i
const KEY = /\.("[^"]+"|[^."]+)/g
const POSITION = /^\d+$/
const ANY_KEY = '*'
const ANY_KEYS = '**'

/** Parses `args.user."odd.key"`; null if it is not a path. */
export function redactionPathFrom(text: string): RedactionPath | null {
  const [, field, keys = ''] = WHOLE_FIELD.exec(text) ?? PATH.exec(text) ?? []
  if (field === undefined) return null
  const names = Array.from(keys.matchAll(KEY), match => match[1]!.replaceAll('"', '').toLowerCase())
  return { field: field.toLowerCase() as RedactedField, steps: names.reduceRight<PathStep | null>((next, key) => ({ key, next }), null) }
}

/** A copy with the values at these paths replaced. A value that no path can reach is returned as it is. */
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

/** A path may include an array position or omit it. */
function atPosition(steps: Steps, index: string): Steps {
  return reachable([...afterKey(steps, index), ...[...steps].filter(step => step !== null && !POSITION.test(step.key))])
}

function * afterKey(steps: Steps, key: string): Iterable<PathStep | null> {
  for (const step of steps) {
    if (step?.key === ANY_KEYS) yield step
    else if (step?.key === ANY_KEY || step?.key === key) yield step.next
  }
}

/** `**` also matches no key at all. A set, so that each remaining step occurs only once however deep the value is. */
function reachable(steps: Iterable<PathStep | null>): Steps {
  const all = new Set(steps)
  // Iterating over a set includes elements that are added during the loop.
  for (const step of all) if (step?.key === ANY_KEYS) all.add(step.next)
  return all
}
