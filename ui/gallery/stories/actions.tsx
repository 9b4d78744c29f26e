import type { ComponentProps } from 'react'
import { ArgumentsField } from '../../src/components/actions/arguments-field.tsx'
import { ChangeDialog } from '../../src/components/actions/change-dialog.tsx'
import { DeleteExecutionDialog } from '../../src/components/actions/delete-execution-dialog.tsx'
import { LimitQueueDialog } from '../../src/components/actions/limit-queue-dialog.tsx'
import { PauseQueueDialog } from '../../src/components/actions/pause-queue-dialog.tsx'
import { RunQuestion } from '../../src/components/actions/run-question.tsx'
import { WholeNumber } from '../../src/components/actions/whole-number.tsx'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { limitedQueue, queue } from '../samples/tasks.ts'
import { reasonStories } from './reason-story.tsx'
import { nothing, nowhere, type Stories } from './story.ts'

const reason = { text: '', onChange: nothing, isRequired: false }
const action = { reason, canConfirm: true, isBusy: false, refusal: null, onConfirm: nothing, onClose: nothing }
const change = { ...action, draft: { priority: '5', dueAt: '2026-11-20T09:00' }, hasDueAt: true, onDraft: nothing }
const dialog = { field: reason, isReady: true, onConfirm: nothing, onClose: nothing }
const run: ComponentProps<typeof RunQuestion> = {
  label: 'Run…', question: 'Run it now?', confirmLabel: 'Run it', isBusy: false, executionId: null, refusal: null, doubt: null,
  href: nowhere,
  onConfirm: nothing, onLetBe: nothing, children: <p>It runs at once, out of turn.</p>
}

export const actionStories: Stories = {
  'Reason for an action': reasonStories,
  'Arguments to send': [
    { state: 'ready', show: () => <ArgumentsField text='[{"order": 42}]' onChange={nothing} note={null} /> },
    { state: 'error', show: () => <ArgumentsField text="[{" onChange={nothing} note={null} /> },
    {
      state: 'partial', words: 'parts are redacted',
      show: () => <ArgumentsField text={`["${LONG}"]`} onChange={nothing} note="Redacted parts stay as they are." />
    }
  ],
  'To change an execution': [
    { state: 'ready', show: () => <ChangeDialog {...change} /> },
    { state: 'partial', words: 'of other code', show: () => <ChangeDialog {...change} hasDueAt={false} /> },
    { state: 'loading', show: () => <ChangeDialog {...change} isBusy /> },
    { state: 'error', show: () => <ChangeDialog {...change} refusal={HOSTILE} /> }
  ],
  'To delete an execution': [
    { state: 'ready', show: () => <DeleteExecutionDialog {...action} taskName="billing:charge" isFailed={false} /> },
    { state: 'partial', words: 'it failed', show: () => <DeleteExecutionDialog {...action} taskName="billing:charge" isFailed /> },
    { state: 'hostile', show: () => <DeleteExecutionDialog {...action} taskName={HOSTILE + LONG} isFailed refusal={LONG} /> }
  ],
  'To limit a queue': [
    { state: 'ready', show: () => <LimitQueueDialog {...dialog} queue={queue} /> },
    { state: 'partial', words: 'limits are set', show: () => <LimitQueueDialog {...dialog} queue={limitedQueue} /> }
  ],
  'To pause a queue': [
    { state: 'ready', show: () => <PauseQueueDialog {...dialog} name="email:send" mayEnd /> },
    { state: 'partial', words: 'of other code', show: () => <PauseQueueDialog {...dialog} name="mail" mayEnd={false} /> },
    { state: 'hostile', show: () => <PauseQueueDialog {...dialog} name={HOSTILE + LONG} mayEnd isReady={false} /> }
  ],
  'To run something': [
    { state: 'ready', show: () => <RunQuestion {...run} /> },
    { state: 'loading', show: () => <RunQuestion {...run} isBusy /> },
    { state: 'empty', words: 'it was run', show: () => <RunQuestion {...run} executionId="e-9" isOver /> },
    { state: 'error', show: () => <RunQuestion {...run} refusal="The task is paused" /> },
    { state: 'stale', words: 'no answer came', show: () => <RunQuestion {...run} doubt="Nobody knows whether it happened" /> }
  ],
  'A whole number': [
    { state: 'ready', show: () => <WholeNumber label="Concurrency" note="at most 1,000" value="8" most={1_000} onChange={nothing} /> },
    { state: 'error', show: () => <WholeNumber label="Concurrency" value="8.5" most={1_000} onChange={nothing} /> }
  ]
}
