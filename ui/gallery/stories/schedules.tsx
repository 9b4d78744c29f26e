import type { ComponentProps } from 'react'
import { AgendaTable } from '../../src/components/schedules/agenda-table.tsx'
import { CallSnippets } from '../../src/components/schedules/call-snippets.tsx'
import { DeleteScheduleDialog } from '../../src/components/schedules/delete-schedule-dialog.tsx'
import { PlannedTable } from '../../src/components/schedules/planned-table.tsx'
import { RunHistory } from '../../src/components/schedules/run-history.tsx'
import { RunNow } from '../../src/components/schedules/run-now.tsx'
import { RunStrip } from '../../src/components/schedules/run-strip.tsx'
import { ScheduleAlerts, ScheduleTags } from '../../src/components/schedules/schedule-alerts.tsx'
import { EnabledCell, LastRun, NextRun, SuccessRate, Timing } from '../../src/components/schedules/schedule-cells.tsx'
import { ScheduleDrift } from '../../src/components/schedules/schedule-drift.tsx'
import { ScheduleDetails, ScheduleRuns } from '../../src/components/schedules/schedule-facts.tsx'
import { ScheduleForm } from '../../src/components/schedules/schedule-form.tsx'
import { ScheduleTable } from '../../src/components/schedules/schedule-table.tsx'
import { UpcomingList } from '../../src/components/schedules/upcoming-list.tsx'
import { emptyDraft } from '../../src/format/schedules/schedule-draft.ts'
import { executions } from '../samples/executions.ts'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { hostileSchedule, late, miss, schedule, schedules } from '../samples/schedules.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const HOUR_MS = 3_600_000
const NO_IDS: ReadonlySet<string> = new Set()
const table = { openId: null, href: nowhere, onEnable: nothing, onDisable: nothing, onDelete: nothing, busyIds: NO_IDS }
const reason = { text: '', onChange: nothing, isRequired: false }
const deletion: Omit<ComponentProps<typeof DeleteScheduleDialog>, 'schedule'> = {
  isBusy: false, refusal: null, isInDoubt: false, reason, isReady: true, onDelete: nothing, onClose: nothing
}
const run = {
  isBusy: false, executionId: null, refusal: null, doubt: null, href: nowhere, onConfirm: nothing, onLetBe: nothing, canConfirm: true,
  reason: null
}
const columns = Array.from({ length: 24 }, (_, hour) => ({ key: String(hour), name: String(hour).padStart(2, '0'), title: `${hour}:00` }))
const counts = columns.map((_, hour) => (hour % 5 === 0 ? 12 : 0))
const row = { key: 's-1', name: 'Daily report', note: 'email:send', href: '#', counts, total: 60 }
const now = Date.now()
const planned = { plannedAt: now + HOUR_MS, lastPlannedAt: now + HOUR_MS, count: 1, startedAt: null, driftMs: null, execution: null,
  miss: null }
const drift = schedules[2]!.drift!

export const scheduleStories: Stories = {
  'List of schedules': [
    { state: 'ready', show: () => <ScheduleTable {...table} schedules={schedules} total={schedules.length} /> },
    {
      state: 'forbidden', words: 'nothing can be changed',
      show: () => <ScheduleTable {...table} schedules={schedules} total={4} onEnable={null} onDisable={null} onDelete={null} />
    },
    {
      state: 'loading', words: 'one is being changed',
      show: () => <ScheduleTable {...table} schedules={schedules} total={4} busyIds={new Set(['s-1'])} />
    },
    { state: 'hostile', show: () => <ScheduleTable {...table} schedules={[hostileSchedule]} total={null} /> }
  ],
  'Cells of a schedule': schedules.map((each, index) => ({
    state: (['ready', 'empty', 'error', 'partial'] as const)[index]!,
    show: () => <p className="filter">
      <EnabledCell schedule={each} onChange={index === 3 ? null : nothing} isBusy={false} /> <Timing schedule={each} />
      {' '}<NextRun schedule={each} />
      {' '}<LastRun schedule={each} /> <SuccessRate schedule={each} /> <ScheduleTags schedule={each} />
    </p>
  })),
  'Warnings of a schedule': [
    { state: 'error', show: () => <ScheduleAlerts schedule={schedules[2]!} /> },
    { state: 'partial', show: () => <ScheduleAlerts schedule={schedules[3]!} /> },
    { state: 'hostile', show: () => <ScheduleAlerts schedule={hostileSchedule} /> }
  ],
  'Facts of a schedule': [
    { state: 'ready', show: () => <><ScheduleRuns schedule={schedule} /><ScheduleDetails schedule={schedule} auditHref="/audit" /></> },
    { state: 'partial', words: 'counts are not known', show: () => <ScheduleRuns schedule={schedules[3]!} /> },
    { state: 'hostile', show: () => <ScheduleDetails schedule={hostileSchedule} auditHref={null} /> }
  ],
  'Drift against the code': [
    {
      state: 'ready',
      show: () => <ScheduleDrift schedule={schedules[2]!} drift={drift} base="https://example.com/tasks/" needsReason={false} />
    },
    { state: 'forbidden', show: () => <ScheduleDrift schedule={schedules[2]!} drift={drift} base={null} needsReason={false} /> },
    { state: 'hostile', show: () => <ScheduleDrift schedule={hostileSchedule} drift={hostileSchedule.drift!} base={null} needsReason /> }
  ],
  'Last runs as marks': [
    { state: 'ready', show: () => <RunStrip marks={['success', 'failed', 'cancelled', 'running', 'pending', 'missed', 'late']} /> },
    { state: 'empty', show: () => <RunStrip marks={[]} /> }
  ],
  'Runs of a schedule': [
    {
      state: 'ready', show: () => <RunHistory href={nowhere} history={{
        earlier: false, entries: [
          { kind: 'run', at: now, execution: executions[4]!, late }, { kind: 'missed', at: now - HOUR_MS, miss }, { kind: 'late',
            at: now - 2 * HOUR_MS, miss: late }
        ]
      } as unknown as ComponentProps<typeof RunHistory>['history']} />
    }
  ],
  'Planned and actual': [
    {
      state: 'ready', show: () => <PlannedTable label="Planned and actual" href={nowhere} runs={[
        { ...planned, outcome: 'upcoming' },
        { ...planned, plannedAt: now - HOUR_MS, outcome: 'success', startedAt: now - HOUR_MS + 95_000, driftMs: 95_000,
          execution: executions[4]!, miss: late },
        { ...planned, plannedAt: now - 3 * HOUR_MS, lastPlannedAt: now - 2 * HOUR_MS, count: 3, outcome: 'missed', miss }
      ]} />
    },
    { state: 'empty', show: () => <PlannedTable label="Planned and actual" href={nowhere} runs={[]} /> }
  ],
  Agenda: [
    {
      state: 'ready',
      show: () => <AgendaTable label="Agenda" rowsAre="Schedule" columns={columns} rows={[row]} totals={{ counts, total: 60 }} />
    },
    {
      state: 'partial', words: 'the end is not known', show: () => <AgendaTable
        label="Agenda" rowsAre="Schedule" columns={columns} totals={null}
        rows={[{ ...row, counts: counts.map((count, hour) => (hour > 12 ? null : count)) }]}
      />
    },
    {
      state: 'hostile', show: () => <AgendaTable
        label="Agenda" rowsAre="Schedule" columns={columns} totals={null} rows={[{ ...row, name: HOSTILE, note: LONG }]}
      />
    }
  ],
  'Upcoming schedules': [
    { state: 'ready', show: () => <UpcomingList schedules={[schedule, schedules[2]!]} href={nowhere} /> },
    { state: 'hostile', show: () => <UpcomingList schedules={[hostileSchedule]} href={nowhere} /> }
  ],
  'To compose a schedule': [
    { state: 'ready', show: () => <ScheduleForm draft={emptyDraft} taskNames={['email:send']} problems={{}} onChange={nothing} /> },
    { state: 'loading', show: () => <ScheduleForm draft={emptyDraft} taskNames={undefined} problems={{}} onChange={nothing} /> },
    {
      state: 'partial', words: 'an existing one, at an interval',
      show: () => <ScheduleForm draft={{ ...emptyDraft, timing: 'interval' }} taskNames={[]} problems={{}} onChange={nothing} isEdit />
    },
    {
      state: 'error', show: () => <ScheduleForm
        draft={{ ...emptyDraft, cron: '61 * * * *', args: '{' }} taskNames={[]} tasksMissing="Tasks could not be loaded"
        problems={{ cron: '61 is not a minute', args: 'Not JSON' }} onChange={nothing}
      />
    }
  ],
  'The call that does it': [
    {
      state: 'ready', show: () => <CallSnippets
        base="https://example.com/tasks/" call={{ method: 'POST', path: 'api/schedules/cron', body: { cron: '0 9 * * *' } }}
      />
    },
    {
      state: 'empty', words: 'a reason is missing',
      show: () => <CallSnippets base="https://example.com/tasks/" call={{ method: 'POST', path: 'api/schedules/cron' }} needsReason />
    },
    {
      state: 'hostile', show: () => <CallSnippets
        base="https://example.com/tasks/" call={{ method: 'PATCH', path: 'api/schedules/1', body: { description: HOSTILE } }}
      />
    }
  ],
  'To run a schedule': [
    { state: 'ready', show: () => <RunNow {...run} schedule={schedule} /> },
    { state: 'empty', words: 'it was run', show: () => <RunNow {...run} schedule={schedule} executionId="e-9" /> },
    { state: 'error', show: () => <RunNow {...run} schedule={schedule} refusal={HOSTILE} /> }
  ],
  'To delete a schedule': [
    { state: 'ready', show: () => <DeleteScheduleDialog {...deletion} schedule={schedule} /> },
    { state: 'error', show: () => <DeleteScheduleDialog {...deletion} schedule={schedule} refusal="You may not do this" /> },
    {
      state: 'stale', words: 'no answer came',
      show: () => <DeleteScheduleDialog {...deletion} schedule={schedule} refusal="No answer" isInDoubt />
    },
    { state: 'hostile', show: () => <DeleteScheduleDialog {...deletion} schedule={hostileSchedule} /> }
  ]
}
