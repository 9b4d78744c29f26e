import { setTimeout as sleep } from 'node:timers/promises'
import { isTaskDashboardError } from '../../lib/errors.ts'

const MIN_PAUSE_MS = 50
const MAX_PAUSE_MS = 250

/**
 * Checks until the result is truthy: every 50 ms, and every 250 ms once it has waited long, because checks cost processor time. A 503 is
 * not an error here: a datastore may respond late on a busy machine. Rejects after `timeoutMs` (default 120 s), naming what was awaited.
 * Pass a function to include how far it got.
 */
export async function waitFor<Result>(
  what: string | (() => string), check: () => Promise<Result | false | null | undefined>, timeoutMs = 120_000
): Promise<Result> {
  const startedAt = Date.now()
  let cause: Error | undefined
  for (;;) {
    const result = await check().catch((error: unknown) => {
      if (!isTaskDashboardError(error) || error.statusCode !== 503) throw error
      cause = error
      return null
    })
    if (result) return result
    const waitedMs = Date.now() - startedAt
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain for ${typeof what === 'string' ? what : what()}`, { cause })
    await sleep(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitedMs / 10)))
  }
}
