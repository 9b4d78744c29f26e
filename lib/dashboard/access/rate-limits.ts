import { createHash, randomBytes } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from './client-address.ts'

export interface RateLimitOptions {
  readonly writesPerMinute: number
  readonly failedSignInsPerMinute: number
}

export const RATE_LIMIT_DEFAULTS: RateLimitOptions = { writesPerMinute: 1_200, failedSignInsPerMinute: 30 }
export const MAX_RATE_LIMIT = 1_000_000

/** Limits of one process. Several processes each have their own counts. */
export interface RateLimits {
  /** Seconds to wait if this address sent too many wrong passwords, otherwise null. */
  refusesSignIn(address: string | null): Promise<number | null>
  countFailedSignIn(address: string | null): Promise<void>
  /** Counts a write. Seconds to wait if there were too many, otherwise null. */
  countWrite(address: string | null, user: string | null): Promise<number | null>
}

const MINUTE_SECONDS = 60

type Parts = ReadonlyArray<string | null>

export function createRateLimits({ writesPerMinute, failedSignInsPerMinute }: RateLimitOptions): RateLimits {
  const failedSignIns = new RateLimiterMemory({ points: failedSignInsPerMinute, duration: MINUTE_SECONDS })
  const writes = new RateLimiterMemory({ points: writesPerMinute, duration: MINUTE_SECONDS })
  // Without a secret, someone with many addresses could pick one that shares the count of someone else.
  const secret = randomBytes(16)
  const bucketOf = (address: string | null, ...parts: Parts): string =>
    bucket(secret, [address === null ? null : networkOf(address), ...parts])
  return {
    async refusesSignIn(address) {
      // Without an address, everybody would share one count, and someone who guesses passwords would lock out everyone else.
      if (address === null) return null
      const counted = await failedSignIns.get(bucketOf(address))
      return counted !== null && counted.consumedPoints >= failedSignInsPerMinute ? secondsUntil(counted.msBeforeNext) : null
    },
    async countFailedSignIn(address) {
      if (address !== null) await failedSignIns.penalty(bucketOf(address))
    },
    async countWrite(address, user) {
      const counted = await writes.penalty(bucketOf(address, user))
      return counted.consumedPoints > writesPerMinute ? secondsUntil(counted.msBeforeNext) : null
    }
  }
}

/** One of 65,536 counters, so that memory stays bounded however many addresses there are. Two clients are unlikely to share one. */
function bucket(secret: Buffer, parts: Parts): string {
  return createHash('sha256').update(secret).update(JSON.stringify(parts)).digest('hex').slice(0, 4)
}

function secondsUntil(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}
