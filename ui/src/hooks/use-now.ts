import { useSyncExternalStore } from 'react'
import { currentTime, hasClockJumped } from '../format/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../format/time/units.ts'
import { createListeners } from './listeners.ts'

// One clock for the whole page. It stops while the page is hidden or nothing shows the time.
const listeners = new Set<() => void>()
const jumped = createListeners()
let now = currentTime()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  if (hasClockJumped()) jumped.tell()
  now = currentTime()
  for (const listener of listeners) listener()
}

function run(): void {
  const wanted = listeners.size > 0 && document.visibilityState === 'visible'
  if (wanted && timer === undefined) {
    timer = setInterval(tick, 1000)
    tick()
  } else if (!wanted && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}

document.addEventListener('visibilitychange', run)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  run()
  return () => {
    listeners.delete(listener)
    run()
  }
}

/** Calls back after the reader's clock was changed or the machine has slept, at the next tick of the clock. */
export const onClockJump = jumped.subscribe

/** Milliseconds since the epoch, every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** A value computed from the time every second; rerenders only when the value changes. */
export function useTick<T extends string | number | boolean>(compute: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => compute(now))
}

/** The start of the minute, milliseconds since the epoch. */
export function useMinute(): number {
  return useTick(at => Math.floor(at / MINUTE_MS) * MINUTE_MS)
}

/** The start of the hour, milliseconds since the epoch: for values that change only once an hour. */
export function useHour(): number {
  return useTick(at => Math.floor(at / HOUR_MS) * HOUR_MS)
}
