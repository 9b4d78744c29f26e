import type { FailureGroup } from '../../../schemas/index.ts'
import { DecideDialog } from '../../src/components/failures/decide-dialog.tsx'
import { FailureGroups } from '../../src/components/failures/failure-groups.tsx'
import { FailureTable } from '../../src/components/failures/failure-table.tsx'
import { GroupFacts } from '../../src/components/failures/group-facts.tsx'
import { StateBadge, StateFact } from '../../src/components/failures/group-state.tsx'
import { HoursNote } from '../../src/components/failures/hours-note.tsx'
import { StateFilter } from '../../src/components/failures/state-filter.tsx'
import { decision, group } from '../samples/answers.ts'
import { failedExecution, hostileExecution, longExecution, retriedExecution } from '../samples/executions.ts'
import { ago, HOSTILE, LONG } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'
import { reason } from './reason.ts'

const resolved: FailureGroup = { ...group, error_group: 'g2', state: 'resolved', decision }
const regressed: FailureGroup = { ...group, error_group: 'g3', state: 'regressed', decision: { ...decision, by: null, automatic: true,
  note: null } }
const longGroup: FailureGroup = {
  ...resolved, type: LONG, message: LONG, count: 1e15, frame: LONG, tasks: [{ name: LONG, count: 1e15 }], decision: { ...decision,
    by: LONG, note: LONG }
}
const hostileGroup: FailureGroup = {
  ...resolved, type: HOSTILE, message: HOSTILE, frame: HOSTILE, tasks: [{ name: HOSTILE, count: 1 }],
  decision: { ...decision, by: HOSTILE, note: HOSTILE }
}
const unknownGroup: FailureGroup = { ...group, frame: null, tasks: [], trend: [], decidable: false }
const hour = { kind: 'last', text: '90m', ms: 5_400_000 } as const
const asked = { canConfirm: true, isBusy: false, refusal: null, onConfirm: nothing, onClose: nothing }

export const failureStories: Stories = {
  'failures/decide-dialog': [
    { state: 'ready', show: () => <DecideDialog {...asked} group={group} verb="resolve" reason={reason('', false)} /> },
    {
      state: 'ready', words: 'to open it again',
      show: () => <DecideDialog {...asked} group={resolved} verb="reopen" reason={reason('', false)} />
    },
    { state: 'loading', show: () => <DecideDialog {...asked} group={group} verb="resolve" reason={reason('')} isBusy /> },
    {
      state: 'partial', words: 'decided meanwhile',
      show: () => <DecideDialog {...asked} group={group} verb="resolve" reason={reason('', false)} meanwhile={resolved} />
    },
    {
      state: 'stale', words: 'it has changed since', show: () => <DecideDialog
        {...asked} group={group} verb="resolve" reason={reason('')} change="It has failed again since"
      />
    },
    {
      state: 'error',
      show: () => <DecideDialog {...asked} group={group} verb="resolve" reason={reason('')} refusal="The broker cannot be reached" />
    },
    { state: 'huge', show: () => <DecideDialog {...asked} group={longGroup} verb="resolve" reason={reason(LONG)} refusal={LONG} /> },
    {
      state: 'hostile',
      show: () => <DecideDialog {...asked} group={hostileGroup} verb="reopen" reason={reason(HOSTILE)} refusal={HOSTILE} />
    }
  ],
  'failures/failure-groups': [
    { state: 'ready', show: () => groups([group, { ...resolved, is_new: true, message: 'no route to host' }, regressed]) },
    { state: 'empty', show: () => groups([]) },
    { state: 'unknown', words: 'of an existing queue', show: () => groups([unknownGroup]) },
    { state: 'huge', show: () => groups([longGroup]) },
    { state: 'hostile', show: () => groups([hostileGroup]) }
  ],
  'failures/failure-table': [
    { state: 'ready', show: () => <FailureTable executions={[failedExecution, retriedExecution]} href={href} /> },
    { state: 'empty', show: () => <FailureTable executions={[]} href={href} /> },
    { state: 'huge', show: () => <FailureTable executions={[longExecution]} href={href} /> },
    { state: 'hostile', show: () => <FailureTable executions={[hostileExecution]} href={href} /> }
  ],
  'failures/group-facts': [
    { state: 'ready', show: () => <GroupFacts group={group} isRising range={null} /> },
    { state: 'partial', words: 'resolved, in a range', show: () => <GroupFacts group={resolved} isRising={false} range={hour} /> },
    { state: 'unknown', words: 'of an existing queue', show: () => <GroupFacts group={unknownGroup} isRising={false} range={null} /> },
    { state: 'huge', show: () => <GroupFacts group={longGroup} isRising range={null} /> },
    { state: 'hostile', show: () => <GroupFacts group={hostileGroup} isRising range={null} /> }
  ],
  'failures/group-state': [
    { state: 'empty', words: 'open', show: () => state(group) },
    { state: 'ready', words: 'resolved', show: () => state(resolved) },
    { state: 'error', words: 'it came back', show: () => state(regressed) },
    { state: 'stale', words: 'opened again', show: () => state({ ...group, decision: { ...decision, action: 'reopen', at: ago(90) } }) },
    { state: 'huge', show: () => state(longGroup) },
    { state: 'hostile', show: () => state(hostileGroup) }
  ],
  'failures/hours-note': [
    { state: 'ready', words: 'whole hours are counted', show: () => <HoursNote range={hour} /> },
    { state: 'empty', words: 'all time: nothing', show: () => <HoursNote range={null} /> }
  ],
  'failures/state-filter': [{ state: 'ready', show: () => <StateFilter current="open" href={href} /> }]
}

function groups(items: readonly FailureGroup[]) {
  return <FailureGroups groups={items} isRising={each => each.error_group === 'g1'} href={href} />
}

function state(of: FailureGroup) {
  return <><p><StateBadge group={of} /></p><dl className="facts"><StateFact group={of} /></dl></>
}
