/** A parameter in the text form that pg would send, so that both datastores get the same. null stays null. */
export function toSqlText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return toArrayText(value)
  return typeof value === 'object' ? JSON.stringify(value) : (value as number | bigint | boolean).toString()
}

function toArrayText(values: readonly unknown[]): string {
  const items = values.map(value => {
    if (Array.isArray(value)) return toArrayText(value)
    const text = toSqlText(value)
    return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`
  })
  return `{${items.join(',')}}`
}
