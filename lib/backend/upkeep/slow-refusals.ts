import type { FinishedExecution } from '../../execution.ts'
import { MINUTE_MS } from '../../time/units.ts'

/**
 * Tracks records that the backend refuses slowly or never answers. A pass spends a limited time on them. A record refused on its own is set
 * aside for a while, so that the next pass reaches its neighbours.
 */
export interface SlowRefusals {
  /** Starts a new pass with a fresh budget. */
  begin(): void
  /**
   * Counts one.
   * @returns whether this pass has time for more
   */
  add(): boolean
  /** Whether this pass has used up its budget. */
  areSpent(): boolean
  setAside(execution: FinishedExecution, refusal: unknown): void
  /** Why it was refused, while it is set aside; otherwise undefined. */
  refusalOf(execution: FinishedExecution): { readonly refusal: unknown } | undefined
}

/** At most ten seconds each, so about three minutes. Enough to find more than one bad record in a thousand. */
const REFUSALS_PER_PASS = 20
const SET_ASIDE_MS = 5 * MINUTE_MS
const MAX_SET_ASIDE = 10_000

export function createSlowRefusals(now: () => number = () => performance.now()): SlowRefusals {
  const aside = new Map<string, { readonly refusal: unknown; readonly untilMs: number }>()
  let left = REFUSALS_PER_PASS
  return {
    begin() {
      left = REFUSALS_PER_PASS
      for (const [id, { untilMs }] of aside) if (untilMs <= now()) aside.delete(id)
    },
    add: () => --left > 0,
    areSpent: () => left <= 0,
    setAside({ executionId }, refusal) {
      if (aside.size >= MAX_SET_ASIDE) aside.clear()
      aside.set(executionId, { refusal, untilMs: now() + SET_ASIDE_MS })
    },
    refusalOf: ({ executionId }) => aside.get(executionId)
  }
}
