import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { REDACTED, REDACTION_FAILED } from '../../../../schemas/limits.ts'

/** A JSON array from a text field; an empty field means no arguments. Null if it is something else. */
export function parseArguments(text: string): unknown[] | null {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** The initial value of the field: empty if only the start of the arguments is known. */
export function argumentsText({ args, truncated }: Pick<ExecutionDetail, 'args' | 'truncated'>): string {
  return args === null || truncated.includes('/args') ? '[]' : JSON.stringify(args, null, 2)
}

export function hasHiddenValues(text: string): boolean {
  return text.includes(REDACTED) || text.includes(REDACTION_FAILED)
}
