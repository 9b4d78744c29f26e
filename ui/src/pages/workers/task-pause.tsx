import { useQuery } from '@tanstack/react-query'
import { queuesQuery } from '../../api/workers.ts'
import { QueuePause } from '../../components/workers/queue-pause.tsx'
import { usePolling } from '../../hooks/use-polling.ts'
import { useAllowed } from '../use-allowed.ts'

const POLLED_EVERY_MS = 30_000

/** Says that the queue of a task is paused; nothing while it is not, or if the reader may not see queues. */
export function TaskPause({ taskName }: { taskName: string }) {
  const mayView = useAllowed().may('queues:view')
  const { data } = useQuery({ ...queuesQuery, ...usePolling(POLLED_EVERY_MS), enabled: mayView })
  const pause = data?.find(queue => queue.task_name === taskName)?.pause
  return pause ? <p className="alert"><QueuePause pause={pause} /></p> : null
}
