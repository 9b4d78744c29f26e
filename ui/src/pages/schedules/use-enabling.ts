import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { enableSchedule } from '../../api/schedules.ts'
import { scheduleTitle } from '../../format/executions/status.ts'
import { notify } from '../../hooks/use-notices.ts'

/** Switches schedules on and off, and says what came of it. */
export function useEnabling() {
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())
  const { mutateAsync } = useMutation(enableSchedule)
  const change = useCallback((schedule: Schedule, enabled: boolean): void => {
    setBusyIds(ids => new Set(ids).add(schedule.schedule_id))
    mutateAsync({ scheduleId: schedule.schedule_id, enabled })
      .then(() => notify('good', `${scheduleTitle(schedule)} is ${enabled ? 'enabled' : 'disabled'}.`))
      .catch((error: Error) => notify('bad', isUnconfirmed(error)
        ? `Not confirmed whether ${scheduleTitle(schedule)} is ${enabled ? 'enabled' : 'disabled'}: ` +
          `${error.message.replace(/\.?$/, '.')} The list shows it as soon as the server reports it. To be sure, use the switch again.`
        : `${scheduleTitle(schedule)} is still ${enabled ? 'disabled' : 'enabled'}: ${error.message}`))
      .finally(() => setBusyIds(ids => new Set([...ids].filter(id => id !== schedule.schedule_id))))
  }, [mutateAsync])
  return { busyIds, change }
}
