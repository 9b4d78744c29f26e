import { WRITE_PROBE_MS } from '../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../time/deadline.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { probeWrite } from '../../stores/failures/probe-write.ts'
import { READ_ONLY, writeRefusalOf } from '../../stores/failures/write-refusal.ts'

/** After an accepted write, writes count as accepted for this long. Heartbeats come every 5 s. */
const ACCEPTED_FOR_MS = 6_000
/** Refused writes are retried sooner, because someone is waiting for the refusal to end. */
const REFUSED_FOR_MS = 1_000
/** The next enqueue may be far off, so a refused enqueue counts for this long unless a later one is accepted. */
const ENQUEUE_REFUSAL_KEPT_MS = 15_000

export interface WriteWatch {
  /** The same documents, but the outcome of each put is noted. */
  readonly documents: DocumentStore
  /** Runs a call that enqueues, and notes its outcome. */
  enqueuing<Result>(enqueue: () => Promise<Result>): Promise<Result>
  /** Why a reachable store refuses writes, to follow "reachable, but"; null if it accepts them or is unreachable. Never rejects. */
  refusal(): Promise<string | null>
}

/**
 * Tracks whether a store accepts writes, by watching heartbeats and enqueues. If there are none, `refusal` writes a counter without
 * changing it, at most once every few seconds. A full disk can refuse new executions while heartbeats, which need no extra room, still
 * succeed.
 */
export function createWriteWatch(documents: DocumentStore, now: () => number = () => performance.now()): WriteWatch {
  let background: Outcome = { at: -Infinity, refusal: null }
  let enqueue: Outcome = { at: -Infinity, refusal: null }
  let probing: Promise<unknown> | undefined

  async function noted<Result>(write: () => Promise<Result>, note: (outcome: Outcome) => void): Promise<Result> {
    try {
      const result = await write()
      note({ at: now(), refusal: null })
      return result
    } catch (error) {
      // An unreachable store says nothing about writes.
      const refusal = refusalText(error)
      if (refusal !== null) note({ at: now(), refusal })
      throw error
    }
  }
  const noteBackground = (outcome: Outcome): void => { background = outcome }
  const inBackground = <Result>(write: () => Promise<Result>): Promise<Result> => noted(write, noteBackground)

  function probe(): Promise<unknown> {
    return probing ??= withDeadline(inBackground(() => probeWrite(documents)), WRITE_PROBE_MS, 'no answer')
      .catch((error: unknown) => { if (error instanceof DeadlineError) noteBackground({ at: now(), refusal: UNANSWERED }) })
      .finally(() => { probing = undefined })
  }

  return {
    documents: {
      ...documents,
      put: (...write) => inBackground(() => documents.put(...write)),
      putMany: (...write) => inBackground(() => documents.putMany(...write))
    },
    enqueuing: call => noted(call, outcome => { enqueue = outcome }),
    async refusal() {
      if (now() - background.at > (background.refusal === null ? ACCEPTED_FOR_MS : REFUSED_FOR_MS)) await probe()
      return background.refusal ?? (now() - enqueue.at < ENQUEUE_REFUSAL_KEPT_MS ? enqueue.refusal : null)
    }
  }
}

interface Outcome { readonly at: number; readonly refusal: string | null }

/** For example, a commit that waits for a missing standby, or writes paused by an operator. */
const UNANSWERED = 'it does not answer writes'

function refusalText(error: unknown): string | null {
  const reason = writeRefusalOf(error)
  return reason === null || reason === READ_ONLY ? reason : `it refuses writes: ${reason}`
}
