import type { ComponentProps } from 'react'
import { FormDialog } from '../elements/form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'

interface Props {
  readonly question: string
  /** What the action is about. */
  readonly name: string
  readonly confirmLabel: string
  readonly field: ComponentProps<typeof ReasonField>
  readonly isReady: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks only for the reason, for an action that needs no other question. */
export function ReasonDialog({ question, name, confirmLabel, field, isReady, onConfirm, onClose }: Props) {
  return (
    <FormDialog title={question} confirmLabel={confirmLabel} isReady={isReady} onConfirm={onConfirm} onClose={onClose}>
      <p><b className="wrap"><bdi>{name}</bdi></b></p>
      <ReasonField {...field} />
    </FormDialog>
  )
}
