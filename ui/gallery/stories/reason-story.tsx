import type { ComponentProps } from 'react'
import { CancelQuestion } from '../../src/components/actions/cancel-question.tsx'
import { ReasonDialog } from '../../src/components/actions/reason-dialog.tsx'
import { ReasonField } from '../../src/components/actions/reason-field.tsx'
import { isReasonReady } from '../../src/format/actions/reason.ts'
import { actionTexts } from '../../src/texts/actions.ts'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, type Story } from './story.ts'

/** Why something is done: asked in a dialog, or beside the question. */
export const reasonStories: readonly Story[] = [
  { state: 'empty', words: 'needed: it cannot be confirmed', show: () => dialog('', 'reports:daily') },
  { state: 'ready', show: () => dialog('The import is repaired', 'reports:daily') },
  { state: 'error', words: 'it cannot be printed', show: () => dialog('ends \u202e here', 'reports:daily') },
  { state: 'huge', show: () => dialog(LONG, LONG) },
  { state: 'hostile', show: () => dialog(HOSTILE, HOSTILE) },
  { state: 'partial', words: 'optional, folded', show: () => <ReasonField {...field('')} isRequired={false} isFolded /> },
  { state: 'loading', words: 'to cancel; the button asks', show: () => cancel(null) },
  { state: 'forbidden', words: 'it was refused', show: () => cancel('You may not do this (executions:cancel)') }
]

function dialog(text: string, name: string) {
  return <ReasonDialog
    question={actionTexts.disableQuestion} name={name} field={field(text)} isReady={isReasonReady(text, true)}
    confirmLabel={actionTexts.disableIt} onClose={nothing} onConfirm={nothing}
  />
}

function cancel(refusal: string | null) {
  return <CancelQuestion
    detail={actionTexts.cancelRunning} canAsk isBusy={false} canConfirm reason={field('')}
    refusal={refusal && actionTexts.notCancelled(refusal)} onConfirm={nothing}
  />
}

function field(text: string): ComponentProps<typeof ReasonField> {
  return { text, onChange: nothing, isRequired: true }
}
