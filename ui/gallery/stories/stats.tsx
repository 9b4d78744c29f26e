import { ChangeNote } from '../../src/components/stats/change-note.tsx'
import { Figure, Figures } from '../../src/components/stats/figure.tsx'
import { RangePicker } from '../../src/components/stats/range-picker.tsx'
import { RangeProblem } from '../../src/components/stats/range-problem.tsx'
import { SeriesCharts } from '../../src/components/stats/series-charts.tsx'
import { SeriesTable } from '../../src/components/stats/series-table.tsx'
import { Key, PointWords } from '../../src/components/stats/series-words.tsx'
import { Sparkline } from '../../src/components/stats/sparkline.tsx'
import { StatsFigures } from '../../src/components/stats/stats-figures.tsx'
import { TrendBars } from '../../src/components/stats/trend-bars.tsx'
import { VerdictLine } from '../../src/components/stats/verdict-line.tsx'
import type { Period } from '../../src/format/stats/period.ts'
import { HOSTILE, hugeStats, LONG, noStats, stats } from '../samples/frame.ts'
import { gappySeries, series } from '../samples/tasks.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const verdict = { clauses: [], detail: null }
const period: Period = {
  now: { success: 1_158, failed: 46, ms: 3_600_000, isWhole: true }, before: { success: 1_020, failed: 10, ms: 3_600_000, isWhole: true },
  finished: [12, 20, 18, null, 24, 30], rates: [0, 1, null, 2, 8, 4]
}
const noPeriod: Period = { now: null, before: null, finished: [], rates: [] }
const figures = { period, periodMissing: null, than: 'the 1 h before', executionsHref: () => '/executions' }
const lastHour = { kind: 'last', text: '1h', ms: 3_600_000 } as const
const noPoints = { ...series, points: [] }

export const statsStories: Stories = {
  Verdict: [
    { state: 'loading', show: () => <VerdictLine verdict={{ ...verdict, tone: 'unknown', headline: 'Not known yet' }} /> },
    { state: 'ready', show: () => <VerdictLine verdict={{ ...verdict, tone: 'good', headline: 'All well · 1,204 executions' }} /> },
    {
      state: 'error',
      show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: 'Broker out of reach since 03:12', detail: 'Old figures.' }} />
    },
    { state: 'partial', show: () => <VerdictLine verdict={{ ...verdict, tone: 'warn', headline: '312 schedules are overdue' }} /> },
    { state: 'hostile', show: () => <VerdictLine verdict={{ ...verdict, tone: 'bad', headline: HOSTILE, detail: LONG }} /> }
  ],
  Figures: [
    { state: 'loading', show: () => <StatsFigures {...figures} stats={null} period={null} isStale={false} /> },
    { state: 'ready', show: () => <StatsFigures {...figures} stats={stats} isStale={false} /> },
    { state: 'empty', show: () => <StatsFigures {...figures} stats={noStats} period={noPeriod} isStale={false} /> },
    { state: 'stale', show: () => <StatsFigures {...figures} stats={stats} isStale /> },
    { state: 'error', show: () => <StatsFigures {...figures} stats={stats} period={null} periodMissing="No answer" isStale={false} /> },
    { state: 'huge', show: () => <StatsFigures {...figures} stats={hugeStats} isStale={false} /> }
  ],
  'A figure': [
    { state: 'ready', show: () => <Figures label="Figures"><Figure label="Failure rate" note="46 failed">3.8 %</Figure></Figures> },
    { state: 'huge', show: () => <Figures label="Figures"><Figure label={LONG} note={LONG}>9,007,199,254,740,991</Figure></Figures> }
  ],
  'A change': [
    { state: 'ready', show: () => <ChangeNote change={{ direction: 'up', text: '12 %' }} than="the 1 h before" /> },
    {
      state: 'error', words: 'the rise is bad',
      show: () => <ChangeNote change={{ direction: 'up', text: '12 %' }} than="the 1 h before" isRiseBad />
    },
    { state: 'partial', words: 'no change', show: () => <ChangeNote change={{ direction: 'same', text: '' }} than="the 1 h before" /> },
    { state: 'empty', words: 'not known', show: () => <ChangeNote change={null} than="the 1 h before" /> }
  ],
  'Time range': [
    { state: 'ready', show: () => <RangePicker range={lastHour} href={nowhere} onPick={nothing} /> },
    { state: 'empty', words: 'all time', show: () => <RangePicker range={null} hasAllTime href={nowhere} onPick={nothing} /> },
    {
      state: 'partial', words: 'brushed on a chart',
      show: () => <RangePicker range={{ kind: 'between', from: 0, to: null }} href={nowhere} onPick={nothing} />
    },
    { state: 'error', show: () => <RangeProblem problem={`“${HOSTILE}” is not a time range`} /> }
  ],
  Charts: [
    { state: 'ready', show: () => <SeriesCharts series={series} words="last hour" onBrush={nothing} /> },
    {
      state: 'partial', words: 'counting began later', show: () => <SeriesCharts series={gappySeries} words="last hour" onBrush={nothing} />
    },
    {
      state: 'error', words: 'failures alone',
      show: () => <SeriesCharts series={series} words="last hour" isFailuresOnly onBrush={nothing} />
    },
    { state: 'empty', show: () => <SeriesCharts series={noPoints} words="last hour" onBrush={nothing} /> }
  ],
  'A chart as a table': [
    { state: 'ready', show: () => <SeriesTable series={series} onPick={nothing} /> },
    { state: 'partial', show: () => <SeriesTable series={gappySeries} onPick={nothing} /> }
  ],
  'A point of a chart': [
    { state: 'ready', show: () => <><Key token="--bad" name="failed" /><PointWords point={series.points[3]!} stepMs={60_000} /></> },
    { state: 'partial', words: 'not counted', show: () => <PointWords point={gappySeries.points[3]!} stepMs={60_000} /> }
  ],
  Sparkline: [
    { state: 'ready', show: () => <Sparkline values={[12, 20, 18, null, 24, 30]} /> },
    { state: 'error', show: () => <Sparkline values={[0, 1, 0, 2, 8, 40]} isBad /> },
    { state: 'empty', show: () => <Sparkline values={[]} /> }
  ],
  'Trend of a day': [
    { state: 'ready', show: () => <TrendBars counts={Array.from({ length: 24 }, (_, hour) => hour)} label="Last 24 hours" /> },
    { state: 'empty', show: () => <TrendBars counts={Array.from({ length: 24 }, () => 0)} label="Last 24 hours" /> }
  ]
}
