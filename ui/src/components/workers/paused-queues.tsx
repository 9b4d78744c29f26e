import type { Queue } from '../../../../schemas/index.ts'
import { workerTexts } from '../../texts/workers.ts'
import { QueuePause } from './queue-pause.tsx'

/** All that is known of each paused queue, where nobody has to point at anything. */
export function PausedQueues({ queues }: { queues: readonly Queue[] }) {
  const paused = queues.filter(({ pause }) => pause !== null)
  if (paused.length === 0) return null
  return (
    <ul className="alert reasons" aria-label={workerTexts.pause.list}>
      {paused.map(({ name, task_name: task, pause, pending }) => (
        <li key={name}>
          <b className="wrap"><bdi>{task}</bdi></b>: <QueuePause pause={pause!} /> {workerTexts.pause.waiting(pending)}
        </li>
      ))}
    </ul>
  )
}
