/** The datastore's clock, as a process can tell it without asking each time. */
export interface StoreClock {
  /** Milliseconds since the epoch, about as exact as half a round trip. Before the first `set`, the clock of this process. */
  now(): number
  /**
   * Asks the datastore, where that was long ago or this process slept since. Call it before you compare. Rejects only where it never
   * answered.
   */
  set(): Promise<void>
  /**
   * The later of it and of the clock of this process, by which BullMQ plans: what is made now runs from then on, and nothing of it is
   * missed before.
   */
  latest(): number
  /** By how much the clock of this process is ahead of the datastore's, in milliseconds; 0 before the first `set`. */
  aheadMs(): number
}

interface StoreClockOptions {
  readonly wallClock?: () => number
  /** Milliseconds that nobody sets; it may stand still while the machine sleeps. */
  readonly steadyClock?: () => number
}

const SET_AGAIN_MS = 20_000
/** The two clocks of a process drift apart by less, but when one was set or the machine slept. */
const JUMP_MS = 500

/**
 * It decides wherever times of two processes are compared: any of them may run on a machine whose clock is wrong.
 * @param readNow the datastore's time, milliseconds since the epoch; see `Store.now`
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
      const told = await readNow()
      const steadyAt = steadyClock()
      known = { ahead: told + (steadyAt - askedAt) / 2 - steadyAt, steadyAt, wallAt: wallClock() }
    } catch (error) {
      // What is known still serves: the steady clock goes on.
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

/** For what has no datastore to ask. */
export function ownClock(now: () => number = Date.now): StoreClock {
  return { now, latest: now, async set() {}, aheadMs: () => 0 }
}

/** `3600 s ahead of the broker's`. */
export function sayAhead(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the broker's`
}
