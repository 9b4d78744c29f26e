import { PlannedTable } from '../../src/components/schedules/planned-table.tsx'
import { RunHistory } from '../../src/components/schedules/run-history.tsx'
import { RunStrip } from '../../src/components/schedules/run-strip.tsx'
import { ScheduleDrift } from '../../src/components/schedules/schedule-drift.tsx'
import { ScheduleDetails, ScheduleRuns } from '../../src/components/schedules/schedule-facts.tsx'
import type { Execution, Schedule, ScheduleMiss } from '../../../schemas/index.ts'
import type { PlannedRun } from '../../src/format/schedules/planned-runs.ts'
import type { RunEntry } from '../../src/format/schedules/run-history.ts'
import type { StripMark } from '../../src/format/schedules/run-strip.ts'
import { execution, failedExecution, hostileExecution, longExecution, pendingExecution } from '../samples/executions.ts'
import {
  disabledSchedule, editedSchedule, hostileSchedule, late, longSchedule, miss, schedule, troubledSchedule, unknownSchedule
} from '../samples/schedules.ts'
import { HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { href, type Stories } from '../story.ts'

const STRIP: readonly StripMark[] = ['success', 'late', 'running', 'pending', 'failed', 'cancelled', 'missed']
const REASONS: ReadonlyArray<ScheduleMiss['reason']> = ['unknown', 'overlap', 'no_worker', 'process_down', 'broker_away', 'busy']
const now = Date.now()

export const schedulePanelStories: Stories = {
  'schedules/planned-table': [
    {
      state: 'ready', show: () => planned([
        run('upcoming'), run('missed', null, miss), run('success', execution), run('failed', failedExecution, late),
        run('pending', pendingExecution)
      ])
    },
    { state: 'empty', show: () => planned([]) },
    { state: 'unknown', words: 'when it started', show: () => planned([{ ...run('success', execution), startedAt: null, driftMs: null }]) },
    { state: 'huge', show: () => planned([{ ...run('failed', longExecution, late), driftMs: 31_536_000_000 }]) },
    { state: 'hostile', show: () => planned([run('failed', hostileExecution)]) }
  ],
  'schedules/run-history': [
    { state: 'ready', show: () => history([...REASONS.map(missed), entry(execution), entry(failedExecution), { kind: 'late', at: 1,
      miss: late }]) },
    { state: 'empty', show: () => history([]) },
    { state: 'partial', words: 'earlier ones are folded', show: () => history([entry(execution)], [entry(failedExecution)]) },
    { state: 'huge', show: () => history([entry(longExecution)]) },
    { state: 'hostile', show: () => history([entry(hostileExecution)]) }
  ],
  'schedules/run-strip': [
    { state: 'ready', show: () => <RunStrip marks={STRIP} /> },
    { state: 'empty', show: () => <RunStrip marks={[]} /> },
    { state: 'huge', show: () => <RunStrip marks={Array.from({ length: 30 }, (_, index) => STRIP[index % STRIP.length]!)} /> }
  ],
  'schedules/schedule-drift': [
    { state: 'ready', show: () => drift(editedSchedule) },
    { state: 'partial', words: 'the code wins', show: () => drift({ ...editedSchedule, wins: 'code' }) },
    { state: 'forbidden', words: 'nothing may be changed', show: () => drift(editedSchedule, null) },
    { state: 'huge', show: () => drift(differing(UNBROKEN)) },
    { state: 'hostile', show: () => drift(differing(HOSTILE)) }
  ],
  'schedules/schedule-facts': [
    { state: 'ready', show: () => facts(schedule) },
    { state: 'empty', words: 'disabled', show: () => facts(disabledSchedule) },
    { state: 'error', words: 'it misses runs', show: () => facts(troubledSchedule) },
    { state: 'unknown', words: 'of an existing queue', show: () => facts(unknownSchedule, null) },
    { state: 'huge', show: () => facts({ ...longSchedule, timezone: LONG }) },
    { state: 'hostile', show: () => facts(hostileSchedule) }
  ]
}

function run(outcome: PlannedRun['outcome'], of: Execution | null = null, missed: ScheduleMiss | null = null): PlannedRun {
  return {
    plannedAt: now - 9_000, lastPlannedAt: outcome === 'missed' ? now : now - 9_000, count: outcome === 'missed' ? 3 : 1, outcome,
    execution: of, miss: missed, startedAt: of?.started_at ? Date.parse(of.started_at) : null, driftMs: of?.started_at ? 1_900 : null
  }
}

function planned(runs: readonly PlannedRun[]) {
  return <PlannedTable label="Runs" runs={runs} href={href} />
}

function entry(of: Execution): RunEntry {
  return { kind: 'run', at: now, execution: of, late: of.status === 'failed' ? late : null }
}

function missed(reason: ScheduleMiss['reason'], index: number): RunEntry {
  return { kind: 'missed', at: now - index, miss: { ...miss, reason, recorded_at: new Date(now - index).toISOString() } }
}

function history(entries: RunEntry[], earlier: RunEntry[] = []) {
  return <RunHistory history={{ entries, earlier }} href={href} />
}

function differing(text: string): Schedule {
  return { ...editedSchedule, drift: { fields: [{ field: 'description', code: text, live: text, by: text, since: null }] } }
}

function drift(of: Schedule, base: string | null = 'https://example.com/tasks/') {
  return <ScheduleDrift schedule={of} drift={of.drift!} base={base} needsReason={false} />
}

function facts(of: Schedule, auditHref: string | null = '/audit') {
  return <><ScheduleRuns schedule={of} /><ScheduleDetails schedule={of} auditHref={auditHref} /></>
}
