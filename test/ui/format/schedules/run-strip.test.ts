import t from 'tap'
import type { Execution, ScheduleMiss } from '../../../../schemas/index.ts'
import { latest, type RunEntry } from '../../../../ui/src/format/schedules/run-history.ts'
import { stripWords, toStrip } from '../../../../ui/src/format/schedules/run-strip.ts'

const run = (at: number, status: Execution['status']): RunEntry => ({ kind: 'run', at, execution: { status } as Execution, late: null })
const missed = (at: number, count: number): RunEntry => ({ kind: 'missed', at, miss: { count } as ScheduleMiss })

t.test('the strip has the newest runs in order of time, and a mark for each missed one', async t => {
  const entries = [run(9, 'running'), run(8, 'failed'), missed(7, 3), run(3, 'success'), run(2, 'success')]
  const marks = toStrip(entries, 20)
  t.strictSame(marks, ['success', 'success', 'missed', 'missed', 'missed', 'failed', 'running'])
  t.equal(stripWords(marks), '2 succeeded, 1 failed, 1 running, 3 missed')
  t.strictSame(toStrip(entries, 4), ['missed', 'missed', 'failed', 'running'], 'an outage does not push out later runs')
  t.strictSame(toStrip([], 20), [])
})

t.test('a shorter list of runs still has the misses before it', async t => {
  const whole = { entries: [run(9, 'success'), missed(8, 2), run(7, 'failed'), missed(6, 1)], earlier: [missed(1, 1)] }
  const { entries, earlier } = latest(whole, 2)
  t.strictSame(entries.map(({ at }) => at), [9, 8])
  t.strictSame(earlier.map(({ at }) => at), [6, 1])
})
