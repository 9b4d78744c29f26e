/**
 * Stored responses to requests with an idempotency key, so that a repeat gets the same response. Every call is one round trip, has a
 * timeout, and rejects with the datastore's own error. Times use the datastore's clock. Expired keys are removed by later claims and by
 * `sweep`; Redis expires them itself.
 */
export interface AnswerStore {
  /**
   * Claims a key for a request that is about to be carried out, or returns what happened to the previous request. Idempotent for the same
   * `holder`, because a broken connection sends the claim twice.
   */
  claim(id: string, claim: Claim, limits: AnswerLimits): Promise<ClaimOutcome>
  /** Stores the response. Does nothing if another holder has the key by then. */
  save(id: string, holder: string, answer: string): Promise<void>
  /** Releases the key of a request that has no response to store. A repeat is carried out at once, under the same operation id. */
  abandon(id: string, holder: string): Promise<void>
  /**
   * Removes some expired keys.
   * @returns how many; 0 if none are left
   */
  sweep(): Promise<number>
}

export interface Claim {
  /** Identifies the request: a claim with a different fingerprint does not get the key. */
  readonly fingerprint: string
  /** Identifies this attempt. */
  readonly holder: string
  /** Names the operation; a repeat inherits it from the first attempt. */
  readonly operationId: string
}

export interface AnswerLimits {
  /** Milliseconds for which a key without a response belongs to its holder. */
  readonly leaseMs: number
  /** Milliseconds for which a key is stored. */
  readonly ttlMs: number
  /** Number of keys, and bytes of responses, above which no new key is accepted. */
  readonly maxKeys: number
  readonly maxBytes: number
}

/**
 * `claimed`: carry out the request under this operation id. The id differs from the claim's if an earlier attempt ended without a response
 * and may have done the work. `answered`: has the stored response. `busy`: another attempt is in progress. `other`: the key belongs to a
 * different request. `full`: a limit on keys or bytes is reached.
 */
export type ClaimOutcome =
  | { readonly state: 'claimed'; readonly operationId: string }
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'busy' | 'other' | 'full' }
