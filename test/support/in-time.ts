import type { Test } from 'tap'

const MAX_ATTEMPTS = 3

/**
 * One of up to three calls ends within its time: a busy machine is late once, a wrong deadline each time. The call may assert
 * what it gives, and does so each time.
 */
export async function inTime<Result>(t: Test, what: string, withinMs: number, call: () => Result | Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const start = performance.now()
    const result = await call()
    const tookMs = Math.round(performance.now() - start)
    if (tookMs >= withinMs && attempt < MAX_ATTEMPTS) continue
    t.ok(tookMs < withinMs, `${what} in ${withinMs} ms (${tookMs} ms, attempt ${attempt})`)
    return result
  }
}
