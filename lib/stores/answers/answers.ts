/**
 * Answers to requests that carry a key, kept so that a repeat gets the same one. Every call is one round trip, has a timeout, and
 * rejects with the datastore's own error. Times are by the datastore's clock; what has expired is removed by later claims and by
 * `sweep`, on Redis by the server itself.
 */
export interface AnswerStore {
  /**
   * Takes a key for a request that is about to be carried out, or tells what became of the one before. Asked again with the
   * same `holder` it answers the same: a connection that breaks sends the claim twice.
   */
  claim(id: string, claim: Claim, limits: AnswerLimits): Promise<ClaimOutcome>
  /** Keeps the answer. Does nothing when another holder has the key by now. */
  save(id: string, holder: string, answer: string): Promise<void>
  /** Gives a key back whose request has no answer to keep: a repeat is carried out at once, under the same operation id. */
  abandon(id: string, holder: string): Promise<void>
  /** Removes some of what has expired. @returns how many keys, 0 when nothing is left to remove. */
  sweep(): Promise<number>
}

export interface Claim {
  /** Of the request: a claim with another one does not get the key. */
  readonly fingerprint: string
  /** Of this attempt. */
  readonly holder: string
  /** Names what the request does; a repeat takes over that of the first. */
  readonly operationId: string
}

export interface AnswerLimits {
  /** Milliseconds for which a key without an answer is its holder's alone. */
  readonly leaseMs: number
  /** Milliseconds for which a key is kept. */
  readonly ttlMs: number
  /** Keys, and bytes of answers, from which on no new key is taken. */
  readonly maxKeys: number
  readonly maxBytes: number
}

/**
 * `claimed`: carry it out, under this operation id. It is another one than that of the claim where an earlier attempt ended without
 * an answer and may have done it. `answered`: with the answer. `busy`: another attempt goes on. `other`: the key is that of
 * another request. `full`: there are too many keys.
 */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly operationId: string }
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'busy' | 'other' | 'full' }
