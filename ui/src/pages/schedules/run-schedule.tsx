import { useEffect } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { runIntention, runSchedule } from '../../api/schedules.ts'
import { ReasonField } from '../../components/actions/reason-field.tsx'
import { RunNow } from '../../components/schedules/run-now.tsx'
import { useIntention } from '../../hooks/use-intention.ts'
import { scheduleExecutionHref } from './schedule-history.tsx'
import { useReason } from '../use-reason.ts'

/** Runs a schedule at once, in addition to its plan. */
export function RunSchedule({ schedule }: { schedule: Schedule }) {
  const { isRequired, field, isReady, reason, clear } = useReason('schedules:run')
  const { isPending, data, error, doubt, send, letBe } = useIntention(
    runSchedule, runIntention, { scheduleId: schedule.schedule_id, reason }
  )
  useEffect(() => { if (data !== undefined) clear() }, [data])
  return (
    <RunNow
      schedule={schedule} isBusy={isPending} executionId={data?.execution_id ?? null}
      refusal={doubt === null ? error?.message ?? null : null} doubt={doubt}
      href={id => scheduleExecutionHref(schedule.schedule_id, id)} onConfirm={send} onLetBe={letBe}
      canConfirm={isReady} reason={isRequired && <ReasonField {...field} />}
    />
  )
}
