import t from 'tap'
import { ownClock } from '../../../lib/stores/store-clock.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { openSchedules } from '../open-schedules.ts'

t.test('runs that were still due when a schedule ended, and did not run, are missed', async t => {
  const { start } = await openSchedules(t, await redisUrl(t))
  const began = Date.now()
  const clock = { now: began }
  const options = {
    clock: ownClock(() => clock.now), localTasks: () => ['report'], servedTasks: async () => new Set(['report']),
    convergeEveryMs: 600_000, watchEveryMs: 300_000
  }
  const before = await start(options)
  const { scheduleId } = await before.create({
    taskName: 'report', timing: { intervalMs: 60_000, timezone: 'UTC' }, endAt: began + 5 * 60_000, catchUp: 'one'
  })
  for (const minute of [1, 2]) {
    clock.now = began + minute * 60_000
    t.equal(await before.beforeRun({ scheduleId, executionId: `run ${minute}`, dueAt: clock.now }), 'run')
  }
  await before.stop()
  clock.now = began + 20 * 60_000
  const after = await start(options)
  await after.converge()
  const told = { kind: 'missed', reason: 'process_down', firstDueAt: began + 3 * 60_000, lastDueAt: began + 5 * 60_000, count: 3 }
  t.match(await after.misses(scheduleId), [told])
  await after.converge()
  t.match(await after.misses(scheduleId), [told])
  t.match(await after.get(scheduleId), { missed: 3, late: 0 })
})
