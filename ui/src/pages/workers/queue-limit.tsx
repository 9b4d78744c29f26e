import { useMutation } from '@tanstack/react-query'
import type { Queue, QueueLimitsInput } from '../../../../schemas/index.ts'
import { limitQueue } from '../../api/actions.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { LimitQueueDialog } from '../../components/actions/limit-queue-dialog.tsx'
import { notify } from '../../hooks/use-notices.ts'
import { actionTexts } from '../../texts/actions.ts'
import { useReason } from '../use-reason.ts'

/** Asks for the limits of a queue, and reports the result. */
export function QueueLimit({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const { field, isReady, reason } = useReason('queues:limit')
  const { mutateAsync } = useMutation(limitQueue)
  const change = (limits: Pick<QueueLimitsInput, 'concurrency' | 'rate'>): void => {
    // Uses the promise, because callbacks of `mutate` are not called once the dialog is closed.
    mutateAsync({ queueName: queue.name, limits, reason })
      .then(after => notify('good', (after.limits === null ? actionTexts.isUnlimited : actionTexts.isLimited)(queue.task_name)))
      .catch((error: Error) => notify(isUnconfirmed(error) ? 'doubt' : 'bad',
        (isUnconfirmed(error) ? actionTexts.switchInDoubt : actionTexts.notLimited)(queue.task_name, error.message)))
    onClose()
  }
  return <LimitQueueDialog queue={queue} field={field} isReady={isReady} onConfirm={change} onClose={onClose} />
}
