import type { Test } from 'tap'
import type { TestScope } from '../support/servers/stores.ts'
import { testCpuTasks } from './engine-cpu-tasks.ts'
import { testFinished } from './engine-finished.ts'
import { testLists } from './engine-lists.ts'
import { testRuns } from './engine-runs.ts'
import { testSchedules } from './engine-schedules.ts'
import { openQueues, startEngine } from './engine-work.ts'

/** The contract of the engine on every store. `openUrl` gives a fresh, empty one. */
export async function testEngine(t: Test, openUrl: (t: TestScope) => Promise<string>): Promise<void> {
  const { engine, store } = await startEngine(t, await openUrl(t))
  await testRuns(t, engine)
  await testLists(t, engine)
  await testFinished(t, engine)
  await testSchedules(t, engine, await openQueues(t, store))
  await testCpuTasks(t, engine)
}
