import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import type { AnswerStore } from '../../stores/answers/answers.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import { mayHaveHappened } from '../../stores/failures/may-have-happened.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'

/** Answers to requests with a key of their own, so that a repeat is answered and not carried out again. */
export interface RequestAnswers {
  /**
   * Takes a key for a request. Rejects with BROKER_UNAVAILABLE or STORE_REFUSED; nothing of the request may be carried out then.
   * @param key names it, of any length
   * @param fingerprint of the request, of any length: another one with the same key is `other`
   */
  claim(key: string, fingerprint: string): Promise<RequestClaim>
}

/**
 * `claimed`: carry it out, then call one of the two. `answered`: it was, with this answer. `busy`: it is being carried out.
 * `other`: the key is that of another request. `full`: as many keys are kept as may be.
 */
export type RequestClaim =
  | {
    readonly state: 'claimed'
    /** A UUID for what the request makes, the same for every attempt. */
    readonly operationId: string
    /** An earlier attempt ended without an answer: it may have done what is asked. */
    readonly isRepeated: boolean
    /** Keeps the answer. Never rejects: where it cannot be kept, a repeat finds out what was done. */
    save(answer: string): Promise<void>
    /** There is no answer to keep: the next attempt is carried out. Never rejects. */
    abandon(): Promise<void>
  }
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'busy' | 'other' | 'full' }

export const ANSWERS_KEPT_MS = DAY_MS
export const MAX_ANSWER_KEYS = 20_000
export const MAX_ANSWERS_BYTES = 64 * 1024 * 1024
/** Longer than a write takes: who holds a key for so long has died. */
const LEASE_MS = 15_000
/** At once, and again for a claim that was still on its way then or a broker that was away. */
const LET_GO_AFTER_MS = [0, 1_000, 4_000]
const SWEEP_EVERY_MS = 10 * MINUTE_MS
/** Expired keys are removed in steps; no pass goes on for ever. */
const MAX_SWEEP_STEPS = 1_000

interface RequestAnswersDependencies {
  readonly answers: AnswerStore
  onError(error: Error): void
  /** Default 10 minutes. */
  readonly sweepEveryMs?: number
}

export function createRequestAnswers({ answers, onError, sweepEveryMs = SWEEP_EVERY_MS }: RequestAnswersDependencies) {
  let timer: NodeJS.Timeout | undefined

  const requestAnswers: RequestAnswers = {
    async claim(key, fingerprint) {
      const holder = randomUUID()
      const ownId = uuid()
      const outcome = await fromBroker(() => answers.claim(key, { fingerprint, holder, operationId: ownId }, {
        leaseMs: LEASE_MS, ttlMs: ANSWERS_KEPT_MS, maxKeys: MAX_ANSWER_KEYS, maxBytes: MAX_ANSWERS_BYTES
      })).catch((error: unknown) => {
        if (mayHaveHappened(error instanceof Error ? error.cause : error)) void letGo(key, holder)
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

  /** The broker may have taken, or yet take, a claim that it did not answer: until the lease ends every repeat would be refused. */
  async function letGo(key: string, holder: string): Promise<void> {
    for (const delayMs of LET_GO_AFTER_MS) {
      await sleep(delayMs, undefined, { ref: false })
      await answers.abandon(key, holder).catch(() => {})
    }
  }

  async function sweep(): Promise<void> {
    for (let step = 0; step < MAX_SWEEP_STEPS && await answers.sweep() > 0; step++);
  }

  return {
    ...requestAnswers,
    start(): void {
      timer ??= setInterval(() => { sweep().catch(onError) }, sweepEveryMs).unref()
    },
    stop(): void { clearInterval(timer) }
  }
}

async function fromBroker<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw failedCall(cause, 'broker')
  }
}
