const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `—` for what is not known. */
export function formatCount(value: number | null): string {
  return value === null ? '—' : integers.format(value)
}

/** `1.2M`, for places too small for every digit; the whole number goes into the tooltip. */
export function formatCompact(value: number | null, below = 100_000): string {
  return value === null || value < below ? formatCount(value) : compact.format(value)
}

/** A count that stopped at a bound says so: `10,000+`. */
export function formatTotal(total: { value: number; relation: 'exact' | 'at_least' }): string {
  return formatCount(total.value) + (total.relation === 'at_least' ? '+' : '')
}

/** Percent, 0 to 100. Never rounds to "100 %" or "0 %" what is not. */
export function formatRate(rate: number): string {
  if (rate === 0 || rate === 100) return `${rate} %`
  if (rate >= 99.995) return '> 99.99 %'
  if (rate < 0.005) return '< 0.01 %'
  const digits = rate >= 99.9 || rate <= 0.1 ? 2 : 1
  return `${rate.toFixed(digits).replace(/(\.\d)0$/, '$1')} %`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} kB`
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

/** Two decimals below one, one below a hundred, none above: `0.25`, `8.4`, `1,204`. */
export function formatPace(value: number): string {
  if (value < 1) return String(Number(value.toFixed(2)))
  return value < 100 ? value.toFixed(1).replace('.0', '') : formatCount(value)
}
