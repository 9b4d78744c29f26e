import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import { testCancel } from '../../contracts/engine-cancel.ts'
import { openQueues, startEngine } from '../../contracts/engine-work.ts'
import { onEveryStore } from '../../support/servers/stores.ts'

t.test('executions are cancelled on each store', t => onEveryStore(t, async (t, url) => {
  const { engine } = await startEngine(t, url)
  await testCancel(t, engine)
}))

t.test('a schedule continues when a run is cancelled that was due only by a fast clock', t => onEveryStore(t, async (t, url) => {
  const { engine, store } = await startEngine(t, url)
  const queueOf = await openQueues(t, store)
  const [taskName, scheduleId] = ['report', 'hourly']
  await engine.upsertScheduler({
    scheduleId, taskName, timing: { intervalMs: HOUR_MS, anchorAt: 0 }, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0)
  })
  const nextRunAt = async () => (await engine.listSchedulers([taskName]))[0]?.nextRunAt
  const planned = (await nextRunAt())!
  const executionId = `repeat:${scheduleId}:${planned}`
  // A worker whose clock is an hour fast has just found it due.
  await (await queueOf(taskName).getJob(executionId))!.promote()

  t.equal(await engine.cancel(taskName, executionId, { requestedAt: Date.now(), requestedBy: 'ada', reason: null }), 'cancelled')
  t.equal(await nextRunAt(), planned + HOUR_MS)
}))
