import type { ExecutionDetail } from '../../../schemas/index.ts'
import { Attempts } from '../../src/components/executions/execution-attempts.tsx'
import { Timeline } from '../../src/components/executions/timeline.tsx'
import { ago, HOSTILE, LONG, timeline } from '../samples/frame.ts'

/** The parts of an execution's panel that tell what became of it. */
export function AttemptsAndTimeline({ isHostile }: { isHostile: boolean }) {
  const [type, message] = isHostile ? [HOSTILE, HOSTILE + LONG] : ['TimeoutError', 'gave up after 3000 ms']
  const error = { type, message, stack: `${type}: ${message}\n    at charge (/app/billing.js:41:7)` }
  const attempts = [
    { attempt: 1, started_at: ago(118), finished_at: ago(115), worker_id: 'web-1', error },
    { attempt: 3, started_at: ago(30), finished_at: ago(12), worker_id: 'web-1', error }
  ]
  return <>
    <Timeline events={timeline} />
    <Attempts execution={{ attempts, attempt: 3 } as unknown as ExecutionDetail} isCut={() => isHostile} />
  </>
}
