import { useState, type ComponentProps } from 'react'
import type { Queue } from '../../../../schemas/index.ts'
import { currentTime } from '../../format/time/clock.ts'
import { instantOfInput } from '../../format/time/time.ts'
import { FormDialog } from '../elements/form-dialog.tsx'
import { QueuePause } from '../workers/queue-pause.tsx'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  /** The name of its task. */
  readonly name: string
  /** The pause that someone else has made since the question was asked. */
  readonly meanwhile: Queue['pause']
  readonly field: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  /** Whether the pause may have an end. */
  readonly mayEnd: boolean
  /** With the end of the pause, RFC 3339; null for none. */
  readonly onConfirm: (until: string | null) => void
  readonly onClose: () => void
}

/** Asks why a queue is paused, and until when. */
export function PauseQueueDialog({ name, meanwhile, field, isReady, mayEnd, onConfirm, onClose }: Props) {
  const [text, setText] = useState('')
  const until = text === '' ? null : instantOfInput(text)
  const isPast = text !== '' && (until === null || Date.parse(until) <= currentTime())
  return (
    <FormDialog
      title={actionTexts.pauseQuestion} confirmLabel={actionTexts.pauseIt} isReady={isReady && !isPast} onConfirm={() => onConfirm(until)}
      onClose={onClose}
    >
      <p><b className="wrap"><bdi>{name}</bdi></b></p>
      <p>{actionTexts.pauseDetail}</p>
      <div role="status">
        {meanwhile && <p className="alert"><QueuePause pause={meanwhile} /><br />{actionTexts.pauseReplaced}</p>}
      </div>
      <ReasonField {...field} />
      {mayEnd && <label className="field field-wide">
        <span>{actionTexts.pauseUntil}</span>
        <input type="datetime-local" value={text} aria-invalid={isPast} onInput={event => setText(event.currentTarget.value)} />
        {isPast && <small className="field-problem tone-bad" role="alert">{actionTexts.pausePast}</small>}
      </label>}
    </FormDialog>
  )
}
