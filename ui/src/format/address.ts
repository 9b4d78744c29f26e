/** Changes to the parameters of an address; null takes one out. */
export type AddressChange = Readonly<Record<string, string | null>>

export function withParameters(search: string, change: AddressChange): string {
  const parameters = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') parameters.delete(name)
    else parameters.set(name, value)
  }
  const text = parameters.toString()
  return text ? `?${text}` : ''
}

export const RANGES = { '15m': 15 * 60_000, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Range = keyof typeof RANGES
export const RANGE_WORDS: Record<Range, string> = {
  '15m': 'Last 15 minutes', '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days'
}

export function isRange(value: string | null): value is Range {
  return value !== null && Object.hasOwn(RANGES, value)
}

/** The start of a range that ends now, on a full minute: equal questions within a minute have one address and one ETag. */
export function rangeStart(range: Range, now: number): string {
  return new Date(Math.floor((now - RANGES[range]) / 60_000) * 60_000).toISOString()
}
