import { useEffect, useState } from 'react'
import type { Queue } from '../../../../schemas/index.ts'
import { QueueSwitch } from './queue-switch.tsx'

/** Asks whether to pause or resume one of these queues. */
export function useQueueQuestion(queues: readonly Queue[]) {
  const [asked, ask] = useState<Queue | null>(null)
  const pause = asked && queues.find(({ name }) => name === asked.name)?.pause
  // The next pause is another question than whether to resume from this one.
  const isOver = !!asked?.pause && pause?.since !== asked.pause.since
  useEffect(() => { if (isOver) ask(null) }, [isOver])
  return {
    ask,
    question: asked && !isOver && <QueueSwitch
      queue={asked} meanwhile={asked.pause ? null : pause ?? null} onClose={() => ask(null)}
    />
  }
}
