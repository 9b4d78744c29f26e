import t from 'tap'
import type { Histogram } from '../../../../lib/backend/counting/histogram.ts'
import { addStored } from '../../../../lib/backend/redis/counting/rollup-lines.ts'
import { emptyTally, tallyInto } from '../../../../lib/backend/counting/tally.ts'
import { HOUR_MS } from '../../../../lib/time/units.ts'
import { toLedgerEntries } from '../../../../lib/backend/entry/ledger-entry.ts'
import { makeExecution } from '../../make-execution.ts'
import { openRedisBackend } from '../open-backend.ts'

t.test('counts of every MessagePack width are read as Redis writes them', async t => {
  const { store } = await openRedisBackend(t)
  const counts = [1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 40]
  const line = [
    counts.length, 300, counts.length, ...counts.flatMap((count, i) => [i * 50, count]),
    ...Array.from({ length: 20 }, (_, bin) => [bin, 3]).flat()
  ]
  const packed = await store.client.callBuffer('EVAL', 'return cmsgpack.pack(cjson.decode(ARGV[1]))', 0, JSON.stringify(line)) as Buffer
  const tally = emptyTally()
  addStored(tally, Buffer.concat([Buffer.alloc(4), packed, packed]))
  t.strictSame([tally.success, tally.failed], [20, 600])
  t.strictSame([...tally.duration], counts.map((count, i) => [i * 50, count * 2]))
  t.strictSame([...tally.wait], Array.from({ length: 20 }, (_, bin) => [bin, 6]))
})

t.test('a roll-up written by 400 batches counts all of them and stays small', async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  const expected = emptyTally()
  for (let batch = 0; batch < 400; batch++) {
    const executions = Array.from({ length: 5 }, (_, i) => makeExecution({
      status: i === 4 ? 'failed' : 'success', finishedAt: hour + batch * 1_000, durationMs: batch * 37 % 200 * (i + 1),
      waitMs: i * batch % 90
    }))
    for (const entry of toLedgerEntries(executions)) tallyInto(expected, entry)
    await backend.record(executions)
  }
  const [rollup, ...others] = await backend.rollups({ span: 'hour', fromMs: hour, toMs: hour + HOUR_MS })
  t.equal(others.length, 0)
  const sorted = (histogram: Histogram) => [...histogram].sort(([a], [b]) => a - b)
  t.strictSame([rollup?.tally.success, rollup?.tally.failed], [1_600, 400])
  t.strictSame(sorted(rollup!.tally.duration), sorted(expected.duration))
  t.strictSame(sorted(rollup!.tally.wait), sorted(expected.wait))
  const bins = expected.duration.size + expected.wait.size
  t.ok(await store.client.hstrlen(keys.rollup('hour', hour / HOUR_MS), '') < 4 * bins * 6, `of ${bins} bins`)
})
