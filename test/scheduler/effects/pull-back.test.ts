import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { QueueApp } from '../../../lib/index.ts'
import { createPullBack } from '../../../lib/scheduler/effects/pull-back.ts'
import { toApiDocument } from '../../../lib/scheduler/definitions/schedule-document.ts'
import { toScheduleDefinition } from '../../../lib/scheduler/definitions/schedule-input.ts'
import type { ScheduleTiming } from '../../../lib/scheduler/schedules.ts'
import { LOADER } from '../../support/loader.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const NOW = Date.UTC(2026, 10, 22, 8, 30)
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS

t.setTimeout(180_000)

t.test('a next run further away than the schedule allows is planned again', async t => {
  const everySecond: ScheduleTiming = { intervalMs: SECOND_MS, timezone: 'UTC' }
  const daily: ScheduleTiming = { cron: '0 9 * * *', timezone: 'UTC' }
  const hourly: ScheduleTiming = { cron: '0 * * * *', timezone: 'UTC' }
  const nine = Date.UTC(2026, 10, 22, 9)
  t.equal(await plannedAnew(everySecond, NOW + SECOND_MS), 0, 'the next second')
  t.equal(await plannedAnew(everySecond, NOW + 20 * SECOND_MS), 0, 'a clock 20 seconds fast')
  t.equal(await plannedAnew(everySecond, NOW + HOUR_MS), 1, 'an hour ahead')
  t.equal(await plannedAnew(daily, nine), 0, 'today')
  t.equal(await plannedAnew(daily, nine + 24 * HOUR_MS), 0, "tomorrow, as today's run may have been early")
  t.equal(await plannedAnew(daily, nine + 48 * HOUR_MS), 1, 'the day after')
  t.equal(await plannedAnew(hourly, nine + HOUR_MS), 0)
  t.equal(await plannedAnew(hourly, nine + 2 * HOUR_MS), 1)
})

t.test('nothing is planned again while a clock is still wrong', async t => {
  const timing: ScheduleTiming = { intervalMs: SECOND_MS, timezone: 'UTC' }
  t.equal(
    await plannedAnew(timing, NOW + HOUR_MS, { othersAheadMs: HOUR_MS }), 0, 'the clock of a worker, which would take the new plan at once'
  )
  t.equal(await plannedAnew(timing, NOW + HOUR_MS, { clockAheadMs: HOUR_MS }), 0, 'the clock of this process')
  t.equal(await plannedAnew(timing, NOW + HOUR_MS, { clockAheadMs: -HOUR_MS }), 0)
  t.equal(await plannedAnew(timing, NOW + HOUR_MS, { clockAheadMs: 5 * SECOND_MS, othersAheadMs: 5 * SECOND_MS }), 1)
})

t.test("a schedule resumes soon after its worker's clock, which was an hour fast, is corrected", async t => {
  const url = await redisUrl(t)
  const web = QueueApp.fromUrls({ broker: url, onError() {} })
  await web.start()
  t.teardown(() => web.stop())
  const worker = fork(
    fileURLToPath(new URL('wrong-clock-worker.ts', import.meta.url)), [url, String(HOUR_MS)],
    { execArgv: [...LOADER], stdio: 'inherit' }
  )
  t.teardown(() => worker.kill('SIGKILL'))
  await once(worker, 'message')
  const standsAt = async (): Promise<number> => (await web.monitoring.schedules())[0]?.nextRunAt ?? 0
  await waitFor('the schedule to be planned an hour ahead', async () => await standsAt() > Date.now() + HOUR_MS / 2)
  await waitFor('health to name the clock', async () => /clock/.test(JSON.stringify((await web.monitoring.health()).components)))

  worker.send('right clock')
  await waitFor('the schedule to be planned for now', async () => await standsAt() < Date.now() + 60 * SECOND_MS)
  const before = (await web.monitoring.statistics()).executions.success
  await waitFor('the schedule to run again', async () => (await web.monitoring.statistics()).executions.success > before + 3)
  t.pass('it runs')
})

/** How many times a schedule with this next run is planned again in two passes. */
async function plannedAnew(timing: ScheduleTiming, nextRunAt: number, { clockAheadMs = 0, othersAheadMs = 0 } = {}): Promise<number> {
  const clock = { now: () => NOW, latest: () => NOW, async set() {}, aheadMs: () => clockAheadMs }
  let isPlanned = false
  let count = 0
  const pullBack = createPullBack({
    clock,
    clocksAheadMs: async () => othersAheadMs,
    store: { change: async () => { throw new Error('no document is changed') } },
    scheduleEffects: { settle: async () => null },
    effects: {
      async planSchedulerAnew() {
        count++
        return isPlanned = true
      }
    }
  })
  const value = toApiDocument(toScheduleDefinition({ taskName: 'report', timing }), NOW - 24 * HOUR_MS)
  const definition = {
    scheduleId: 'sch_1', taskName: 'report', timing: { intervalMs: SECOND_MS, anchorAt: 0 }, jitterMs: 0, startAt: null, endAt: null,
    args: [], priority: 0, maxAttempts: 1,
    backoff: fixedDelay(0)
  }
  for (let pass = 0; pass < 2; pass++) {
    await pullBack(
      [{ schedule: { id: 'sch_1', version: 1, value }, definition, nextRunAt: isPlanned ? NOW + SECOND_MS : nextRunAt }],
      async work => { await work() }
    )
  }
  return count
}
