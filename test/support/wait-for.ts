import { setTimeout as sleep } from 'node:timers/promises'

/** Asks every 50 ms until the answer is truthy; rejects after `timeoutMs` (default 60 s), naming what was waited for. */
export async function waitFor<Result>(what: string, check: () => Promise<Result | false | null | undefined>, timeoutMs = 60_000): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await check()
    if (result) return result
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await sleep(50)
  }
}
