import { useMutation } from '@tanstack/react-query'
import type { Schedule } from '../../../../schemas/index.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { deleteSchedule } from '../../api/schedules.ts'
import { DeleteScheduleDialog } from '../../components/schedules/delete-schedule-dialog.tsx'
import { scheduleTitle } from '../../format/schedules/schedule-title.ts'
import { notify } from '../../hooks/use-notices.ts'
import { useReason } from '../use-reason.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

interface Props {
  readonly schedule: Schedule
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Asks before a schedule is deleted, and deletes it. */
export function ScheduleDeletion({ schedule, onClose, onDeleted }: Props) {
  const { field, isReady, reason } = useReason('schedules:delete')
  const { mutate, isPending, error } = useMutation({
    ...deleteSchedule,
    onSuccess: (...outcome) => {
      deleteSchedule.onSuccess?.(...outcome)
      notify('good', scheduleTexts.isDeleted(scheduleTitle(schedule)))
      onClose()
      onDeleted()
    }
  })
  return (
    <DeleteScheduleDialog
      schedule={schedule} reason={field} isReady={isReady} isBusy={isPending}
      refusal={error?.message ?? null} isInDoubt={isUnconfirmed(error)}
      onDelete={() => mutate({ scheduleId: schedule.schedule_id, reason })}
      // The dialog shows the result.
      onClose={() => { if (!isPending) onClose() }}
    />
  )
}
