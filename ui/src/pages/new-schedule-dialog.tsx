import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mountUrl } from '../api/mount-url.ts'
import { previewQuery } from '../api/schedules.ts'
import { tasksQuery } from '../api/tasks.ts'
import { Code } from '../components/code.tsx'
import { Dialog } from '../components/dialog.tsx'
import { RunList } from '../components/run-list.tsx'
import { ScheduleForm } from '../components/schedule-form.tsx'
import { SkeletonRows } from '../components/states.tsx'
import { emptyDraft, toScheduleCall, type ScheduleDraft } from '../format/schedule-draft.ts'
import { toCurl, toFetch, toTypedClient } from '../format/snippet.ts'

const SNIPPETS = { curl: toCurl, fetch: toFetch, 'typed client': toTypedClient } as const
type Snippet = keyof typeof SNIPPETS
const PREVIEW_DELAY_MS = 300
const PREVIEW_RUNS = 5

/** Composes the call that creates a schedule; making it is left to the reader's own program. */
export function NewScheduleDialog({ onClose }: { onClose: () => void }) {
  const tasks = useQuery(tasksQuery).data
  const [draft, setDraft] = useState<ScheduleDraft>({ ...emptyDraft, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC' })
  const [snippet, setSnippet] = useState<Snippet>('curl')
  const taskName = draft.taskName || tasks?.[0]?.name || ''
  const { call, problems } = toScheduleCall({ ...draft, taskName })

  return (
    <Dialog title="New schedule" className="dialog-wide" onClose={onClose}>
      <p className="muted">Schedules are created through the API. Compose the call here and run it where your credentials are; this page sends nothing.</p>
      <div className="composer">
        <ScheduleForm draft={{ ...draft, taskName }} taskNames={tasks?.map((task) => task.name) ?? []} problems={problems} onChange={setDraft} />
        <div className="composer-result">
          <h3>Next runs</h3>
          <Preview draft={draft} />
          <div className="segments" role="group" aria-label="Form of the call">
            {(Object.keys(SNIPPETS) as Snippet[]).map((name) => (
              <button key={name} type="button" className="segment" aria-pressed={name === snippet} onClick={() => setSnippet(name)}>{name}</button>
            ))}
          </div>
          {call
            ? <Code label="The call" text={SNIPPETS[snippet](mountUrl.href, call)} copyLabel={`Copy ${snippet}`} />
            : <p className="muted">The call appears here once every field is valid.</p>}
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ draft }: { draft: ScheduleDraft }) {
  const { timing, cron, everySeconds, timezone } = useSlowly(draft, PREVIEW_DELAY_MS)
  const question = timing === 'cron' ? { cron: cron.trim(), timezone } : { intervalMs: Math.round(Number(everySeconds) * 1000), timezone }
  const isAskable = timing === 'cron' ? cron.trim() !== '' : Number(everySeconds) >= 1
  const { data, error, isPlaceholderData } = useQuery({ ...previewQuery(question, PREVIEW_RUNS, null), enabled: isAskable, placeholderData: keepPreviousData })
  if (!isAskable) return <p className="muted">No timing yet.</p>
  if (error) return <p className="tone-bad" role="status">{'fields' in error && Array.isArray(error.fields) && error.fields[0] ? (error.fields[0] as { message: string }).message : error.message}</p>
  if (!data) return <SkeletonRows count={PREVIEW_RUNS} label="Loading the next runs" />
  return <div className={isPlaceholderData ? 'is-stale' : undefined}><p><b>{data.description}</b></p><RunList preview={data} /></div>
}

/** The value once it has stood still for a while. */
function useSlowly<T>(value: T, delayMs: number): T {
  const [slow, setSlow] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return slow
}
