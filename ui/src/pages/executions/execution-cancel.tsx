import { useMutation } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { cancelExecution } from '../../api/actions.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { CancelQuestion } from '../../components/actions/cancel-question.tsx'
import { useAddress } from '../../hooks/use-address.ts'
import { useAllowed } from '../use-allowed.ts'
import { useReason } from '../use-reason.ts'
import { actionTexts } from '../../texts/actions.ts'

/** Offers to cancel an execution that has not finished, unless it was asked to stop already. */
export function ExecutionCancel({ execution }: { execution: ExecutionDetail }) {
  const { go } = useAddress()
  const { may } = useAllowed(execution.task_name)
  const { field, isReady, reason } = useReason('executions:cancel')
  const { mutate, isPending, error, data } = useMutation(cancelExecution)
  const isRunning = execution.status === 'running'
  const canCancel = execution.finished_at === null && execution.cancelling_since === null && may('executions:cancel')
  if (!canCancel && error === null) return null
  return (
    <CancelQuestion
      detail={isRunning ? actionTexts.cancelRunning : actionTexts.cancelPending} canAsk={canCancel && data === undefined} isBusy={isPending}
      canConfirm={isReady} reason={field}
      refusal={error && (isUnconfirmed(error) ? actionTexts.mayBeCancelled : actionTexts.notCancelled)(error.message)}
      onConfirm={() => mutate({ executionId: execution.execution_id, reason }, {
        // A cancelled job of an observed queue becomes an execution with a new id.
        onSuccess: ({ execution_id: id }) => { if (id !== execution.execution_id) go({ execution: id }, { replace: true }) }
      })}
    />
  )
}
