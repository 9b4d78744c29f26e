import { useState, type ComponentProps } from 'react'
import type { Queue, QueueLimitsInput } from '../../../../schemas/index.ts'
import { changedLimits, limitsDraftOf, limitsFromDraft, type LimitsDraft } from '../../format/workers/limits-draft.ts'
import { FormDialog } from '../elements/form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props {
  readonly queue: Queue
  readonly field: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  readonly onConfirm: (limits: Pick<QueueLimitsInput, 'concurrency' | 'rate'>) => void
  readonly onClose: () => void
}

/** The limits of a queue over all workers, beside those in the code. */
export function LimitQueueDialog({ queue, field, isReady, onConfirm, onClose }: Props) {
  const [draft, setDraft] = useState(() => limitsDraftOf(queue))
  const limits = limitsFromDraft(draft)
  const changed = limits && changedLimits(limits, queue)
  const input = (label: string, name: keyof LimitsDraft, note: string, isFixed = false) => (
    <label className="field">
      <span>{label}</span>
      <input
        type="text" inputMode="decimal" autoComplete="off" value={draft[name]} readOnly={isFixed}
        onInput={event => setDraft({ ...draft, [name]: event.currentTarget.value })}
      />
      <small className="field-problem muted">{note}</small>
    </label>
  )
  const inCode = queue.rate_limit
  return (
    <FormDialog
      title={actionTexts.limitQuestion} confirmLabel={actionTexts.limitIt} isReady={isReady && changed !== null}
      onConfirm={() => { if (changed !== null) onConfirm(changed) }} onClose={onClose}
    >
      <p><b className="wrap"><bdi>{queue.task_name}</bdi></b></p>
      <p>{actionTexts.limitDetail}</p>
      {input(actionTexts.limitAtOnce, 'concurrency', actionTexts.limitAtOnceNote(queue.concurrency))}
      {input(actionTexts.limitStarts, 'max', actionTexts.limitStartsNote(inCode?.max ?? null))}
      {input(actionTexts.limitSeconds, 'seconds', inCode ? actionTexts.limitSecondsFixed : actionTexts.limitSecondsNote, inCode !== null)}
      <ReasonField {...field} />
      {limits === null && <p className="tone-bad" role="alert">{actionTexts.limitNonsense}</p>}
    </FormDialog>
  )
}
