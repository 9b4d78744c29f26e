import type { Queue } from '../../../../schemas/index.ts'
import { workerTexts } from '../../texts/workers.ts'
import { QueuePause } from './queue-pause.tsx'

/** More would push the queues out of sight. */
const MAX_SHOWN = 20

/** Everything that is known about paused queues, visible without pointing at anything. */
export function PausedQueues({ queues }: { queues: readonly Queue[] }) {
  const paused = queues.filter(({ pause }) => pause !== null)
  if (paused.length === 0) return null
  return (
    <ul className="alert reasons" aria-label={workerTexts.pause.list}>
      {paused.slice(0, MAX_SHOWN).map(({ name, task_name: task, pause, pending }) => (
        <li key={name}>
          <b className="wrap"><bdi>{task}</bdi></b>: <QueuePause pause={pause!} />. {workerTexts.pause.waiting(pending)}
        </li>
      ))}
      {paused.length > MAX_SHOWN && <li>{workerTexts.pause.more(paused.length - MAX_SHOWN)}</li>}
    </ul>
  )
}
