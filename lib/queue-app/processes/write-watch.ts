import { WRITE_PROBE_MS } from '../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../time/deadline.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { probeWrite } from '../../stores/failures/probe-write.ts'
import { READ_ONLY, writeRefusalOf } from '../../stores/failures/write-refusal.ts'

/** An accepted write says for this long that writes are accepted. Heartbeats come every 5 s. */
const ACCEPTED_FOR_MS = 6_000
/** A refusal is tried again sooner: whoever looks waits for its end. */
const REFUSED_FOR_MS = 1_000
/** Nobody may enqueue again soon: a refused enqueue counts this long, unless a later one is accepted. */
const ENQUEUE_REFUSAL_KEPT_MS = 15_000

export interface WriteWatch {
  /** The same documents; the outcome of each write is noted. */
  readonly documents: DocumentStore
  /** Makes a call that enqueues, and notes its outcome. */
  enqueuing<Result>(enqueue: () => Promise<Result>): Promise<Result>
  /**
   * What is wrong with writes to a store that can be reached, for "reachable, but …"; null when they are accepted, or the store is out of
   * reach. Never rejects.
   */
  refusal(): Promise<string | null>
}

/**
 * Whether a store accepts writes, told by the writes that are made anyway: heartbeats, and what is enqueued. Where there are none, it
 * writes when it is asked, at most once in some seconds, a counter whose value stays the same. A disk can be full for what is enqueued
 * while heartbeats, which need no more room than the last ones, still succeed.
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
      // A store that is out of reach tells nothing about writes.
      const refusal = sayRefusal(error)
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

/** A commit that waits for a standby that is gone, or writes that an operator paused. */
const UNANSWERED = 'it does not answer writes'

function sayRefusal(error: unknown): string | null {
  const reason = writeRefusalOf(error)
  return reason === null || reason === READ_ONLY ? reason : `it refuses writes: ${reason}`
}
