import type { ComponentProps } from 'react'
import type { ReasonField } from './reason-field.tsx'

/** The props of every dialog that asks before an action and shows why it was refused. */
export interface ActionDialogProps {
  readonly reason: ComponentProps<typeof ReasonField>
  readonly canConfirm: boolean
  readonly isBusy: boolean
  readonly refusal: string | null
  readonly onClose: () => void
}
