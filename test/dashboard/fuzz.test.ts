import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { fuzzApi } from '../contracts/api-fuzz.ts'
import { isSoak } from '../support/soak.ts'
import { EXECUTION_IDS, sampleQueueApp, TASK_NAMES } from './sample-queue-app.ts'

const CALLS = isSoak ? 12_000 : 1_000

// This takes several seconds even on an idle machine.
t.setTimeout(600_000)

void t.test(`${CALLS} valid and hostile calls are answered as documented`, async t => {
  const app = Fastify()
  const { monitoring, operations } = sampleQueueApp()
  // Deleted schedules come back, so that there is something to find until the last call.
  const deleteSchedule = async (scheduleId: string) => { await operations.setScheduleEnabled(scheduleId, true) }
  await app.register(dashboardPlugin, {
    prefix: '/tasks', queueApp: { monitoring, operations: { ...operations, deleteSchedule } }, rateLimit: { writesPerMinute: 1_000_000 }
  })
  t.teardown(() => app.close())
  const known = {
    taskNames: TASK_NAMES, scheduleIds: ['s-1', 's/2', 'created-1'], executionIds: EXECUTION_IDS, errorGroups: ['abc'],
    bulkIds: ['b-1', 'b-2']
  }
  await fuzzApi(t, app, known, CALLS)
})
