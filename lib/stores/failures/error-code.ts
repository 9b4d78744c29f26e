/** What an error carries as its `code`: of Node, of a client, or the SQLSTATE of a statement. Null when it has none, or is no error. */
export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
