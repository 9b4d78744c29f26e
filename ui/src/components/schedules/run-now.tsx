import type { ComponentProps, ReactNode } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { RunQuestion } from '../actions/run-question.tsx'

interface Props extends Omit<ComponentProps<typeof RunQuestion>, 'label' | 'question' | 'confirmLabel' | 'children'> {
  readonly schedule: Schedule
  /** The field for the reason. */
  readonly reason: ReactNode
}

export function RunNow({ schedule, reason, ...question }: Props) {
  return (
    <RunQuestion {...question} label={scheduleTexts.runNow} question={scheduleTexts.runNowQuestion} confirmLabel={scheduleTexts.runItNow}>
      <p>
        {schedule.enabled ? scheduleTexts.enqueuedOnce : scheduleTexts.enqueuedThoughDisabled}
        {schedule.last_status === 'running' && ` ${scheduleTexts.stillRuns}`}
      </p>
      {reason}
    </RunQuestion>
  )
}
