import type { FinishedExecution } from '../../execution.ts'
import { MINUTE_MS } from '../../time/units.ts'

/**
 * What a loop remembers of records that the backend takes its time to refuse, or never answers: it spends so much on them in one pass and
 * no more, and what was refused alone waits a while, so that the next pass gets to its neighbours.
 */
export interface SlowRefusals {
  /** A new pass begins, with time of its own. */
  begin(): void
  /** Counts one. @returns whether this pass has time for more of them */
  add(): boolean
  /** Whether this pass has spent its time on them. */
  areSpent(): boolean
  setAside(execution: FinishedExecution, refusal: unknown): void
  /** Why it was refused, as long as it is set aside; undefined when it is not. */
  refusalOf(execution: FinishedExecution): { readonly refusal: unknown } | undefined
}

/** Of ten seconds each at most: some three minutes, and enough to find more than one bad record in a thousand. */
const REFUSALS_PER_PASS = 20
const SET_ASIDE_MS = 5 * MINUTE_MS
const SET_ASIDE_AT_MOST = 10_000

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
      if (aside.size >= SET_ASIDE_AT_MOST) aside.clear()
      aside.set(executionId, { refusal, untilMs: now() + SET_ASIDE_MS })
    },
    refusalOf: ({ executionId }) => aside.get(executionId)
  }
}
