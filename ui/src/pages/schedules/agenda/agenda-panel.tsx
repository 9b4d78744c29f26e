import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Schedule } from '../../../../../schemas/index.ts'
import { executionHeadQuery } from '../../../api/executions.ts'
import { missesQuery, previewQuery, scheduleQuery } from '../../../api/schedules.ts'
import { Failed, SkeletonRows, Stale } from '../../../components/frame/states.tsx'
import { SidePanel } from '../../../components/frame/side-panel.tsx'
import { PlannedTable } from '../../../components/schedules/planned-table.tsx'
import { everyExecution } from '../../../format/executions/execution-filter.ts'
import { withParameters } from '../../../format/places/address.ts'
import { toPlannedRuns } from '../../../format/schedules/planned-runs.ts'
import { scheduleTitle } from '../../../format/schedules/schedule-title.ts'
import { anchorOf } from '../../../format/schedules/schedule-timing.ts'
import { usePolling } from '../../../hooks/use-polling.ts'
import { useSettled } from '../../../hooks/use-settled.ts'
import { scheduleExecutionHref } from '../schedule-history.tsx'
import { scheduleTexts } from '../../../texts/schedules.ts'

const POLLED_EVERY_MS = 5_000
const RUNS_READ = 50
const RUNS_AHEAD = 5

interface Props {
  readonly scheduleId: string
  /** The past that the agenda shows, milliseconds since the epoch; null if it shows the future, with the last runs before it. */
  readonly past: { readonly from: number; readonly to: number } | null
  readonly onClose: () => void
}

/** One schedule of the agenda: its plan beside what happened. */
export function AgendaPanel({ scheduleId, past, onClose }: Props) {
  const { data, failure, updatedAt, retry } = useSettled(useQuery({ ...scheduleQuery(scheduleId), ...usePolling(POLLED_EVERY_MS) }))
  return (
    <SidePanel
      label={scheduleTexts.one} onClose={onClose} title={data ? <bdi>{scheduleTitle(data)}</bdi> : scheduleTexts.one}
      actions={<Link href={`/schedules${withParameters('', { schedule: scheduleId })}`} className="button button-small">
        {scheduleTexts.openIt}
      </Link>}
    >
      {data
        ? <section className="part">
          <h3>{scheduleTexts.plannedAndActual} <Stale failure={failure} updatedAt={updatedAt} /></h3>
          <Runs schedule={data} past={past} />
        </section>
        : failure
          ? <Failed what={scheduleTexts.theOne} isOne failure={failure} onRetry={retry} />
          : <SkeletonRows count={8} label={scheduleTexts.loadingOne} />}
    </SidePanel>
  )
}

function Runs({ schedule, past }: { schedule: Schedule; past: Props['past'] }) {
  const polling = usePolling(POLLED_EVERY_MS)
  const scheduleId = schedule.schedule_id
  const [from, to] = [past?.from ?? null, past?.to ?? null]
  const filter = useMemo(
    () => ({ ...everyExecution, scheduleId, range: from === null ? null : { kind: 'between' as const, from, to } }), [scheduleId, from, to]
  )
  const runs = useSettled(useQuery({ ...executionHeadQuery(filter, RUNS_READ), ...polling }))
  const misses = useSettled(useQuery({ ...missesQuery(scheduleId), ...polling }))
  const timing = schedule.cron !== null
    ? { cron: schedule.cron, timezone: schedule.timezone }
    : { intervalMs: schedule.interval_ms ?? 0, timezone: schedule.timezone }
  const preview = useQuery({
    ...previewQuery(timing, RUNS_AHEAD, anchorOf(schedule)), enabled: past === null && schedule.enabled
  }).data
  const failure = runs.failure ?? misses.failure
  if (!runs.data || !misses.data)
    return failure
      ? <Failed what={scheduleTexts.theHistory} failure={failure} isBrief />
      : <SkeletonRows count={8} label={scheduleTexts.loadingHistory} />
  const next = past === null && schedule.enabled ? preview?.runs.map(({ at }) => at) ?? [] : []
  const isCut = runs.data.next_cursor !== null
  const within = misses.data.items.filter(miss =>
    past === null || (Date.parse(miss.last_due_at) >= past.from && Date.parse(miss.first_due_at) < past.to))
  const planned = toPlannedRuns(runs.data.items, within, next.filter(at => isBeforeEnd(at, schedule)), isCut)
  if (planned.length === 0) return <p className="muted">{scheduleTexts.noPlannedRuns}</p>
  return (
    <>
      <PlannedTable label={scheduleTexts.plannedAndActual} runs={planned} href={id => scheduleExecutionHref(scheduleId, id)} />
      {schedule.jitter_ms > 0 && next.length > 0 && <p className="muted">{scheduleTexts.aheadWithoutJitter}</p>}
      {isCut && <p className="end muted">{scheduleTexts.lastRunsOnly(RUNS_READ)}</p>}
    </>
  )
}

function isBeforeEnd(at: string, { end_at: end }: Schedule): boolean {
  return end === null || Date.parse(at) <= Date.parse(end)
}
