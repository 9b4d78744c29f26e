import { Type, type Static } from '@sinclair/typebox'
import { Count, DurationMs, Nullable, Ref, StringEnum, TaskNameInput, Timestamp, named } from './common.ts'
import { MINUTE_MS } from './units.ts'

export const TIMESERIES_METRICS = ['executions', 'duration_ms', 'wait_ms'] as const
export type TimeseriesMetric = (typeof TIMESERIES_METRICS)[number]

/** How far back, up to now; `1y` is 365 days. */
export const TIMESERIES_WINDOWS = ['15m', '1h', '6h', '24h', '7d', '30d', '90d', '1y'] as const
export type TimeseriesWindow = (typeof TIMESERIES_WINDOWS)[number]

/** Length of the span that a point covers. Spans are aligned to UTC. */
export const TIMESERIES_STEPS = ['1m', '5m', '15m', '30m', '1h', '3h', '6h', '12h', '1d', '3d', '7d'] as const
export type TimeseriesStep = (typeof TIMESERIES_STEPS)[number]

export const MAX_TIMESERIES_POINTS = 1_500

/** The roll-ups that the points come from. */
export const TIMESERIES_SOURCES = ['minutes', 'hours', 'days'] as const
export type TimeseriesSource = (typeof TIMESERIES_SOURCES)[number]

/** Why a span has no numbers. */
export const TIMESERIES_GAPS = ['before_ledger', 'not_kept'] as const
export type TimeseriesGap = (typeof TIMESERIES_GAPS)[number]

const percentile = Type.Optional(Nullable(DurationMs, {
  description: 'Only for the metrics duration_ms and wait_ms; null if nothing was measured'
}))

export const TimeseriesPoint = named('TimeseriesPoint', Type.Object({
  at: Type.String({ ...Timestamp, description: 'Start of the span' }),
  success: Nullable(Count),
  failed: Nullable(Count),
  throughput_per_minute: Nullable(Type.Number({ minimum: 0 }), {
    description: 'Executions that succeeded or failed per minute. An open span counts only its elapsed part; null during the first minute'
  }),
  p50: percentile,
  p95: percentile,
  p99: percentile,
  open: Type.Boolean({ description: 'The span is not over, so its numbers still grow' }),
  gap: Nullable(StringEnum(TIMESERIES_GAPS), {
    description:
      'Why the numbers are null: `before_ledger`, the result backend did not exist yet; `not_kept`, such short spans are no longer kept'
  })
}, { additionalProperties: false }))
export type TimeseriesPoint = Static<typeof TimeseriesPoint>

export const Timeseries = named('Timeseries', Type.Object({
  metric: StringEnum(TIMESERIES_METRICS),
  from: Timestamp,
  to: Timestamp,
  step_ms: Type.Integer({ minimum: MINUTE_MS }),
  source: StringEnum(TIMESERIES_SOURCES),
  points: Type.Array(Ref(TimeseriesPoint), { maxItems: MAX_TIMESERIES_POINTS, description: 'One per span, oldest first, without gaps' })
}, {
  description: 'What succeeded and failed over time. Cancelled executions are neither, so no point counts them',
  additionalProperties: false
}))
export type Timeseries = Static<typeof Timeseries>

export const TimeseriesQuery = Type.Object({
  metric: Type.Optional(StringEnum(TIMESERIES_METRICS, { default: 'executions' })),
  task_name: Type.Optional(TaskNameInput),
  window: Type.Optional(StringEnum(TIMESERIES_WINDOWS, { default: '24h' })),
  step: Type.Optional(StringEnum(TIMESERIES_STEPS, { description: `Default: fits the window. At most ${MAX_TIMESERIES_POINTS} points` }))
}, { additionalProperties: false })
export type TimeseriesQuery = Static<typeof TimeseriesQuery>
