import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { mountUrl } from '../../api/mount-url.ts'
import { tasksQuery } from '../../api/tasks.ts'
import { CallSnippets } from '../../components/schedules/call-snippets.tsx'
import { Dialog } from '../../components/elements/dialog.tsx'
import { ScheduleForm } from '../../components/schedules/schedule-form.tsx'
import { newRequestKey } from '../../format/places/request-key.ts'
import { emptyDraft, toScheduleCall, type ScheduleDraft } from '../../format/schedules/schedule-draft.ts'
import { useSettled } from '../../hooks/use-settled.ts'
import { TimingPreview } from './timing-preview.tsx'

/** Composes the call that creates a schedule; making it is left to the reader's own program. */
export function NewScheduleDialog({ onClose }: { onClose: () => void }) {
  const { data: tasks, failure } = useSettled(useQuery(tasksQuery))
  const [draft, setDraft] = useState<ScheduleDraft>({ ...emptyDraft, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC' })
  const taskName = draft.taskName || tasks?.[0]?.name || ''
  const { call, problems } = toScheduleCall({ ...draft, taskName })
  // Another schedule is another request.
  const key = useMemo(newRequestKey, [JSON.stringify(call)])

  return (
    <Dialog title="New schedule" className="dialog-wide" onClose={onClose}>
      <p className="muted">
        Schedules are created through the API. Compose the call here and run it where your credentials are; this page sends nothing.
      </p>
      <div className="composer">
        <ScheduleForm
          draft={{ ...draft, taskName }} taskNames={tasks?.map(task => task.name)}
          {...(failure ? { tasksMissing: failure.status === 403 ? 'Tasks are not shown to you' : 'Tasks could not be loaded' } : {})}
          problems={problems} onChange={setDraft}
        />
        <div className="composer-result">
          <h3>Next runs</h3>
          <TimingPreview draft={draft} />
          {call
            ? <CallSnippets base={mountUrl.href} call={{ ...call, key }} />
            : <p className="muted">The call appears here once every field is valid.</p>}
        </div>
      </div>
    </Dialog>
  )
}
