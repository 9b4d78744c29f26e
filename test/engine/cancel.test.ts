import { Queue } from 'bullmq'
import t from 'tap'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import { connectBullmq } from '../../lib/engine/connection/bullmq-connection.ts'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { HOUR_MS } from '../../lib/time/units.ts'
import { testCancel } from '../contracts/engine-cancel.ts'
import { startEngine } from '../contracts/engine-work.ts'
import { newStore } from '../contracts/store.ts'
import { onEveryStore } from '../support/servers/stores.ts'

t.test('executions are cancelled on each store', t => onEveryStore(t, async (t, url) => {
  const { engine } = await startEngine(t, url)
  await testCancel(t, engine)
}))

t.test('a schedule goes on when a run is cancelled that only a fast clock found due', t => onEveryStore(t, async (t, url) => {
  const store = newStore(url)
  await store.start()
  t.teardown(() => store.stop())
  const engine = createBullmqEngine(store)
  await engine.start()
  t.teardown(() => engine.stop({ graceMs: 0 }))
  const { requests, prefix, factory, ...another } = connectBullmq(store)
  await another.prepare()
  t.teardown(() => another.close())

  const [taskName, scheduleId] = ['report', 'hourly']
  await engine.upsertScheduler({
    scheduleId, taskName, timing: { intervalMs: HOUR_MS, anchorAt: 0 }, args: [], priority: 0, maxAttempts: 1, backoff: fixedDelay(0)
  })
  const nextRunAt = async () => (await engine.listSchedulers([taskName]))[0]?.nextRunAt
  const planned = (await nextRunAt())!
  const executionId = `repeat:${scheduleId}:${planned}`
  const queue = new Queue(queueNameFromTask(taskName), {
    connection: requests, ...prefix !== undefined && { prefix }, skipMetasUpdate: true, skipVersionCheck: true, skipWaitingForReady: true
  }, factory)
  t.teardown(() => queue.close())
  // A worker whose clock is an hour fast has just found it due.
  await (await queue.getJob(executionId))!.promote()

  t.equal(await engine.cancel(taskName, executionId, { requestedAt: Date.now(), requestedBy: 'ada', reason: null }), 'cancelled')
  t.equal(await nextRunAt(), planned + HOUR_MS)
}))
