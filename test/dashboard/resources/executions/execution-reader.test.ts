import Fastify from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createExecutionReader } from '../../../../lib/dashboard/resources/executions/execution-reader.ts'
import { createSnapshots } from '../../../../lib/dashboard/resources/snapshots.ts'
import { dashboardPlugin } from '../../../../lib/index.ts'
import type { Monitoring } from '../../../../lib/queue-app/monitoring/monitoring.ts'
import type { ExecutionPage } from '../../../../schemas/index.ts'
import { PRUNED_ID, sampleQueueApp, TASK_NAMES } from '../../sample-queue-app.ts'
import { inTime } from '../../../support/in-time.ts'

/** Shorter than the time limit of a response, but two in a row exceed it. */
const SLOW_MS = 1_300

const slowly = <Parameters extends unknown[], Result>(read: (...parameters: Parameters) => Promise<Result>, ms: number) =>
  async (...parameters: Parameters): Promise<Result> => {
    await sleep(ms)
    return read(...parameters)
  }

function slowMonitoring(ms = SLOW_MS): Monitoring {
  const { monitoring } = sampleQueueApp()
  const { execution, removalOf, task, schedule, executions } = monitoring
  return {
    ...monitoring,
    execution: slowly(execution, ms), removalOf: slowly(removalOf, ms), task: slowly(task, ms), schedule: slowly(schedule, ms),
    executions: slowly(executions, ms)
  }
}

t.test('two slow steps to find an execution share the time limit of one response', async t => {
  await t.rejects(createExecutionReader(slowMonitoring(4_000), createSnapshots()).get(PRUNED_ID), { code: 'NO_ANSWER' })
  await t.rejects(createExecutionReader(sampleQueueApp().monitoring, createSnapshots()).get(PRUNED_ID), { code: 'EXECUTION_PRUNED' })
})

t.test('the executions of a task or schedule are read while its existence is checked', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp({ monitoring: slowMonitoring() }), access: 'host' })
  // Two reads in a row would exceed this.
  const get = (path: string) => inTime(t, path, 2 * SLOW_MS, () => app.inject(`/tasks/api/${path}/executions`))
  const [ofTask, ofSchedule, ofNone, withBadCursor] = await Promise.all([
    get(`tasks/${encodeURIComponent(TASK_NAMES[0]!)}`), get('schedules/s-1'), get('tasks/none'), get('schedules/none')
  ])
  t.equal(ofTask.statusCode, 200)
  t.ok(ofTask.json<ExecutionPage>().items.length > 0)
  t.equal(ofSchedule.statusCode, 200)
  t.match([ofNone.json(), withBadCursor.json()], [{ code: 'TASK_NOT_FOUND' }, { code: 'SCHEDULE_NOT_FOUND' }])
  t.equal((await app.inject('/tasks/api/tasks/none/executions?cursor=bad')).json<{ code: string }>().code, 'TASK_NOT_FOUND')
})
