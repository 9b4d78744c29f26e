import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { toDurationAxis } from '../../format/stats/duration-axis.ts'
import { formatAxisTime, isInUtc } from '../../format/time/time.ts'
import { statsTexts } from '../../texts/stats.ts'

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
  /** Bars are numbers of something, lines are durations in milliseconds. */
  readonly kind: 'bars' | 'lines'
  /** Seconds since the epoch. */
  readonly at: readonly number[]
  /** Start of the span that is not over: it is hatched. */
  readonly openFrom: number | null
  readonly series: readonly ChartSeries[]
  readonly formatValue: (value: number) => string
  /** Changes with the colours and with the zone of the times, so that the chart is drawn again. */
  readonly redrawKey: string
  /** Charts of the same name share the cursor. */
  readonly group: string
  readonly onCursor: (index: number | null) => void
  /** Seconds since the epoch: the whole spans that were brushed over. */
  readonly onSelect?: (from: number, to: number) => void
}

const HEIGHT_PX = 168
/** Height of an empty chart. With less, the labels of its axis would be meaningless. */
const LEAST = 1
/** Half a label, so that the labels at the ends are not cut. */
const LABEL_PX = 24
/** Anything shorter is a click that slipped. */
const LEAST_BRUSH_PX = 6
const FONT = '11px system-ui, sans-serif'

/** A drawing of values over time. The only user of uPlot, and loaded after the first paint. */
export function TimeChart({ label, kind, at, openFrom, series, formatValue, redrawKey, group, onCursor, onSelect }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const axis = useMemo(() => (kind === 'lines' ? toDurationAxis(series.flatMap(({ values }) => values)) : undefined), [kind, series])
  const scale = useRef(axis)
  scale.current = axis
  const isLogarithmic = axis?.isLogarithmic ?? false
  const report = useRef(onCursor)
  report.current = onCursor
  const open = useRef(openFrom)
  open.current = openFrom
  const select = useRef(onSelect)
  select.current = onSelect
  // Zero has no logarithm, so it is drawn at the bottom.
  const foot = axis?.isLogarithmic ? axis.min : -Infinity
  const data: uPlot.AlignedData = [
    [...at], ...series.map(({ values }) => values.map(value => (value === null ? null : Math.max(value, foot))))
  ]
  const names = series.map(({ name }) => name).join()

  useEffect(() => {
    const element = frame.current!
    const [text, line, ground] = [colorOf(element, 'text-muted'), colorOf(element, 'border'), colorOf(element, 'surface')]
    const style = { stroke: text, font: FONT, grid: { stroke: line, width: 1 }, ticks: { show: false } }
    const made = new uPlot({
      // In UTC, the grid lines of the axis must follow UTC as well, not only its labels.
      ...(isInUtc() ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') } : {}),
      width: Math.max(element.clientWidth, 100), height: HEIGHT_PX, legend: { show: false }, padding: [8, LABEL_PX, 0, 0],
      cursor: {
        sync: { key: group }, y: false, points: { show: kind === 'lines' },
        drag: { x: onSelect !== undefined, y: false, setScale: false, dist: LEAST_BRUSH_PX }
      },
      // A bar starts at its span's start, so the last one needs extra width.
      scales: {
        x: { range: (self, min, max) => [min, max + stepOf(self.data[0])] },
        y: {
          distr: isLogarithmic ? 3 : 1,
          range: (_chart, _min, max) => (scale.current ? [scale.current.min, scale.current.max] : [0, Math.max(max * 1.1, LEAST)])
        }
      },
      axes: [
        {
          ...style, size: 28,
          values: (_chart, splits, _index, _space, step) => splits.map(split => formatAxisTime(split * 1000, step * 1000))
        },
        {
          ...style, size: 58, values: (_chart, splits) => splits.map(formatValue),
          ...(scale.current ? { splits: () => [...scale.current!.ticks], filter: (_chart: uPlot, splits: number[]) => splits } : {})
        }
      ],
      series: [{}, ...series.map(({ token, dash }) => toSeries(kind, colorOf(element, token), dash))],
      hooks: {
        draw: [self => { if (open.current !== null) hatch(self, open.current, ground) }],
        setCursor: [self => report.current(self.cursor.idx ?? null)],
        setSelect: [self => {
          const { left, width } = self.select
          if (width < LEAST_BRUSH_PX) return
          // The other chart of the group is notified too. Only the one under the mouse reports the selection.
          const [from, to] = [left, left + width].map(px => self.posToVal(px, 'x')) as [number, number]
          if (self.over.matches(':hover')) select.current?.(...spansOf(self.data[0], from, to))
          self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
        }]
      }
    }, data, element)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 100), height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [kind, group, names, redrawKey, isLogarithmic])
  useEffect(() => chart.current?.setData(data), [at, series])

  return (
    <>
      {isLogarithmic && <span className="chart-note" title={statsTexts.logarithmicTitle}>{statsTexts.logarithmic}</span>}
      <div className="time-chart" ref={frame} role="img" aria-label={label} />
    </>
  )
}

/** Hatches the area of a span. */
function hatch({ ctx, bbox, data, valToPos }: uPlot, from: number, color: string): void {
  const [left, right] = [valToPos(from, 'x', true), valToPos(from + stepOf(data[0]), 'x', true)]
  const gap = 5 * devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, bbox.top, right - left, bbox.height)
  ctx.clip()
  ctx.strokeStyle = color
  ctx.lineWidth = gap / 2
  ctx.beginPath()
  for (let x = left - bbox.height; x < right; x += gap) {
    ctx.moveTo(x, bbox.top + bbox.height)
    ctx.lineTo(x + bbox.height, bbox.top)
  }
  ctx.stroke()
  ctx.restore()
}

/** From the start of the first span that was touched to the end of the last. */
function spansOf(at: ArrayLike<number>, from: number, to: number): [number, number] {
  const step = stepOf(at)
  const starts = Array.from(at).filter(start => start + step > from && start < to)
  return [starts[0] ?? from, (starts.at(-1) ?? to) + step]
}

function stepOf(at: ArrayLike<number>): number {
  return at.length > 1 ? at[1]! - at[0]! : 60
}

function toSeries(kind: TimeChartProps['kind'], color: string, dash?: readonly number[]): uPlot.Series {
  if (kind === 'bars') return { fill: color, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }
  return { stroke: color, width: 1.5, points: { show: true, size: 5, fill: color, filter: isolated }, ...(dash ? { dash: [...dash] } : {}) }
}

/** A value between gaps has no line, so it is drawn as a point. */
function isolated({ data }: uPlot, index: number): number[] {
  const values = data[index]!
  const hasValue = (at: number): boolean => typeof values[at] === 'number'
  return Array.from(values, (_value, at) => at).filter(at => hasValue(at) && !hasValue(at - 1) && !hasValue(at + 1))
}

/** The resolved colour of a token, because a canvas supports neither variables nor `light-dark()`. */
function colorOf(parent: HTMLElement, token: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(--${token})`
  parent.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
