import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { fuzzApi } from '../contracts/api-fuzz.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'

const CALLS = isSoak ? 3_000 : 150
const TASK_NAMES = ['email:send', 'reports/daily', '日報']
/** Enough groups that a bulk operation resolving one per second is still running when the calls arrive. */
const FAILURE_GROUPS = 60

t.setTimeout(600_000)

await onEveryStore(t, async (t, url) => {
  const queueApp = QueueApp.fromUrls({ broker: url })
  for (const name of TASK_NAMES) {
    queueApp.task(name, async (...args: unknown[]) => {
      if (args[0] === 'fail') throw Object.assign(new Error('as it was told'), { name: `Fault${String(args[1])}` })
      return args
    })
  }
  const scheduler = queueApp.createScheduler()
  const scheduleIds = await Promise.all(Array.from({ length: 100 }, (_, index) =>
    scheduler.scheduleCron(TASK_NAMES[index % 3]!, '0 0 1 1 *', null, { id: String(index) })))
  await queueApp.start()
  const finishing = (await Promise.all(TASK_NAMES.map(name => queueApp.enqueueMany(name, [[1], ['fail', 0], [{ deep: [null] }]])))).flat()
  const failing = Array.from({ length: FAILURE_GROUPS - 1 }, (_, index) => ['fail', index + 1])
  // Some of these can be retried, and others cancelled, even if earlier calls have changed a few.
  const retryable = (await queueApp.enqueueMany(TASK_NAMES[0]!, failing)).slice(0, 10)
  const pending = await Promise.all(Array.from({ length: 10 }, async (_, index) =>
    queueApp.enqueue(TASK_NAMES[index % 3]!, [1], { delayMs: 86_400_000 })))
  const app = Fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, rateLimit: { writesPerMinute: 1_000_000 } })
  t.teardown(async () => {
    await app.close()
    await queueApp.stop()
  })
  const failed = TASK_NAMES.length + failing.length
  await waitFor('the executions to finish', async () => (await queueApp.monitoring.statistics()).executions.failed === failed)
  const errorGroups = (await queueApp.monitoring.failureGroups({})).groups.map(({ errorGroup }) => errorGroup)
  // The operation is slow enough to be suspended, and does something that can be undone.
  const filter = { taskName: TASK_NAMES[0]! }
  const { operationId } = await queueApp.operations.bulk.create({
    action: 'resolve', filter, taskNames: TASK_NAMES, tasksLeftOut: 0, rate: 1
  })
  await waitFor('a group to be resolved', async () => (await queueApp.monitoring.bulk.find(operationId))!.progress!.done > 0)
  const bulkIds = [operationId]
  const executionIds = [...finishing, ...retryable, ...pending]
  await fuzzApi(t, app, { taskNames: TASK_NAMES, scheduleIds, executionIds, errorGroups, bulkIds }, CALLS)
})
