import type { Test } from 'tap'

const MAX_ATTEMPTS = 3

/**
 * Passes if one of up to three calls finishes in time: a busy machine is late once, but a broken deadline every time. The call may make
 * assertions of its own; they run on each attempt.
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
