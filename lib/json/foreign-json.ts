/** Parses JSON that another program wrote, which may be any text. Undefined if it is not JSON. */
export function parsed(json: string | null | undefined): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) as unknown : undefined
  } catch {
    return undefined
  }
}

/** The parsed value, or the text itself if it is not JSON. */
export function valueOrText(json: string): unknown {
  const value = parsed(json)
  return value === undefined ? json : value
}

/** The parsed object; null if it is not one. */
export function objectFrom(json: string | null | undefined): Readonly<Record<string, unknown>> | null {
  const value = parsed(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : null
}
