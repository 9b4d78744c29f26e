import { createTaskDashboardError } from '../../errors.ts'

/**
 * Decodes a part of a URL. Throws INVALID_OPTIONS if a % is not followed by two hexadecimal digits, as in a password that was not encoded.
 * @param what names the part, as in `the password in the URL of the broker`; the message does not show the part itself
 */
export function percentDecoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createTaskDashboardError(
      'INVALID_OPTIONS', [`${what} has a % that is not percent-encoded: write %25 for it, or use encodeURIComponent`]
    )
  }
}
