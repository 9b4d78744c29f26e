import { FormDialog } from '../elements/form-dialog.tsx'
import type { ActionDialogProps } from './action-dialog-props.ts'
import { ReasonField } from './reason-field.tsx'
import { actionTexts } from '../../texts/actions.ts'

interface Props extends ActionDialogProps {
  readonly taskName: string
  readonly isFailed: boolean
  readonly onConfirm: () => void
}

/** Says what is lost, because it cannot be undone. */
export function DeleteExecutionDialog({ taskName, isFailed, reason, canConfirm, isBusy, refusal, onConfirm, onClose }: Props) {
  return (
    <FormDialog
      title={actionTexts.deleteQuestion} confirmLabel={actionTexts.deleteIt} isDangerous isReady={canConfirm && !isBusy}
      onConfirm={onConfirm} onClose={onClose}
    >
      <p><b className="wrap"><bdi>{taskName}</bdi></b></p>
      <p>{actionTexts.deleteLoses}</p>
      <p>{isFailed ? actionTexts.deleteLosesRetry : actionTexts.deleteKeeps}</p>
      <ReasonField {...reason} />
      {refusal !== null && <p className="tone-bad" role="alert">{refusal}</p>}
    </FormDialog>
  )
}
