import t from 'tap'
import type { TaskDashboardError } from '../../../lib/errors.ts'
import { createMissingTasks } from '../../../lib/scheduler/runs/missing-tasks.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openSchedules } from '../open-schedules.ts'

function watch() {
  const state = {
    at: 10_000, registered: ['report'], declared: [] as string[], known: ['report', 'gone'], told: [] as TaskDashboardError[]
  }
  const missing = createMissingTasks({
    registeredTasks: async () => new Set(state.registered), declaredTasks: async () => new Set(state.declared),
    taskNames: async () => state.known,
    onError: error => { state.told.push(error as TaskDashboardError) }, now: () => state.at
  })
  async function look(after: number, ...scheduled: string[]): Promise<number> {
    state.at += after
    await missing.look(new Map(scheduled.map(name => [name, 2])))
    return missing.schedules
  }
  return { state, look, messages: () => state.told.map(error => error.message) }
}

t.test('a scheduled task that was never registered is reported once, a minute after it was first missing', async t => {
  const { state, look, messages } = watch()
  t.equal(await look(0, 'report', 'emial:send'), 0, 'during a deployment its process may start a little later')
  t.equal(await look(59_000, 'report', 'emial:send'), 0)
  t.equal(await look(1_000, 'report', 'emial:send'), 2)
  t.equal(await look(600_000, 'report', 'emial:send'), 2)
  t.match(state.told, [{ code: 'SCHEDULE_WITHOUT_TASK', message: /^There are schedules for the task "emial:send", which no process registers/ }])
  t.equal(messages().length, 1)
  t.equal(await look(1_000, 'report'), 0, 'the schedule is deleted or disabled')
})

t.test('a task that is registered or declared is no longer missing, and is reported again when it goes missing again', async t => {
  const { state, look, messages } = watch()
  await look(0, 'a', 'b')
  t.equal(await look(60_000, 'a', 'b'), 4)
  state.registered.push('a')
  state.declared.push('b')
  t.equal(await look(1_000, 'a', 'b'), 0)
  state.registered = []
  t.equal(await look(1_000, 'a', 'b'), 0)
  t.equal(await look(60_000, 'a', 'b'), 2)
  t.match(messages(), [/the tasks "a", "b"/, /the task "a"/])
})

t.test('a task seen within the week gets longer, because its process may be the last to return after an outage', async t => {
  const { look } = watch()
  t.equal(await look(0, 'gone'), 0)
  t.equal(await look(299_000, 'gone'), 0)
  t.equal(await look(1_000, 'gone'), 2)
  t.equal(await look(0), 0)
  t.equal(await look(0, 'gone'), 0)
  t.equal(await look(119_000, 'gone'), 0, 'a machine that slept has all its processes late')
  t.equal(await look(1_000, 'gone'), 2)
})

t.test('only a few of many tasks are named', async t => {
  const { look, messages } = watch()
  const names = Array.from({ length: 300 }, (_, index) => `task ${index}`)
  await look(0, ...names)
  t.equal(await look(60_000, ...names), 600)
  t.match(messages(), [/the tasks "task 0", "task 1", "task 2", "task 3", "task 4" and 295 more,/])
})

t.test('health and the schedule itself show that no process registers its task', async t => onEveryStore(t, async (t, url) => {
  const { start } = await openSchedules(t, url)
  const told: Error[] = []
  let uptimeMs = 0
  const control = await start({
    watchEveryMs: 10, convergeEveryMs: 20, registeredTasks: async () => new Set(['report']), uptimeMs: () => uptimeMs,
    onError: error => { told.push(error) }
  }, async ({ scheduler }) => {
    await scheduler.scheduleCron('report', '0 6 1 1 *')
    await scheduler.scheduleCron('reprot', '0 6 1 1 *')
    await scheduler.scheduleCron('rpeort', '0 6 1 1 *', null, { enabled: false })
  })
  await control.converge()
  t.match(control.status(), { healthy: true })
  await waitFor('it to be told', async () => {
    // Each check finds that a minute has passed.
    uptimeMs += 60_000
    return told.length > 0
  })
  t.match(told, [{ code: 'SCHEDULE_WITHOUT_TASK', message: /"reprot"/ }])
  t.match(control.status(), {
    healthy: false, message: '1 schedule names a task that no process registers: its runs are missed until one does'
  })
  t.same(
    (await control.list()).map(({ taskName, taskRegistered }) => [taskName, taskRegistered]).sort(),
    [['report', true], ['reprot', false], ['rpeort', false]]
  )
  await control.setEnabled((await control.list({ taskName: 'reprot' }))[0]!.scheduleId, false)
  await waitFor('health to be well again', async () => control.status().healthy)
}))
