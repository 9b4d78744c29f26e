import { useEffect, useState } from 'react'
import type { Queue } from '../../../../schemas/index.ts'
import { QueueSwitch } from './queue-switch.tsx'

/** Asks whether to pause or resume one of these queues. */
export function useQueueQuestion(queues: readonly Queue[]) {
  const [asked, ask] = useState<Queue | null>(null)
  const pause = asked && queues.find(({ name }) => name === asked.name)?.pause
  // A question about whether to end one pause does not apply to the next pause.
  const isOver = !!asked?.pause && pause?.since !== asked.pause.since
  useEffect(() => { if (isOver) ask(null) }, [isOver])
  return {
    ask,
    question: asked && !isOver && <QueueSwitch
      queue={asked} meanwhile={asked.pause ? null : pause ?? null} onClose={() => ask(null)}
    />
  }
}
