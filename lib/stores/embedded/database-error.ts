/**
 * An error of the embedded database as a plain one. The original is thrown from one minified line of 25 KB, which Node
 * prints in full when it goes uncaught, and carries the whole query with its parameters.
 */
export function databaseErrorFrom(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const plain = new Error(error.message)
  plain.name = 'DatabaseError'
  for (const field of ['code', 'detail', 'hint', 'constraint', 'table', 'column', 'schema', 'severity', 'where'] as const) {
    const value = (error as unknown as Record<string, unknown>)[field]
    if (value !== undefined) Object.assign(plain, { [field]: value })
  }
  return plain
}
