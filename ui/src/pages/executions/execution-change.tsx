import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { changeExecution } from '../../api/actions.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { ChangeDialog } from '../../components/actions/change-dialog.tsx'
import { changeDraftOf, changesBetween, type ChangeDraft } from '../../format/actions/execution-changes.ts'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { actionTexts } from '../../texts/actions.ts'

/** Offers to change the priority or due time of a waiting execution. */
export function ExecutionChange({ execution }: { execution: ExecutionDetail }) {
  const { may, isOthers } = useAllowed(execution.task_name)
  const [drafts, setDrafts] = useState<Drafts | null>(null)
  const { mutate, isPending, error, data, reset } = useMutation(changeExecution)
  const { field, isReady, reason, clear } = useReason('executions:update')
  // A run that a schedule planned is changed by its schedule.
  const isOffered = execution.status === 'pending' && execution.planned_at === null && may('executions:update')
  if (!isOffered && drafts === null) return null
  const changes = drafts && changesBetween(drafts.before, drafts.now, currentTime())
  const close = (): void => {
    setDrafts(null)
    clear()
  }
  const open = (): void => {
    reset()
    const before = changeDraftOf(execution)
    setDrafts({ before, now: before })
  }
  return (
    <div className="run-now">
      <button type="button" className="button button-small" onClick={open}>{actionTexts.changeExecution}</button>
      <p role="status">{data && drafts === null && actionTexts.changed}</p>
      {drafts && <ChangeDialog
        draft={drafts.now} hasDueAt={!isOthers} onDraft={now => setDrafts({ ...drafts, now })} reason={field}
        canConfirm={isReady && changes !== null} isBusy={isPending}
        refusal={error && (isUnconfirmed(error) ? actionTexts.mayBeChanged : actionTexts.notChanged)(
          withLocalTimes(error.message, currentTime()))}
        onConfirm={() => mutate({ executionId: execution.execution_id, changes: changes!, reason }, { onSuccess: close })}
        // The dialog shows the result.
        onClose={() => { if (!isPending) close() }}
      />}
    </div>
  )
}

/** `before` is the draft when the dialog opened, so that changes made in the meantime are not undone. */
interface Drafts { readonly before: ChangeDraft; readonly now: ChangeDraft }
