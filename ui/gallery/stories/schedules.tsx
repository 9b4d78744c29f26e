import type { Schedule } from '../../../schemas/index.ts'
import { AgendaTable } from '../../src/components/schedules/agenda-table.tsx'
import { CallSnippets } from '../../src/components/schedules/call-snippets.tsx'
import { DeleteScheduleDialog } from '../../src/components/schedules/delete-schedule-dialog.tsx'
import { RunNow } from '../../src/components/schedules/run-now.tsx'
import { ScheduleForm } from '../../src/components/schedules/schedule-form.tsx'
import { ScheduleTable } from '../../src/components/schedules/schedule-table.tsx'
import { UpcomingList } from '../../src/components/schedules/upcoming-list.tsx'
import { ScheduleAlerts, ScheduleTags } from '../../src/components/schedules/schedule-alerts.tsx'
import { EnabledCell, LastRun, NextRun, SuccessRate, Timing } from '../../src/components/schedules/schedule-cells.tsx'
import { emptyDraft } from '../../src/format/schedules/schedule-draft.ts'
import {
  disabledSchedule, editedSchedule, hostileSchedule, longSchedule, schedule, schedules, troubledSchedule, unknownSchedule
} from '../samples/schedules.ts'
import { HOSTILE, LONG } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'
import { reason } from './reason.ts'

const BASE = 'https://example.com/tasks/'
const call = { method: 'POST', path: 'api/schedules/cron', body: { cron: '0 8 * * *', task_name: 'reports:daily' } } as const
const draft = { ...emptyDraft, taskName: 'reports:daily', cron: '0 8 * * *', timezone: 'Europe/Berlin' }
const idle = { isBusy: false, executionId: null, refusal: null, doubt: null, href, onConfirm: nothing, onLetBe: nothing, reason: null }

export const scheduleStories: Stories = {
  'schedules/agenda-table': [
    { state: 'ready', words: 'days', show: () => agenda(7, 'reports:daily', 12) },
    { state: 'partial', words: 'hours, the last of which are not known', show: () => agenda(24, 'reports:daily', 12, 20) },
    { state: 'empty', show: () => agenda(7, 'reports:daily', 0, 7, []) },
    { state: 'huge', show: () => agenda(24, LONG, 1_234_567) },
    { state: 'hostile', show: () => agenda(7, HOSTILE, 3) }
  ],
  'schedules/call-snippets': [
    { state: 'ready', show: () => <CallSnippets base={BASE} call={call} /> },
    { state: 'forbidden', words: 'a reason is missing', show: () => <CallSnippets base={BASE} call={call} needsReason /> },
    { state: 'partial', words: 'it cannot be copied yet', show: () => <CallSnippets base={BASE} call={call} notYet="Not yet" /> },
    { state: 'huge', show: () => <CallSnippets base={BASE} call={{ ...call, body: { description: LONG } }} /> },
    { state: 'hostile', show: () => <CallSnippets base={BASE} call={{ ...call, body: { description: HOSTILE } }} /> }
  ],
  'schedules/delete-schedule-dialog': [
    { state: 'ready', show: () => deletion(schedule) },
    { state: 'loading', words: 'it is being deleted', show: () => deletion(schedule, { isBusy: true }) },
    { state: 'error', show: () => deletion(editedSchedule, { refusal: 'The broker cannot be reached' }) },
    { state: 'unknown', words: 'the answer was lost', show: () => deletion(schedule, { refusal: 'No answer', isInDoubt: true }) },
    { state: 'huge', show: () => deletion(longSchedule) },
    { state: 'hostile', show: () => deletion(hostileSchedule, { refusal: HOSTILE }) }
  ],
  'schedules/run-now': [
    { state: 'ready', show: () => <RunNow {...idle} schedule={schedule} /> },
    { state: 'loading', show: () => <RunNow {...idle} schedule={schedule} isBusy /> },
    { state: 'error', show: () => <RunNow {...idle} schedule={schedule} refusal="The broker cannot be reached" /> },
    { state: 'unknown', words: 'the answer was lost', show: () => <RunNow {...idle} schedule={schedule} doubt="No answer" /> },
    { state: 'hostile', show: () => <RunNow {...idle} schedule={hostileSchedule} executionId={HOSTILE} refusal={HOSTILE} /> }
  ],
  'schedules/schedule-alerts': [
    { state: 'ready', show: () => alerts(troubledSchedule) },
    { state: 'empty', show: () => alerts(schedule) },
    { state: 'partial', words: 'edited, and disabled', show: () => <>{alerts(editedSchedule)}{alerts(disabledSchedule)}</> },
    { state: 'unknown', words: 'of an existing queue', show: () => alerts({ ...unknownSchedule, note: 'Its owner has changed it' }) },
    { state: 'huge', show: () => alerts(longSchedule) },
    { state: 'hostile', show: () => alerts(hostileSchedule) }
  ],
  'schedules/schedule-cells': [
    { state: 'ready', show: () => cells(schedule) },
    { state: 'loading', words: 'it is being disabled', show: () => <EnabledCell schedule={schedule} onChange={nothing} isBusy /> },
    { state: 'empty', words: 'disabled', show: () => cells(disabledSchedule) },
    { state: 'error', words: 'overdue', show: () => cells(troubledSchedule) },
    { state: 'unknown', words: 'of an existing queue', show: () => cells(unknownSchedule) },
    { state: 'hostile', show: () => cells(hostileSchedule) }
  ],
  'schedules/schedule-form': [
    { state: 'loading', show: () => <ScheduleForm draft={emptyDraft} taskNames={undefined} problems={{}} onChange={nothing} /> },
    { state: 'ready', show: () => <ScheduleForm draft={draft} taskNames={['reports:daily']} problems={{}} onChange={nothing} /> },
    { state: 'partial', words: 'an edit, of an interval', show: () => form({ timing: 'interval', everySeconds: '90' }) },
    { state: 'empty', words: 'no task', show: () => <ScheduleForm draft={emptyDraft} taskNames={[]} problems={{}} onChange={nothing} /> },
    {
      state: 'error', show: () => <ScheduleForm
        draft={{ ...draft, cron: '61 8 * * *', args: '{' }} taskNames={undefined} tasksMissing="Tasks could not be loaded"
        problems={{ cron: 'The minute is at most 59', args: 'Not a JSON array', priority: 'Not a whole number' }} onChange={nothing}
      />
    },
    { state: 'huge', show: () => form({ cron: LONG, description: LONG, args: LONG }) },
    { state: 'hostile', show: () => form({ cron: HOSTILE, description: HOSTILE, args: HOSTILE, timezone: HOSTILE }) }
  ],
  'schedules/schedule-table': [
    { state: 'ready', show: () => table(schedules) },
    { state: 'empty', show: () => table([]) },
    { state: 'forbidden', words: 'nothing may be changed', show: () => table(schedules, false) },
    { state: 'partial', words: 'brief', show: () => table(schedules, false, true) },
    { state: 'huge', show: () => table([longSchedule]) },
    { state: 'hostile', show: () => table([hostileSchedule]) }
  ],
  'schedules/upcoming-list': [
    { state: 'ready', show: () => <UpcomingList schedules={[schedule, troubledSchedule]} href={href} /> },
    { state: 'empty', show: () => <UpcomingList schedules={[]} href={href} /> },
    { state: 'huge', show: () => <UpcomingList schedules={[longSchedule]} href={href} /> },
    { state: 'hostile', show: () => <UpcomingList schedules={[hostileSchedule]} href={href} /> }
  ]
}

function agenda(columns: number, name: string, most: number, known = columns, keys: readonly string[] = ['a', 'b', 'c']) {
  const numbers = Array.from({ length: columns }, (_, index) => index * most % (most + 1))
  return <AgendaTable
    label="Agenda" rowsAre="Task" columns={numbers.map((_, index) => ({ key: `${index}`, name: `${index}`, title: `Span ${index}` }))}
    rows={keys.map(key => ({
      key, name, note: key, href: '/schedules', total: most, counts: numbers.map((count, index) => (index < known ? count : null))
    }))}
    totals={{ counts: numbers.map(count => count * 3), total: most * 3 }}
  />
}

function deletion(of: Schedule, more: { isBusy?: boolean; refusal?: string; isInDoubt?: boolean } = {}) {
  return <DeleteScheduleDialog
    schedule={of} isBusy={false} refusal={null} isInDoubt={false} reason={reason('')} isReady onDelete={nothing} onClose={nothing} {...more}
  />
}

function alerts(of: Schedule) {
  return <><p><ScheduleTags schedule={of} /><bdi>{of.task_name}</bdi></p><ScheduleAlerts schedule={of} /></>
}

function cells(of: Schedule) {
  return <ul className="list">
    <li><EnabledCell schedule={of} onChange={nothing} isBusy={false} /></li><li><Timing schedule={of} /></li>
    <li><NextRun schedule={of} /></li><li><LastRun schedule={of} /></li><li><SuccessRate schedule={of} /></li>
  </ul>
}

function form(change: Partial<typeof emptyDraft>) {
  return <ScheduleForm draft={{ ...draft, ...change }} taskNames={['reports:daily']} problems={{}} onChange={nothing} isEdit />
}

function table(rows: readonly Schedule[], mayChange = true, isBrief = false) {
  return <ScheduleTable
    schedules={rows} total={rows.length} openId={null} href={href}
    onEnable={mayChange ? nothing : null} onDisable={mayChange ? nothing : null}
    onDelete={mayChange ? nothing : null} busyIds={new Set([troubledSchedule.schedule_id])} isBrief={isBrief}
  />
}
