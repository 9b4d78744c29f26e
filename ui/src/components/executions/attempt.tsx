import { createContext, useContext } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

/**
 * Of an app that observes queues of other code. An execution that was rebuilt from events has as many attempts as it made, because nobody
 * knows how many it may have.
 */
export const IsObserving = createContext(false)

/** `1/3`; without the second number where it is not known. */
export function Attempt({ execution: { attempt, max_attempts: most } }: { execution: Pick<Execution, 'attempt' | 'max_attempts'> }) {
  if (useContext(IsObserving) && attempt >= most) return <span>{attempt}</span>
  return <span title={rowTexts.attemptOf(attempt, most)}>{attempt}<span className="muted">/{most}</span></span>
}
