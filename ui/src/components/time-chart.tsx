import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { formatAxisTime } from '../format/time.ts'

export interface ChartSeries {
  readonly name: string
  /** A colour of the tokens, for example `good`. */
  readonly token: string
  readonly values: ReadonlyArray<number | null>
  readonly dash?: readonly number[]
}

export interface TimeChartProps {
  /** What a screen reader hears in place of the drawing. */
  readonly label: string
  readonly kind: 'bars' | 'lines'
  /** Seconds since the epoch. */
  readonly at: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly formatValue: (value: number) => string
  /** Names the drawing anew when the colours change. */
  readonly theme: string
  /** Charts of the same name share the cursor. */
  readonly group: string
  readonly onCursor: (index: number | null) => void
}

const HEIGHT_PX = 168
/** Height of an empty drawing: one a minute, or ten milliseconds. Below it the axis would count in what nobody reads. */
const LEAST = { bars: 1, lines: 10 } as const
const FONT = '11px system-ui, sans-serif'

/** A drawing of values over time. The only user of uPlot, and loaded after the first paint. */
export function TimeChart({ label, kind, at, series, formatValue, theme, group, onCursor }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const report = useRef(onCursor)
  report.current = onCursor
  const data: uPlot.AlignedData = [[...at], ...series.map(({ values }) => [...values])]
  const names = series.map(({ name }) => name).join()

  useEffect(() => {
    const element = frame.current!
    const [text, line] = [colorOf(element, 'text-muted'), colorOf(element, 'border')]
    const axis = { stroke: text, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false } }
    const made = new uPlot({
      width: Math.max(element.clientWidth, 100), height: HEIGHT_PX, legend: { show: false }, padding: [8, 8, 0, 0],
      cursor: { sync: { key: group }, y: false, points: { show: kind === 'lines' }, drag: { x: false, y: false } },
      // A bar begins with its span: the last one needs its width too.
      scales: {
        x: { range: (self, min, max) => [min, max + stepOf(self.data[0])] },
        y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, LEAST[kind])] }
      },
      axes: [
        { ...axis, size: 28, values: (_chart, splits, _index, _space, step) => splits.map((split) => formatAxisTime(split * 1000, step * 1000)) },
        { ...axis, size: 58, values: (_chart, splits) => splits.map(formatValue) }
      ],
      series: [{}, ...series.map(({ token, dash }) => toSeries(kind, colorOf(element, token), dash))],
      hooks: { setCursor: [(self) => report.current(self.cursor.idx ?? null)] }
    }, data, element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 100), height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [kind, group, names, theme])
  useEffect(() => chart.current?.setData(data), [at, series])

  return <div className="time-chart" ref={frame} role="img" aria-label={label} />
}

function stepOf(at: ArrayLike<number>): number {
  return at.length > 1 ? at[1]! - at[0]! : 60
}

function toSeries(kind: TimeChartProps['kind'], color: string, dash?: readonly number[]): uPlot.Series {
  if (kind === 'bars') return { fill: color, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }
  return { stroke: color, width: 1.5, points: { size: 4, fill: color }, ...(dash ? { dash: [...dash] } : {}) }
}

/** Resolved: a canvas knows neither variables nor `light-dark()`. */
function colorOf(parent: HTMLElement, token: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(--${token})`
  parent.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
