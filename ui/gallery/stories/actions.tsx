import type { Queue } from '../../../schemas/index.ts'
import { ArgumentsField } from '../../src/components/actions/arguments-field.tsx'
import { CancelQuestion } from '../../src/components/actions/cancel-question.tsx'
import { ChangeDialog } from '../../src/components/actions/change-dialog.tsx'
import { DeleteExecutionDialog } from '../../src/components/actions/delete-execution-dialog.tsx'
import { LimitQueueDialog } from '../../src/components/actions/limit-queue-dialog.tsx'
import { PauseQueueDialog } from '../../src/components/actions/pause-queue-dialog.tsx'
import { ReasonDialog } from '../../src/components/actions/reason-dialog.tsx'
import { ReasonField } from '../../src/components/actions/reason-field.tsx'
import { RunQuestion } from '../../src/components/actions/run-question.tsx'
import { WholeNumber } from '../../src/components/actions/whole-number.tsx'
import { isReasonReady } from '../../src/format/actions/reason.ts'
import { actionTexts } from '../../src/texts/actions.ts'
import { HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { hostileQueue, limitedQueue, longQueue, pausedQueue, queue } from '../samples/workers.ts'
import { href, nothing, type Stories } from '../story.ts'
import { reason } from './reason.ts'

const asked = { reason: reason(''), canConfirm: true, isBusy: false, refusal: null, onConfirm: nothing, onClose: nothing }
const change = { ...asked, draft: { priority: '3', dueAt: '2027-01-01T08:00' }, hasDueAt: true, onDraft: nothing }
const limits = { field: reason(''), isReady: true, onConfirm: nothing, onClose: nothing }
const run = {
  label: 'Run now', question: 'Run it now?', confirmLabel: 'Run it', isBusy: false, executionId: null, refusal: null, doubt: null, href,
  onConfirm: nothing, onLetBe: nothing, children: <p>It is enqueued once.</p>
}

export const actionStories: Stories = {
  'actions/arguments-field': [
    { state: 'ready', show: () => <ArgumentsField text='["daily", 30]' note="Its arguments of before" onChange={nothing} /> },
    { state: 'empty', show: () => <ArgumentsField text="[]" note={null} onChange={nothing} /> },
    { state: 'error', show: () => <ArgumentsField text="{" note={null} onChange={nothing} /> },
    { state: 'huge', show: () => <ArgumentsField text={JSON.stringify([UNBROKEN, LONG], null, 2)} note={LONG} onChange={nothing} /> },
    { state: 'hostile', show: () => <ArgumentsField text={JSON.stringify([HOSTILE])} note={HOSTILE} onChange={nothing} /> }
  ],
  'actions/cancel-question': [
    { state: 'ready', words: 'the button asks', show: () => cancel(null) },
    { state: 'loading', show: () => cancel(null, true) },
    { state: 'forbidden', words: 'it was refused', show: () => cancel('You may not do this (executions:cancel)') },
    { state: 'hostile', show: () => cancel(HOSTILE) }
  ],
  'actions/change-dialog': [
    { state: 'ready', show: () => <ChangeDialog {...change} /> },
    { state: 'partial', words: 'the priority alone', show: () => <ChangeDialog {...change} hasDueAt={false} /> },
    { state: 'loading', show: () => <ChangeDialog {...change} isBusy /> },
    { state: 'error', show: () => <ChangeDialog {...change} draft={{ priority: '-1',
      dueAt: '' }} canConfirm={false} refusal="It has started" /> },
    { state: 'hostile', show: () => <ChangeDialog {...change} draft={{ priority: HOSTILE, dueAt: HOSTILE }} refusal={HOSTILE} /> }
  ],
  'actions/delete-execution-dialog': [
    { state: 'ready', show: () => <DeleteExecutionDialog {...asked} taskName="billing:charge" isFailed={false} /> },
    { state: 'partial', words: 'a failure', show: () => <DeleteExecutionDialog {...asked} taskName="billing:charge" isFailed /> },
    { state: 'loading', show: () => <DeleteExecutionDialog {...asked} taskName="billing:charge" isFailed isBusy /> },
    {
      state: 'error',
      show: () => <DeleteExecutionDialog {...asked} taskName="billing:charge" isFailed refusal="It was retried meanwhile" />
    },
    { state: 'huge', show: () => <DeleteExecutionDialog {...asked} taskName={UNBROKEN} isFailed refusal={LONG} /> },
    { state: 'hostile', show: () => <DeleteExecutionDialog {...asked} taskName={HOSTILE} isFailed refusal={HOSTILE} /> }
  ],
  'actions/limit-queue-dialog': [
    { state: 'ready', show: () => <LimitQueueDialog {...limits} queue={limitedQueue} /> },
    { state: 'empty', words: 'no limit', show: () => <LimitQueueDialog {...limits} queue={queue} /> },
    { state: 'huge', show: () => <LimitQueueDialog {...limits} queue={{ ...longQueue, task_name: UNBROKEN }} /> },
    { state: 'hostile', show: () => <LimitQueueDialog {...limits} queue={hostileQueue} /> }
  ],
  'actions/pause-queue-dialog': [
    { state: 'ready', show: () => pause('reports:daily', true) },
    { state: 'partial', words: 'without an end', show: () => pause('reports:daily', false) },
    { state: 'partial', words: 'paused meanwhile', show: () => pause('email:send', true, pausedQueue.pause) },
    { state: 'huge', show: () => pause(UNBROKEN, true) },
    { state: 'hostile', show: () => pause(HOSTILE, true) }
  ],
  'actions/reason-dialog': [
    { state: 'empty', words: 'needed: it cannot be confirmed', show: () => dialog('', 'reports:daily') },
    { state: 'ready', show: () => dialog('The import is repaired', 'reports:daily') },
    { state: 'error', words: 'it cannot be printed', show: () => dialog('ends \u202e here', 'reports:daily') },
    { state: 'huge', show: () => dialog(LONG, LONG) },
    { state: 'hostile', show: () => dialog(HOSTILE, HOSTILE) }
  ],
  'actions/reason-field': [
    { state: 'empty', show: () => <ReasonField {...reason('')} /> },
    { state: 'ready', words: 'optional', show: () => <ReasonField {...reason('The import is repaired', false)} /> },
    { state: 'partial', words: 'optional, folded', show: () => <ReasonField {...reason('', false)} isFolded /> },
    { state: 'error', words: 'it cannot be printed', show: () => <ReasonField {...reason('ends \u202e here')} /> },
    { state: 'hostile', show: () => <ReasonField {...reason(HOSTILE)} /> }
  ],
  'actions/run-question': [
    { state: 'ready', words: 'the button asks', show: () => <RunQuestion {...run} /> },
    { state: 'loading', show: () => <RunQuestion {...run} isBusy /> },
    { state: 'partial', words: 'it was enqueued', show: () => <RunQuestion {...run} executionId="0199-e1" /> },
    { state: 'empty', words: 'nothing is left to request', show: () => <RunQuestion {...run} isOver executionId="0199-e1" /> },
    { state: 'error', show: () => <RunQuestion {...run} refusal="The broker cannot be reached" /> },
    { state: 'unknown', words: 'the answer was lost', show: () => <RunQuestion {...run} doubt="No answer" /> },
    { state: 'huge', show: () => <RunQuestion {...run} executionId={UNBROKEN} refusal={LONG} /> },
    { state: 'hostile', show: () => <RunQuestion {...run} executionId={HOSTILE} refusal={HOSTILE} /> }
  ],
  'actions/whole-number': [
    { state: 'ready', show: () => <WholeNumber label="Priority" note="0 is first" value="3" most={10} onChange={nothing} /> },
    { state: 'empty', show: () => <WholeNumber label="Priority" value="" most={10} onChange={nothing} /> },
    { state: 'error', show: () => <WholeNumber label="Priority" value="11.5" most={10} onChange={nothing} /> },
    { state: 'hostile', show: () => <WholeNumber label={HOSTILE} note={HOSTILE} value={HOSTILE} most={10} onChange={nothing} /> }
  ]
}

function pause(name: string, mayEnd: boolean, meanwhile: Queue['pause'] = null) {
  return <PauseQueueDialog
    name={name} meanwhile={meanwhile} field={reason('')} isReady mayEnd={mayEnd} onConfirm={nothing} onClose={nothing}
  />
}

function dialog(text: string, name: string) {
  return <ReasonDialog
    question={actionTexts.disableQuestion} name={name} field={reason(text)} isReady={isReasonReady(text, true)}
    confirmLabel={actionTexts.disableIt} onClose={nothing} onConfirm={nothing}
  />
}

function cancel(refusal: string | null, isBusy = false) {
  return <CancelQuestion
    detail={actionTexts.cancelRunning} canAsk isBusy={isBusy} canConfirm reason={reason('')}
    refusal={refusal && actionTexts.notCancelled(refusal)} onConfirm={nothing}
  />
}
