import { useMutation } from '@tanstack/react-query'
import type { Queue } from '../../../../schemas/index.ts'
import { switchQueue } from '../../api/actions.ts'
import { isUnconfirmed } from '../../api/intentions.ts'
import { PauseQueueDialog } from '../../components/actions/pause-queue-dialog.tsx'
import { ReasonDialog } from '../../components/actions/reason-dialog.tsx'
import { notify } from '../../hooks/use-notices.ts'
import { actionTexts } from '../../texts/actions.ts'
import { useReason } from '../use-reason.ts'

interface Props {
  /** As it was when the reader was asked. */
  readonly queue: Queue
  /** Its pause now, if someone else has paused it since. */
  readonly meanwhile?: Queue['pause']
  readonly onClose: () => void
}

/** Asks before pausing or resuming a queue, and reports the result. */
export function QueueSwitch({ queue, meanwhile = null, onClose }: Props) {
  const isPausing = queue.pause === null
  const { field, isReady, reason } = useReason(isPausing ? 'queues:pause' : 'queues:resume')
  const { mutateAsync } = useMutation(switchQueue)
  const change = (until: string | null): void => {
    // Uses the promise, because callbacks of `mutate` are not called once the dialog is closed.
    mutateAsync({ queueName: queue.name, isPaused: isPausing, reason, until })
      .then(() => notify('good', (isPausing ? actionTexts.isPaused : actionTexts.isResumed)(queue.task_name)))
      .catch((error: Error) => notify(isUnconfirmed(error) ? 'doubt' : 'bad', isUnconfirmed(error)
        ? actionTexts.switchInDoubt(queue.task_name, error.message)
        : (isPausing ? actionTexts.notPaused : actionTexts.notResumed)(queue.task_name, error.message)))
    onClose()
  }
  return isPausing
    ? <PauseQueueDialog
      name={queue.task_name} meanwhile={meanwhile} field={field} isReady={isReady} mayEnd={queue.changes === 'all'}
      onConfirm={change} onClose={onClose}
    />
    : <ReasonDialog
      question={actionTexts.resumeQuestion} name={queue.task_name} confirmLabel={actionTexts.resumeIt} field={field} isReady={isReady}
      onConfirm={() => change(null)} onClose={onClose}
    />
}
