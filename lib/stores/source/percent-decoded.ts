import { createTaskDashboardError } from '../../errors.ts'

/**
 * A part of a URL, decoded. Throws INVALID_OPTIONS where a % is not followed by two hexadecimal digits, as in a password that was put into
 * the URL as it is.
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
