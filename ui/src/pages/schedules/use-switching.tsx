import { useCallback, useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { ReasonDialog } from '../../components/actions/reason-dialog.tsx'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { type Allowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { useEnabling } from './use-enabling.ts'
import { actionTexts } from '../../texts/actions.ts'
import { type ChangeEnabled } from '../../components/schedules/schedule-cells.tsx'

interface Switching {
  readonly schedule: Schedule
  readonly isEnabled: boolean
}

/** Enables and disables schedules. Asks first only if a reason is required. */
export function useSwitching(actions: Allowed) {
  const { busyIds, change } = useEnabling()
  const [asked, setAsked] = useState<Switching | null>(null)
  const ask = useCallback((schedule: Schedule, isEnabled: boolean) => setAsked({ schedule, isEnabled }), [])
  /** Null if it is not allowed. */
  const changeBy = (action: string): ChangeEnabled => (!actions.may(action) ? null : actions.needsReason(action) ? ask : change)
  return {
    busyIds, onEnable: changeBy('schedules:enable'), onDisable: changeBy('schedules:disable'),
    question: asked && <SwitchQuestion {...asked} onClose={() => setAsked(null)} onConfirm={reason => {
      setAsked(null)
      change(asked.schedule, asked.isEnabled, reason)
    }} />
  }
}

interface SwitchQuestionProps extends Switching {
  readonly onClose: () => void
  readonly onConfirm: (reason: string | undefined) => void
}

function SwitchQuestion({ schedule, isEnabled, onClose, onConfirm }: SwitchQuestionProps) {
  const { field, isReady, reason } = useReason(isEnabled ? 'schedules:enable' : 'schedules:disable')
  return <ReasonDialog
    question={isEnabled ? actionTexts.enableQuestion : actionTexts.disableQuestion} name={scheduleTitle(schedule)} field={field}
    isReady={isReady} confirmLabel={isEnabled ? actionTexts.enableIt : actionTexts.disableIt} onClose={onClose}
    onConfirm={() => onConfirm(reason)}
  />
}
