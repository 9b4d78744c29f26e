const [WIDTH, HEIGHT] = [100, 20]

/** The shape of a figure over its range. It is decoration, because the chart and its table have the numbers. Unknown values are gaps. */
export function Sparkline({ values, isBad = false }: { values: ReadonlyArray<number | null>; isBad?: boolean }) {
  const most = values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0)
  const step = WIDTH / Math.max(1, values.length - 1)
  const lines = values.reduce<string[][]>((found, value, index) => {
    if (value === null) return [...found, []]
    found.at(-1)!.push(`${(index * step).toFixed(1)},${(HEIGHT - 1 - (most === 0 ? 0 : value / most) * (HEIGHT - 2)).toFixed(1)}`)
    return found
  }, [[]]).filter(line => line.length > 0)
  return (
    <svg
      className={`sparkline ${isBad ? 'sparkline-bad' : ''}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map((line, index) => <polyline key={index} points={(line.length === 1 ? [line[0], line[0]] : line).join(' ')} />)}
    </svg>
  )
}
