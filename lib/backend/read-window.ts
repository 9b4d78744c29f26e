import type { FinishedWindow, ResultBackend } from './result-backend.ts'
import { TallySum, hasMinutes } from './tally.ts'

/** What finished in [fromMs, toMs), out of roll-ups: of minutes, or of hours where minutes are no longer kept. */
export async function readWindow(rollups: ResultBackend['rollups'], fromMs: number, toMs: number): Promise<FinishedWindow> {
  const span = hasMinutes(fromMs, Date.now()) ? 'minute' : 'hour'
  const sum = new TallySum()
  for (const { tally } of await rollups({ span, fromMs, toMs })) sum.add(tally)
  return sum.toWindow()
}
