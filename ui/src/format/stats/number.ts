import { formatInteger, formatNumber } from '../../texts/numbers.ts'

/** `—` for an unknown value. */
export function formatCount(value: number | null): string {
  return value === null ? '—' : formatInteger(value)
}

/** `1.2M`, for places too small for every digit; the whole number goes into the tooltip. */
export function formatCompact(value: number | null, below = 100_000): string {
  return value === null || value < below ? formatCount(value) : formatNumber(value, { notation: 'compact', maximumFractionDigits: 1 })
}

/** A count that stopped at a bound says so: `10,000+`. */
export function formatTotal(total: { value: number; relation: 'exact' | 'at_least' }): string {
  return formatCount(total.value) + (total.relation === 'at_least' ? '+' : '')
}

/** Percent, 0 to 100. Only exact values are shown as "100 %" or "0 %". */
export function formatRate(rate: number): string {
  if (rate === 0 || rate === 100) return `${rate} %`
  if (rate >= 99.995) return `> ${formatNumber(99.99)} %`
  if (rate < 0.005) return `< ${formatNumber(0.01)} %`
  const digits = rate >= 99.9 || rate <= 0.1 ? 2 : 1
  return `${formatNumber(Number(rate.toFixed(digits)), { minimumFractionDigits: 1 })} %`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [unit, name] = bytes < 1024 ** 2 ? [1024, 'kB'] : [1024 ** 2, 'MB']
  return `${formatNumber(Number((bytes / unit).toFixed(1)), { minimumFractionDigits: 1 })} ${name}`
}

/** Two decimals below one, one below a hundred, none above: `0.25`, `8.4`, `1,204`. */
export function formatPace(value: number): string {
  if (value < 1) return formatNumber(Number(value.toFixed(2)))
  return value < 100 ? formatNumber(Number(value.toFixed(1))) : formatCount(value)
}
