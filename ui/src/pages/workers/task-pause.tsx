import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queuesQuery } from '../../api/workers.ts'
import { QueuePause } from '../../components/workers/queue-pause.tsx'
import { usePolling } from '../../hooks/use-polling.ts'
import { workerTexts } from '../../texts/workers.ts'
import { useAllowed } from '../use-allowed.ts'
import { QueueSwitch } from './queue-switch.tsx'

const POLLED_EVERY_MS = 5_000

/** Says that the queue of a task is paused, and resumes it. Shows nothing if it is not paused, or if the reader may not see queues. */
export function TaskPause({ taskName }: { taskName: string }) {
  const mayView = useAllowed().may('queues:view')
  const mayResume = useAllowed(taskName).may('queues:resume')
  const [isAsking, setAsking] = useState(false)
  const { data } = useQuery({ ...queuesQuery, ...usePolling(POLLED_EVERY_MS), enabled: mayView })
  const queue = data?.find(each => each.task_name === taskName)
  const isPaused = !!queue?.pause
  // The next pause needs a new question.
  useEffect(() => { if (!isPaused) setAsking(false) }, [isPaused])
  if (!queue?.pause) return null
  return <>
    <p className="alert alert-row">
      <QueuePause pause={queue.pause} />
      {mayResume && <button type="button" className="button button-small" onClick={() => setAsking(true)}>
        {workerTexts.pause.resumeIt}
      </button>}
    </p>
    {isAsking && <QueueSwitch queue={queue} onClose={() => setAsking(false)} />}
  </>
}
