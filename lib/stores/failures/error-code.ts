/** An error's `code`: from Node, a client, or a statement's SQLSTATE. Null if it has none or is not an error. */
export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
