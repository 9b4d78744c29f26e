import t from 'tap'
import type { RollupQuery } from '../../../lib/backend/result-backend.ts'
import { emptyTally, spansTouched } from '../../../lib/backend/counting/tally.ts'
import { HOUR_MS, MINUTE_MS } from '../../../lib/time/units.ts'
import { createLastHour } from '../../../lib/queue-app/monitoring/last-hour.ts'

t.test('the last hour is complete at every moment, and includes what is recorded late', async t => {
  let at = 100 * HOUR_MS + 30_000
  const success = new Map<number, number>()
  const asked: RollupQuery[] = []
  const lastHour = createLastHour({
    async rollups(query) {
      asked.push(query)
      const { first, end } = spansTouched(query.fromMs, query.toMs, MINUTE_MS, Infinity)
      return [...success].filter(([minute]) => minute >= first && minute < end)
        .map(([minute, count]) => ({ startMs: minute * MINUTE_MS, tally: { ...emptyTally(), success: count } }))
    }
  }, () => at)
  const minuteOf = (time: number) => Math.floor(time / MINUTE_MS)
  for (let minute = minuteOf(at) - 70; minute < minuteOf(at) + 30; minute++) success.set(minute, 1)
  const read = async () => {
    const { hour, perMinute } = await lastHour()
    return [hour.success, perMinute]
  }

  t.same(await read(), [61, 6 / 5.5], 'the minutes it touches; 6 of the last 5.5 minutes')
  asked.length = 0
  at += 5_000
  t.same((await read())[0], 61)
  t.ok(asked.every(({ fromMs, toMs }) => toMs - fromMs < 7 * MINUTE_MS), 'only the live minutes are read')
  // Nothing is lost or counted twice when a minute ends between two reads of the earlier minutes.
  for (let step = 0; step < 100; step++) {
    at += 7_000
    const [hour, perMinute] = await read()
    t.ok(hour! >= 60 && hour! <= 62, `${hour} after ${step} steps`)
    // One execution finishes at the start of each minute.
    const first = Math.floor(at / MINUTE_MS - 5)
    t.equal(perMinute, (Math.ceil(at / MINUTE_MS) - first) * MINUTE_MS / (at - first * MINUTE_MS), `a minute after ${step} steps`)
  }
  success.set(minuteOf(at) - 30, 1_001)
  at += 11_000
  await read()
  await new Promise(resolve => setImmediate(resolve))
  t.ok((await read())[0]! >= 1_061)
})
