import type { ComponentProps } from 'react'
import type { BulkVerb } from '../../format/bulk/bulk-state.ts'
import { ReasonField } from '../actions/reason-field.tsx'
import { FormDialog } from '../elements/form-dialog.tsx'
import { bulkTexts } from '../../texts/bulk.ts'

interface Props {
  readonly verb: BulkVerb
  readonly reason: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an operation is changed. */
export function BulkVerbDialog({ verb, reason, isReady, refusal, onConfirm, onClose }: Props) {
  const texts = bulkTexts.verbs[verb]
  return (
    <FormDialog
      title={texts.question} confirmLabel={texts.confirm} isDangerous={verb === 'abort'} isReady={isReady} onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{texts.detail}</p>
      <ReasonField {...reason} />
      <p role="status">{refusal !== null && <span className="tone-bad wrap">{refusal}</span>}</p>
    </FormDialog>
  )
}
