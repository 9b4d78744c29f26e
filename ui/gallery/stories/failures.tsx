import type { ComponentProps, ReactNode } from 'react'
import { DecideDialog } from '../../src/components/failures/decide-dialog.tsx'
import { FailureGroups } from '../../src/components/failures/failure-groups.tsx'
import { FailureTable } from '../../src/components/failures/failure-table.tsx'
import { GroupFacts } from '../../src/components/failures/group-facts.tsx'
import { StateBadge, StateFact } from '../../src/components/failures/group-state.tsx'
import { HoursNote } from '../../src/components/failures/hours-note.tsx'
import { StateFilter } from '../../src/components/failures/state-filter.tsx'
import { execution, hostileExecution } from '../samples/executions.ts'
import { ago, group, HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const resolved = {
  ...group, state: 'resolved' as const, decision: { action: 'resolve' as const, at: ago(600), by: 'ada', note: 'Mended in 4.2',
    automatic: false }
}
const regressed = { ...resolved, state: 'regressed' as const }
const hostileGroup = { ...resolved, type: HOSTILE, message: LONG, frame: HOSTILE, tasks: [{ name: HOSTILE, count: 1 }],
  decision: { ...resolved.decision, by: HOSTILE, note: LONG } }
const question: Omit<ComponentProps<typeof DecideDialog>, 'verb'> = {
  group, reason: { text: '', onChange: nothing, isRequired: false }, canConfirm: true, isBusy: false, refusal: null, onConfirm: nothing,
  onClose: nothing
}

export const failureStories: Stories = {
  'Failure groups': [
    { state: 'ready', show: () => groups([group, { ...group, error_group: 'g2', is_new: true, message: 'no route to host' }]) },
    { state: 'huge', show: () => groups([{ ...group, type: LONG, message: LONG, count: 1e15, frame: LONG }]) },
    { state: 'hostile', show: () => groups([{ ...group, type: HOSTILE, message: HOSTILE, tasks: [{ name: HOSTILE, count: 1 }] }]) }
  ],
  'A failure group': [
    { state: 'ready', show: () => <GroupFacts group={{ ...group, state: 'open', decision: null }} isRising range={null} /> },
    {
      state: 'partial', words: 'resolved',
      show: () => <GroupFacts group={resolved} isRising={false} range={{ kind: 'last', text: '1h', ms: 3_600_000 }} />
    },
    { state: 'error', words: 'seen again', show: () => <GroupFacts group={regressed} isRising range={null} /> },
    { state: 'hostile', show: () => <GroupFacts group={hostileGroup} isRising={false} range={null} /> }
  ],
  'State of a group': [
    { state: 'ready', show: () => <><StateBadge group={resolved} /> <StateFact group={resolved} /></> },
    { state: 'error', show: () => <><StateBadge group={regressed} /> <StateFact group={regressed} /></> },
    { state: 'hostile', show: () => <StateFact group={hostileGroup} /> }
  ],
  'Groups by state': [{ state: 'ready', show: () => <><StateFilter current="open" href={nowhere} /><HoursNote range={{ kind: 'last',
    text: '15m', ms: 900_000 }} /></> }],
  'Recent failures': [
    {
      state: 'ready', show: () => <FailureTable
        executions={[{ ...execution, retry: { execution_id: 'e-9', status: 'pending' } }, execution]} href={nowhere}
      />
    },
    { state: 'hostile', show: () => <FailureTable executions={[hostileExecution]} href={nowhere} /> }
  ],
  'To resolve a group': [
    { state: 'ready', show: () => <DecideDialog {...question} verb="resolve" /> },
    { state: 'partial', words: 'to open it again', show: () => <DecideDialog {...question} group={resolved} verb="reopen" /> },
    { state: 'error', words: 'it was refused', show: () => <DecideDialog {...question} verb="resolve" refusal="You may not do this" /> },
    { state: 'hostile', show: () => <DecideDialog {...question} group={hostileGroup} verb="resolve" change={LONG} /> }
  ]
}

function groups(items: ReadonlyArray<typeof group>): ReactNode {
  return <FailureGroups groups={items} isRising={each => each.error_group === 'g1'} href={each => `/failures?group=${each.error_group}`} />
}
