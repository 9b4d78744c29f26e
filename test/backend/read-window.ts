import type { ResultBackend } from '../../lib/backend/result-backend.ts'
import type { FinishedWindow } from '../../lib/backend/counting/tally.ts'
import { ROLLUP_SPANS, TallySum } from '../../lib/backend/counting/tally.ts'
import { HOUR_MS } from '../../lib/time/units.ts'

/** What finished in [fromMs, toMs) according to the roll-ups: by minute, or by hour where minutes are no longer kept. */
export async function readWindow(backend: Pick<ResultBackend, 'rollups'>, fromMs: number, toMs: number): Promise<FinishedWindow> {
  const span = fromMs >= Date.now() - ROLLUP_SPANS.minute.keptMs + HOUR_MS ? 'minute' : 'hour'
  const sum = new TallySum()
  for (const { tally } of await backend.rollups({ span, fromMs, toMs })) sum.add(tally)
  return sum.toWindow()
}
