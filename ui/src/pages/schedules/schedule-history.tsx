import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { executionHeadQuery } from '../../api/executions.ts'
import { missesQuery } from '../../api/schedules.ts'
import { RunHistory } from '../../components/schedules/run-history.tsx'
import { RunStrip } from '../../components/schedules/run-strip.tsx'
import { Failed, SkeletonRows } from '../../components/frame/states.tsx'
import { withParameters } from '../../format/places/address.ts'
import { everyExecution } from '../../format/executions/execution-filter.ts'
import { latest, mergeRuns } from '../../format/schedules/run-history.ts'
import { toStrip } from '../../format/schedules/run-strip.ts'
import { usePolling } from '../../hooks/use-polling.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

const POLLED_EVERY_MS = 4_000
const RUNS_LISTED = 10
const RUNS_IN_STRIP = 20

/** The outcomes of a schedule's runs: the last ones at a glance, then one line each. */
export function ScheduleHistory({ scheduleId }: { scheduleId: string }) {
  const polling = usePolling(POLLED_EVERY_MS)
  const runs = useSettled(useQuery({ ...executionHeadQuery({ ...everyExecution, scheduleId }, RUNS_IN_STRIP), ...polling }))
  const misses = useSettled(useQuery({ ...missesQuery(scheduleId), ...polling }))
  const history = useMemo(
    () => runs.data && mergeRuns(runs.data.items, misses.data?.items ?? [], runs.data.next_cursor !== null), [runs.data, misses.data]
  )
  if (!history)
    return runs.failure
      ? <Failed what={scheduleTexts.theHistory} failure={runs.failure} isBrief />
      : <SkeletonRows count={5} label={scheduleTexts.loadingHistory} />
  const marks = toStrip(history.entries, RUNS_IN_STRIP)
  // Without the missed runs, the strip would look better than it should.
  const hasStrip = misses.data !== undefined && marks.length > 1
  return (
    <>
      {misses.failure && !misses.data && <Failed what={scheduleTexts.missedRuns} failure={misses.failure} isBrief />}
      {hasStrip && <RunStrip marks={marks} />}
      {history.entries.length + history.earlier.length === 0
        ? <p className="muted">{scheduleTexts.hasNotRun}</p>
        : <RunHistory history={latest(history, RUNS_LISTED)} href={id => scheduleExecutionHref(scheduleId, id)} />}
    </>
  )
}

/** The address of an execution in the list of its schedule's executions. */
export function scheduleExecutionHref(scheduleId: string, executionId: string): string {
  return `/executions${withParameters('', { schedule: scheduleId, execution: executionId })}`
}
