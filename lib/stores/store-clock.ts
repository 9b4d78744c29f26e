/** The datastore's clock, as a process can estimate it without asking every time. */
export interface StoreClock {
  /** Milliseconds since the epoch, accurate to about half a round trip. This process's clock before the first `set`. */
  now(): number
  /**
   * Asks the datastore if the last time was long ago or this process slept since. Call it before you compare times. Rejects only if the
   * datastore has never answered.
   */
  set(): Promise<void>
  /**
   * The later of this clock and this process's own clock, which BullMQ uses for planning. Use it as the time of a change to a schedule: its
   * runs start from then on, and none before that counts as missed.
   */
  latest(): number
  /** How many milliseconds this process's clock is ahead of the datastore's; 0 before the first `set`. */
  aheadMs(): number
}

interface StoreClockOptions {
  readonly wallClock?: () => number
  /** A monotonic clock in milliseconds; it may stand still while the machine sleeps. */
  readonly steadyClock?: () => number
}

const SET_AGAIN_MS = 20_000
/** The process's two clocks drift apart by less, unless one was set or the machine slept. */
const JUMP_MS = 500

/**
 * Use it wherever times of two processes are compared, because any of them may run on a machine with a wrong clock.
 * @param readNow returns the datastore's time, milliseconds since the epoch; see `Store.now`
 */
export function createStoreClock(readNow: () => Promise<number>, options: StoreClockOptions = {}): StoreClock {
  const { wallClock = Date.now, steadyClock = () => performance.now() } = options
  let known: { readonly ahead: number; readonly steadyAt: number; readonly wallAt: number } | undefined
  let setting: Promise<void> | undefined

  function isFresh(): boolean {
    if (known === undefined) return false
    const passed = steadyClock() - known.steadyAt
    return passed < SET_AGAIN_MS && Math.abs(wallClock() - known.wallAt - passed) < JUMP_MS
  }

  async function ask(): Promise<void> {
    const askedAt = steadyClock()
    try {
      const storeTime = await readNow()
      const steadyAt = steadyClock()
      known = { ahead: storeTime + (steadyAt - askedAt) / 2 - steadyAt, steadyAt, wallAt: wallClock() }
    } catch (error) {
      // The last value is still good, because the monotonic clock keeps running.
      if (known === undefined) throw error
    }
  }

  const now = (): number => known === undefined ? wallClock() : Math.round(steadyClock() + known.ahead)
  return {
    now,
    latest: () => Math.max(now(), wallClock()),
    set: async () => { if (!isFresh()) await (setting ??= ask().finally(() => { setting = undefined })) },
    aheadMs: () => wallClock() - now()
  }
}

/** For callers without a datastore. */
export function ownClock(now: () => number = Date.now): StoreClock {
  return { now, latest: now, async set() {}, aheadMs: () => 0 }
}

/** For example `3600 s ahead of the broker's`. */
export function describeSkew(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the broker's`
}
