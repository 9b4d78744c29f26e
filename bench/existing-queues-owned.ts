/** What the owner of existing queues tells its parent. */
export interface Owned {
  readonly pickUpP99: number
  readonly finished: number
  readonly seconds: number
}

export const OWNED_QUEUES = 10
