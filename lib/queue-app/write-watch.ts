import { withDeadline } from '../deadline.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { writeRefusalOf } from '../stores/write-refusal.ts'

/** An outcome of the background's writes says so long whether the broker takes writes. Heartbeats come every 5 s. */
const KNOWN_FOR_MS = 6_000
/** Nobody may enqueue again soon: a refusal counts so long, unless one is accepted. */
const REFUSAL_KEPT_MS = 15_000
const PROBE_TIMEOUT_MS = 1_500

export interface WriteWatch {
  /** The same documents, the outcome of whose writes is noted. */
  readonly documents: DocumentStore
  /** Makes a call that enqueues, and notes its outcome. */
  enqueuing<Result>(enqueue: () => Promise<Result>): Promise<Result>
  /** Why the broker refuses writes, as a part of a sentence; null when it takes them, or is out of reach. Never rejects. */
  refusal(): Promise<string | null>
}

/**
 * Whether the broker takes writes, by the writes that are made anyway: heartbeats, and what is enqueued. A process that makes none
 * writes when it is asked, at most once in some seconds, a counter that stays as it is. A disk can be full for what is enqueued
 * while heartbeats, which take no more room than the last ones, still succeed.
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
      // What is out of reach tells nothing of writes.
      const refusal = writeRefusalOf(error)
      if (refusal !== null) note({ at: now(), refusal })
      throw error
    }
  }
  const inBackground = <Result>(write: () => Promise<Result>): Promise<Result> => noted(write, outcome => { background = outcome })

  function probe(): Promise<unknown> {
    return probing ??= withDeadline(inBackground(() => documents.increment('health', 'probe', 0)), PROBE_TIMEOUT_MS, 'no answer')
      .catch(() => {})
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
      if (now() - background.at > KNOWN_FOR_MS) await probe()
      return background.refusal ?? (now() - enqueue.at < REFUSAL_KEPT_MS ? enqueue.refusal : null)
    }
  }
}

interface Outcome { readonly at: number; readonly refusal: string | null }
