import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { tasksQuery } from '../../api/tasks.ts'
import { Dialog } from '../../components/elements/dialog.tsx'
import { ScheduleForm } from '../../components/schedules/schedule-form.tsx'
import { newRequestKey } from '../../format/places/request-key.ts'
import { emptyDraft, inZoneNow, isEmpty, toScheduleCall, type ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { useDraft } from '../../hooks/use-draft.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { useAllowed } from '../use-allowed.ts'
import { ComposerResult } from './composer-result.tsx'
import { useTimingPreview } from './use-timing-preview.ts'
import { scheduleTexts } from '../../texts/schedules.ts'

/** Composes the call that creates a schedule; the reader runs it elsewhere. */
export function NewScheduleDialog({ onClose }: { onClose: () => void }) {
  const needsReason = useAllowed().needsReason('schedules:create')
  const { data: all, failure } = useSettled(useQuery(tasksQuery))
  // The code that owns a queue creates its schedules.
  const tasks = useMemo(() => all?.filter(({ type }) => type !== 'external'), [all])
  const [kept, setDraft] = useDraft<ScheduleDraft>('new-schedule', () => ({
    ...emptyDraft, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  }))
  const draft = inZoneNow(kept)
  const taskName = draft.taskName || tasks?.[0]?.name || ''
  const { call, problems } = toScheduleCall({ ...draft, taskName })
  const timing = useTimingPreview(draft)
  const allProblems = { ...timing.refused, ...problems }
  // A different schedule is a different request, which needs a new key.
  const key = useMemo(newRequestKey, [JSON.stringify(call)])

  return (
    <Dialog title={scheduleTexts.new} className="dialog-wide" onClose={onClose}>
      <p className="muted">
        {scheduleTexts.createdThroughApi}
      </p>
      <div className="composer">
        <ScheduleForm
          draft={{ ...draft, taskName }} taskNames={tasks?.map(task => task.name)}
          {...(failure ? { tasksMissing: failure.status === 403 ? scheduleTexts.tasksNotShown : scheduleTexts.tasksNotLoaded } : {})}
          problems={allProblems} onChange={setDraft}
        />
        <ComposerResult
          draft={draft} timing={timing} call={call && isEmpty(allProblems) ? { ...call, key } : null} none={scheduleTexts.callOnceValid}
          needsReason={needsReason}
        />
      </div>
    </Dialog>
  )
}
