/** What the arguments of some executions have in common, and where they differ. */
export interface ArgumentsCompared {
  /** How many executions had arguments to compare. */
  readonly compared: number
  readonly common: ReadonlyArray<{ readonly path: string; readonly value: string }>
  readonly different: ReadonlyArray<{
    readonly path: string
    /** The most frequent first; undefined is "not there". */
    readonly values: ReadonlyArray<{ readonly value: string | undefined; readonly count: number }>
    /** How many more values there are. */
    readonly others: number
  }>
  /** Some paths were left out, because there are too many. */
  readonly isCut: boolean
}

const MAX_PATHS = 60
const MAX_VALUES = 4
const MAX_DEPTH = 4
const MAX_CHARACTERS = 120

/** @param all positional arguments of each execution */
export function compareArguments(all: ReadonlyArray<readonly unknown[]>): ArgumentsCompared {
  const leaves = all.map(args => {
    const found = new Map<string, string>()
    args.forEach((value, index) => collect(`args[${index}]`, value, 0, found))
    return found
  })
  const paths = [...new Set(leaves.flatMap(found => [...found.keys()]))]
  const entries = paths.slice(0, MAX_PATHS).map(path => {
    const counts = new Map<string | undefined, number>()
    for (const found of leaves) counts.set(found.get(path), (counts.get(found.get(path)) ?? 0) + 1)
    return { path, values: [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count) }
  })
  return {
    compared: all.length,
    common: entries.filter(({ values }) => values.length === 1).map(({ path, values }) => ({ path, value: values[0]!.value! })),
    different: entries.filter(({ values }) => values.length > 1).map(({ path, values }) => ({
      path, values: values.slice(0, MAX_VALUES), others: Math.max(0, values.length - MAX_VALUES)
    })),
    isCut: paths.length > MAX_PATHS
  }
}

function collect(path: string, value: unknown, depth: number, found: Map<string, string>): void {
  if (found.size >= MAX_PATHS * 2) return
  const isBranch = typeof value === 'object' && value !== null && depth < MAX_DEPTH && Object.keys(value).length > 0
  if (!isBranch) {
    const text = JSON.stringify(value) ?? 'undefined'
    found.set(path, text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)
    return
  }
  for (const [key, item] of Object.entries(value))
    collect(Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, item, depth + 1, found)
}
