import { createContext, useContext } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

/**
 * Whether the app observes queues. For an execution that was rebuilt from events, `max_attempts` is the number of attempts
 * that it made, because the allowed number is not known.
 */
export const IsObserving = createContext(false)

/** `1/3`; without the second number if it is not known. */
export function Attempt({ execution: { attempt, max_attempts: most } }: { execution: Pick<Execution, 'attempt' | 'max_attempts'> }) {
  if (useContext(IsObserving) && attempt >= most) return <span>{attempt}</span>
  return <span title={rowTexts.attemptOf(attempt, most)}>{attempt}<span className="muted">/{most}</span></span>
}
