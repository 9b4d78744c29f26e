import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { deleteExecution } from '../../api/actions.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { DeleteExecutionDialog } from '../../components/actions/delete-execution-dialog.tsx'
import { currentTime } from '../../format/time/clock.ts'
import { withLocalTimes } from '../../format/time/time.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { actionTexts } from '../../texts/actions.ts'

/** Offers to delete an execution that has finished. */
export function ExecutionDelete({ execution }: { execution: ExecutionDetail }) {
  const { may } = useAllowed(execution.task_name)
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error, reset } = useMutation(deleteExecution)
  const { field, isReady, reason, clear } = useReason('executions:delete')
  if (execution.finished_at === null || !may('executions:delete')) return null
  const close = (): void => {
    setAsking(false)
    clear()
    reset()
  }
  return (
    <div className="run-now">
      <button type="button" className="button button-small" onClick={() => setAsking(true)}>{actionTexts.deleteExecution}</button>
      {isAsking && <DeleteExecutionDialog
        taskName={execution.task_name} isFailed={execution.status === 'failed'} reason={field} canConfirm={isReady} isBusy={isPending}
        refusal={error && (isUnconfirmed(error) ? actionTexts.mayBeDeleted : actionTexts.notDeleted)(
          withLocalTimes(error.message, currentTime()))}
        onConfirm={() => mutate({ executionId: execution.execution_id, reason }, { onSuccess: close })}
        // The dialog shows the result.
        onClose={() => { if (!isPending) close() }}
      />}
    </div>
  )
}
