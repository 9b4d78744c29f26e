/** JSON that another program wrote: it may be anything. Undefined if it is none. */
export function parsed(json: string | null | undefined): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) as unknown : undefined
  } catch {
    return undefined
  }
}

/** What is not JSON is the text that it is. */
export function valueOrText(json: string): unknown {
  const value = parsed(json)
  return value === undefined ? json : value
}

/** Null if it is none. */
export function objectFrom(json: string | null | undefined): Readonly<Record<string, unknown>> | null {
  const value = parsed(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : null
}
