import type { ComponentProps } from 'react'
import type { Schedule } from '../../../../schemas/index.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { RunQuestion } from '../actions/run-question.tsx'

interface Props extends Omit<ComponentProps<typeof RunQuestion>, 'label' | 'question' | 'confirmLabel' | 'canConfirm' | 'children'> {
  readonly schedule: Schedule
}

export function RunNow({ schedule, ...question }: Props) {
  return (
    <RunQuestion {...question} label={scheduleTexts.runNow} question={scheduleTexts.runNowQuestion} confirmLabel={scheduleTexts.runItNow}>
      <p>
        {schedule.enabled ? scheduleTexts.enqueuedOnce : scheduleTexts.enqueuedThoughDisabled}
        {schedule.last_status === 'running' && ` ${scheduleTexts.stillRuns}`}
      </p>
    </RunQuestion>
  )
}
