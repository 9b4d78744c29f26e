import type { Timeseries } from '../../../schemas/index.ts'
import { ChangeNote } from '../../src/components/stats/change-note.tsx'
import { Figure, Figures } from '../../src/components/stats/figure.tsx'
import { RangePicker } from '../../src/components/stats/range-picker.tsx'
import { RangeProblem } from '../../src/components/stats/range-problem.tsx'
import { SeriesCharts } from '../../src/components/stats/series-charts.tsx'
import { SeriesTable } from '../../src/components/stats/series-table.tsx'
import { Key, PointWords } from '../../src/components/stats/series-words.tsx'
import { Sparkline } from '../../src/components/stats/sparkline.tsx'
import { KeptHistory, StatsFigures } from '../../src/components/stats/stats-figures.tsx'
import { TimeChart } from '../../src/components/stats/time-chart.tsx'
import { TrendBars } from '../../src/components/stats/trend-bars.tsx'
import { VerdictLine } from '../../src/components/stats/verdict-line.tsx'
import type { Period } from '../../src/format/stats/period.ts'
import { hugeStats, noStats, stats } from '../samples/answers.ts'
import { HOSTILE, LONG } from '../samples/texts.ts'
import { emptySeries, series, unknownSeries } from '../samples/workers.ts'
import { href, nothing, type Stories } from '../story.ts'

const verdict = { clauses: [], detail: null }
const period: Period = {
  now: { success: 1_158, failed: 46, ms: 3_600_000, isWhole: true }, before: { success: 1_020, failed: 10, ms: 3_600_000, isWhole: true },
  finished: [12, 20, 18, null, 24, 30], rates: [0, 1, null, 2, 8, 4]
}
const noPeriod: Period = { now: null, before: null, finished: [], rates: [] }
const figures = { period, periodMissing: null, than: 'the 1 h before', executionsHref: href }
const between = { kind: 'between', from: Date.parse('1999-01-01'), to: Date.parse('2026-01-01') } as const
const retention = { failed: { max_age_ms: 2_592_000_000, max_count: 10_000 }, success: { max_age_ms: null, max_count: 1_000 } }
const seconds = series.points.map(({ at }) => Date.parse(at) / 1_000)

export const statsStories: Stories = {
  'stats/change-note': [
    {
      state: 'ready', show: () => <p className="filter">{(['up', 'down', 'same'] as const).map(direction =>
        <ChangeNote key={direction} change={{ direction, text: '12 %' }} than="the 24 h before" isRiseBad />)}</p>
    },
    { state: 'unknown', words: 'nothing', show: () => <ChangeNote change={null} than="the 24 h before" /> },
    { state: 'hostile', show: () => <ChangeNote change={{ direction: 'up', text: HOSTILE }} than={HOSTILE} /> }
  ],
  'stats/figure': [
    { state: 'ready', show: () => <Figures label="Figures"><Figure label="Executions" note="46 failed">1,204</Figure></Figures> },
    {
      state: 'huge', show: () => <Figures label="Figures">
        <Figure label="Executions" note="9,007,199,254,740,990 failed">9,007,199,254,740,991</Figure>
      </Figures>
    }
  ],
  'stats/range-picker': [
    { state: 'ready', show: () => <RangePicker range={{ kind: 'last', text: '24h', ms: 86_400_000 }} href={href} onPick={nothing} /> },
    { state: 'empty', words: 'all time', show: () => <RangePicker range={null} hasAllTime href={href} onPick={nothing} /> },
    { state: 'huge', show: () => <RangePicker range={between} hasAllTime href={href} onPick={nothing} /> }
  ],
  'stats/range-problem': [
    { state: 'ready', words: 'none: nothing', show: () => <RangeProblem problem={null} /> },
    { state: 'error', show: () => <RangeProblem problem="The range ends before it begins." /> },
    { state: 'hostile', show: () => <RangeProblem problem={HOSTILE} /> }
  ],
  'stats/series-charts': [
    { state: 'ready', show: () => <SeriesCharts series={series} words="Last 24 h" onBrush={nothing} /> },
    {
      state: 'partial', words: 'failures alone',
      show: () => <SeriesCharts series={series} words="Last 24 h" isFailuresOnly onBrush={nothing} />
    },
    { state: 'empty', show: () => <SeriesCharts series={emptySeries} words="Last 24 h" onBrush={nothing} /> },
    { state: 'unknown', show: () => <SeriesCharts series={unknownSeries} words="Last 24 h" onBrush={nothing} /> },
    { state: 'hostile', show: () => <SeriesCharts series={emptySeries} words={HOSTILE} onBrush={nothing} /> }
  ],
  'stats/series-table': [
    { state: 'ready', show: () => table(series) },
    { state: 'empty', show: () => table(emptySeries) },
    { state: 'unknown', show: () => table(unknownSeries) }
  ],
  'stats/series-words': [
    {
      state: 'ready',
      show: () => <p className="filter"><Key token="good" name="Succeeded" /><Key token="bad" name="Failed" dash="2 2" /></p>
    },
    { state: 'ready', words: 'a span', show: () => point(series.points.length - 4) },
    { state: 'partial', words: 'a span that is not over', show: () => point(series.points.length - 1) },
    { state: 'unknown', words: 'a span that was not kept', show: () => point(0) },
    { state: 'hostile', show: () => <Key token="good" name={HOSTILE} /> }
  ],
  'stats/sparkline': [
    { state: 'ready', show: () => <><Sparkline values={[1, 4, 2, null, 8, 3]} /><Sparkline values={[1, 4, 2, null, 8, 3]} isBad /></> },
    { state: 'empty', show: () => <><Sparkline values={[]} /><Sparkline values={[0, 0, 0]} /></> },
    { state: 'unknown', show: () => <Sparkline values={[null, null, null]} /> },
    { state: 'huge', show: () => <Sparkline values={[1, 9e15, 1]} /> }
  ],
  'stats/stats-figures': [
    { state: 'loading', show: () => <StatsFigures {...figures} stats={null} period={null} isStale={false} /> },
    { state: 'ready', show: () => <StatsFigures {...figures} stats={stats} isStale={false} /> },
    { state: 'empty', show: () => <StatsFigures {...figures} stats={noStats} period={noPeriod} isStale={false} /> },
    { state: 'stale', show: () => <StatsFigures {...figures} stats={stats} isStale /> },
    { state: 'error', show: () => <StatsFigures {...figures} stats={stats} period={null} periodMissing="No answer" isStale={false} /> },
    { state: 'unknown', words: 'of an existing queue', show: () => <StatsFigures {...figures} stats={unknownStats} isStale={false} /> },
    { state: 'huge', show: () => <StatsFigures {...figures} stats={hugeStats} isStale={false} /> },
    { state: 'ready', words: 'what is kept', show: () => <KeptHistory history={{ ...stats.history, retention }} /> },
    { state: 'empty', words: 'nothing is kept', show: () => <KeptHistory history={noStats.history} /> }
  ],
  'stats/time-chart': [
    { state: 'ready', words: 'bars', show: () => chart('bars', series.points.map(({ success }) => success)) },
    { state: 'ready', words: 'lines', show: () => chart('lines', series.points.map(({ p95 }) => p95 ?? null)) },
    { state: 'empty', show: () => chart('bars', series.points.map(() => 0)) },
    { state: 'unknown', show: () => chart('lines', series.points.map(() => null)) },
    { state: 'huge', show: () => chart('bars', series.points.map(() => 9e15)) },
    { state: 'hostile', show: () => chart('bars', series.points.map(({ failed }) => failed), HOSTILE) }
  ],
  'stats/trend-bars': [
    { state: 'ready', show: () => <TrendBars counts={[0, 2, 9, 4, 30, 1]} label="Last 24 hours" /> },
    { state: 'empty', show: () => <><TrendBars counts={[]} label="Last 24 hours" /><TrendBars counts={[0, 0]} label="Last 24 hours" /></> },
    { state: 'huge', show: () => <TrendBars counts={Array.from({ length: 24 }, (_, hour) => 10 ** (hour % 16))} label="Last 24 hours" /> },
    { state: 'hostile', show: () => <TrendBars counts={[1, 2]} label={HOSTILE} /> }
  ],
  'stats/verdict-line': [
    { state: 'loading', show: () => <VerdictLine verdict={{ ...verdict, tone: 'unknown', headline: 'Not known yet' }} /> },
    { state: 'ready', show: () => <VerdictLine verdict={{ ...verdict, tone: 'good', headline: 'All well · 1,204 executions' }} /> },
    {
      state: 'error',
      show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: 'Broker out of reach since 03:12', detail: 'Old figures.' }} />
    },
    { state: 'partial', show: () => <VerdictLine verdict={{ ...verdict, tone: 'warn', headline: '312 schedules are overdue' }} /> },
    { state: 'huge', show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: LONG, detail: LONG }} /> },
    { state: 'hostile', show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: HOSTILE, detail: HOSTILE }} /> }
  ]
}

const unknownStats = {
  ...stats, active_workers: null, queue_size: null, oldest_pending_ms: null, executions: { ...stats.executions, pending: null,
    running: null }
}

function point(index: number) {
  return <p className="filter"><PointWords point={series.points[index]!} stepMs={series.step_ms} /></p>
}

function chart(kind: 'bars' | 'lines', values: ReadonlyArray<number | null>, name = 'Succeeded') {
  return <TimeChart
    label={name} kind={kind} at={seconds} openFrom={seconds.at(-1)!} series={[{ name, token: 'good',
      values }]} formatValue={String} redrawKey="light"
    group={`gallery ${kind}`} onCursor={nothing}
  />
}

/** Opened, because what it shows is hidden otherwise. */
function table(of: Timeseries) {
  return <div ref={place => place?.querySelector('details')?.setAttribute('open', '')}><SeriesTable series={of} onPick={nothing} /></div>
}
