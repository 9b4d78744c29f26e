import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { REDACTED, REDACTION_FAILED } from '../../../../schemas/limits.ts'

/** A JSON array from a text field, where nothing means no arguments; null if it is something else. */
export function parseArguments(text: string): unknown[] | null {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

/** What the field begins with: nothing where only the beginning of them is known. */
export function argumentsText({ args, truncated }: Pick<ExecutionDetail, 'args' | 'truncated'>): string {
  return args === null || truncated.includes('/args') ? '[]' : JSON.stringify(args, null, 2)
}

export function hasHiddenValues(text: string): boolean {
  return text.includes(REDACTED) || text.includes(REDACTION_FAILED)
}
