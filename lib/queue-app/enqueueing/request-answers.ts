import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import type { AnswerStore } from '../../stores/answers/answers.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import { mayHaveHappened } from '../../stores/failures/may-have-happened.ts'
import { createRepeatedSteps } from '../../time/repeated-steps.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'

/** Stored responses to requests with an idempotency key. A repeated request gets the stored response instead of running again. */
export interface RequestAnswers {
  /**
   * Claims a key for a request. If this rejects (BROKER_UNAVAILABLE or STORE_REFUSED), the request must not be carried out.
   * @param key the idempotency key, of any length
   * @param fingerprint of the request, of any length; a different one with the same key gives `other`
   */
  claim(key: string, fingerprint: string): Promise<RequestClaim>
}

/**
 * `claimed`: carry the request out, then call `save` or `abandon`. `answered`: it was carried out, with this response. `busy`: it is being
 * carried out. `other`: the key belongs to a different request. `full`: the maximum number of keys is stored.
 */
export type RequestClaim =
  | {
    readonly state: 'claimed'
    /** A UUID for whatever the request creates, the same for every attempt. */
    readonly operationId: string
    /** Whether an earlier attempt ended without a response: it may already have done the work. */
    readonly isRepeated: boolean
    /** Stores the response. Never rejects: if it cannot be stored, a repeated request finds out what was done. */
    save(answer: string): Promise<void>
    /** Call it if there is no response to store, so that the next attempt is carried out. Never rejects. */
    abandon(): Promise<void>
  }
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'busy' | 'other' | 'full' }

export const ANSWERS_KEPT_MS = DAY_MS
export const MAX_ANSWER_KEYS = 20_000
export const MAX_ANSWERS_BYTES = 64 * 1024 * 1024
/** Longer than a write takes: a process that holds a key for longer has died. */
const LEASE_MS = 15_000
/** A claim is abandoned at once, and again after these pauses, in case it was still in transit or the broker was down. */
const ABANDON_AFTER_MS = [0, 1_000, 4_000]
const SWEEP_EVERY_MS = 10 * MINUTE_MS
/** Expired keys are removed in steps. One pass has at most this many. */
const MAX_SWEEP_STEPS = 1_000

interface RequestAnswersDependencies {
  readonly answers: AnswerStore
  onError(error: Error): void
  /** Default 10 minutes. */
  readonly sweepEveryMs?: number
}

export function createRequestAnswers({ answers, onError, sweepEveryMs = SWEEP_EVERY_MS }: RequestAnswersDependencies) {
  const requestAnswers: RequestAnswers = {
    async claim(key, fingerprint) {
      const holder = randomUUID()
      const ownId = uuid()
      const outcome = await fromBroker(() => answers.claim(key, { fingerprint, holder, operationId: ownId }, {
        leaseMs: LEASE_MS, ttlMs: ANSWERS_KEPT_MS, maxKeys: MAX_ANSWER_KEYS, maxBytes: MAX_ANSWERS_BYTES
      })).catch((error: unknown) => {
        if (mayHaveHappened(error instanceof Error ? error.cause : error)) void abandonClaim(key, holder)
        throw error
      })
      if (outcome.state !== 'claimed') return outcome
      return {
        state: 'claimed',
        operationId: outcome.operationId,
        isRepeated: outcome.operationId !== ownId,
        save: answer => answers.save(key, holder, answer).catch(onError),
        abandon: () => answers.abandon(key, holder).catch(onError)
      }
    }
  }

  /**
   * A claim without a response may have reached the broker, or may still reach it. Without this, every repeated request would be refused
   * until the lease ends.
   */
  async function abandonClaim(key: string, holder: string): Promise<void> {
    for (const delayMs of ABANDON_AFTER_MS) {
      await sleep(delayMs, undefined, { ref: false })
      await answers.abandon(key, holder).catch(() => {})
    }
  }

  const { start, stop } = createRepeatedSteps({
    everyMs: sweepEveryMs, startsAtOnce: false, maxSteps: MAX_SWEEP_STEPS, step: () => answers.sweep(), onError
  })
  return { ...requestAnswers, start, stop }
}

async function fromBroker<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw failedCall(cause, 'broker')
  }
}
