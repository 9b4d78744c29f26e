import t from 'tap'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

t.test('an existing queue is hidden once a process registers a task with its name, and its jobs stay with their owner', async t => {
  const [broker, owners] = [await redisUrl(t), await redisUrl(t)]
  const namespace = testNamespace()
  const mail = openQueue(t, 6, 'mail', owners)
  await mail.add('send', { to: 'ada' })
  const shown = await startCombined(t, { broker, namespace, queues: { broker: owners } })
  t.same((await shown.queueApp.monitoring.tasks()).map(({ name, type }) => [name, type]), [['mail', 'external']])
  const worker = await startCombined(t, { broker, namespace }, queueApp => { queueApp.task('mail:welcome', async () => 'sent') })
  await waitFor('the next scan for queues', async () => {
    const tasks = await shown.queueApp.monitoring.tasks()
    return tasks.length === 1 && tasks[0]!.name === 'mail:welcome'
  })
  t.match(await shown.queueApp.monitoring.health(), { status: 'degraded' })
  await shown.queueApp.enqueue('mail:welcome', [])
  await waitFor('its execution', async () =>
    (await worker.queueApp.monitoring.executions({ taskName: 'mail:welcome', status: 'success' })).executions.length === 1)
  t.equal(await mail.count(), 1, 'the job of the owner still waits')
})

t.test('job names appear beside own tasks, with their schedules, failure groups and reasons for waiting', async t => {
  const [broker, owners] = [await redisUrl(t), await redisUrl(t)]
  const mail = openQueue(t, 5, 'mail', owners)
  const worker = startOwnersWorker(t, 5, 'mail', owners)
  await mail.addBulk(Array.from({ length: 12 }, (_, index) => ({ name: index % 2 ? 'welcome' : 'invoice', data: { fail: index === 0 } })))
  await mail.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'invoice', data: {} })
  const { queueApp, read } = await startCombined(t, { broker, queues: { broker: owners } }, app => {
    app.task('report:daily', async () => 'done')
  })
  const scheduler = queueApp.createScheduler()
  await scheduler.scheduleCron('report:daily', '0 4 * * *')
  await queueApp.enqueue('report:daily', [])
  const { monitoring } = queueApp
  await waitFor('both names', async () => (await monitoring.tasks()).length === 4)
  await waitFor('the history', async () => (await monitoring.statistics()).executions.success === 12)
  t.same((await monitoring.tasks()).map(({ name, partOf, schedules }) => [name, partOf, schedules]), [
    ['mail', null, 1], ['mail:invoice', 'mail', 1], ['mail:welcome', 'mail', 0], ['report:daily', null, 1]
  ])
  t.equal((await monitoring.statistics()).registeredTasks, 2, 'job names do not count as tasks')
  t.same((await monitoring.queues()).map(({ name }) => name), ['mail', 'report%3adaily'])
  t.same((await monitoring.schedules({ order: 'nextRun' })).map(({ taskName }) => taskName).toSorted(), ['mail:invoice', 'report:daily'])
  const all = await monitoring.schedules()
  const [first, ...rest] = all
  t.same((await monitoring.schedules({ after: first!, limit: 10 })).map(({ scheduleId }) => scheduleId), rest.map(each => each.scheduleId))
  const from = Date.now() - Date.now() % 3_600_000
  const agenda = await monitoring.scheduleAgenda(from, from + 24 * 3_600_000)
  t.same(agenda.schedules.map(({ total }) => total), [1, 1])
  t.equal(agenda.totals.reduce((total, count) => total + count, 0), 2)
  await worker.close()
  await mail.add('welcome', {})
  const { executions: [waiting] } = await monitoring.executions({ status: 'pending', taskName: 'mail:welcome' })
  t.match(await monitoring.why(waiting!.executionId), { taskName: 'mail:welcome' })
  t.match(await monitoring.jobOf(waiting!.executionId), { taskName: 'mail:welcome' })
  t.match(await read('/search/completions?search=task%3Ama&position=7'), {})
})
