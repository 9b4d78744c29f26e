import { MAX_ACTION_REASON_LENGTH, PRINTABLE_LINES } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'

const TEXT = new RegExp(PRINTABLE_LINES, 'u')

/** The reason in the header `Audit-Reason`; null if there is none. Throws INVALID_INPUT. */
export function reasonFrom(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const reason = decoded(String(header))?.trim()
  const problem = reason === undefined
    ? 'must be percent-encoded UTF-8'
    : reason === '' || reason.length > MAX_ACTION_REASON_LENGTH
      ? `must be 1 to ${MAX_ACTION_REASON_LENGTH} characters`
      : TEXT.test(reason) ? null : 'must be printable'
  if (problem === null) return reason!
  throw createTaskDashboardError('INVALID_INPUT', [`The header "audit-reason" ${problem}`], {
    errors: [{ pointer: 'audit-reason', message: problem }]
  })
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
