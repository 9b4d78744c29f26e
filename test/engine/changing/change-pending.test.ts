import t from 'tap'
import { HOUR_MS } from '../../../lib/time/units.ts'
import { enqueue, startEngine, work } from '../../contracts/engine-work.ts'
import { onEveryStore } from '../../support/servers/stores.ts'

const { now } = Date

/** Runs `call` as in a process whose clock is ahead. */
async function withClockAhead<Result>(byMs: number, call: () => Promise<Result>): Promise<Result> {
  Date.now = () => now() + byMs
  try {
    return await call()
  } finally {
    Date.now = now
  }
}

t.test('an execution that is due now runs at once after a change, whatever the clocks say', t => onEveryStore(t, async (t, url) => {
  const { engine } = await startEngine(t, url)
  const urgent = await enqueue(engine, 'mail')
  const change = await withClockAhead(HOUR_MS, () => engine.change('mail', urgent, { priority: 3 }))
  t.equal(change, 'changed', 'by a dashboard whose clock is ahead of that of the worker')
  const early = await enqueue(engine, 'mail', { delayMs: 2 * HOUR_MS })
  t.equal(await engine.change('mail', early, { dueAt: Date.now() }), 'changed')
  const { finished } = work(t, engine, { taskName: 'mail', run: async () => {} })
  for (const id of [urgent, early]) await finished(id)

  await withClockAhead(-HOUR_MS, async () => {
    const id = await enqueue(engine, 'report')
    t.equal(await engine.change('report', id, { priority: 3 }), 'changed', 'on a broker whose clock is ahead of all others')
    await work(t, engine, { taskName: 'report', run: async () => {} }).finished(id)
  })
}))
