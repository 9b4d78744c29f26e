import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { enableSchedule } from '../../api/schedules.ts'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { notify } from '../../hooks/use-notices.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** Switches schedules on and off, and reports the result. */
export function useEnabling() {
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())
  const { mutateAsync } = useMutation(enableSchedule)
  const change = useCallback((schedule: Schedule, enabled: boolean, reason?: string): void => {
    setBusyIds(ids => new Set(ids).add(schedule.schedule_id))
    mutateAsync({ scheduleId: schedule.schedule_id, enabled, reason })
      .then(() => notify('good', (enabled ? scheduleTexts.isEnabled : scheduleTexts.isDisabled)(scheduleTitle(schedule))))
      .catch((error: Error) => notify(isUnconfirmed(error) ? 'doubt' : 'bad', isUnconfirmed(error)
        ? (enabled ? scheduleTexts.enablingInDoubt : scheduleTexts.disablingInDoubt)(
          scheduleTitle(schedule), error.message.replace(/\.?$/, '.')
        )
        : (enabled ? scheduleTexts.stillDisabled : scheduleTexts.stillEnabled)(scheduleTitle(schedule), error.message)))
      .finally(() => setBusyIds(ids => new Set([...ids].filter(id => id !== schedule.schedule_id))))
  }, [mutateAsync])
  return { busyIds, change }
}
