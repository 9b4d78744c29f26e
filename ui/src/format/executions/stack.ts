/** Lines of a stack that belong together. */
export interface StackPart {
  /** `own`: the application's code. `dependency`: folded, since a reader seldom needs it. `text`: no frame. */
  readonly kind: 'text' | 'own' | 'dependency'
  readonly lines: readonly string[]
}

const FRAME = /^\s+at\s/
const DEPENDENCY = /[\\/]node_modules[\\/]|\(?node:|<anonymous>\)?$|\bnative\b|\bindex \d+\)$/
/** Anything longer is shown unchanged. */
const MAX_LINES = 2_000

/** Splits the stack of an error into parts, in the original order. */
export function toStackParts(stack: string): StackPart[] {
  const lines = stack.trimEnd().split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) return [{ kind: 'text', lines: [stack] }]
  const parts: Array<{ kind: StackPart['kind']; lines: string[] }> = []
  for (const line of lines) {
    const kind = kindOf(line)
    const last = parts.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else parts.push({ kind, lines: [line] })
  }
  return parts
}

function kindOf(line: string): StackPart['kind'] {
  if (!FRAME.test(line)) return 'text'
  return DEPENDENCY.test(line) ? 'dependency' : 'own'
}
