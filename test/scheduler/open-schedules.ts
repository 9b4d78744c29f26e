import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import { createScheduleControl, type ScheduleControl, type ScheduleControlOptions } from '../../lib/scheduler/schedule-control.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { testNamespace } from '../support/servers/stores.ts'

/** Schedules on one store. Each control acts as another process. Only the task `report` is known. */
export async function openSchedules(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'broker', onError: () => {} })
  t.teardown(() => store.stop())
  await store.start()
  const engine = createBullmqEngine(store)
  t.teardown(() => engine.stop())
  await engine.start()

  type Declare = (control: ScheduleControl) => Promise<unknown>
  async function start(options: Partial<ScheduleControlOptions> = {}, declare: Declare = async () => {}): Promise<ScheduleControl> {
    const control = createScheduleControl({
      documents: store.documents, effects: engine, isTaskKnown: async name => name === 'report', taskNames: async () => ['report'],
      retryPolicyOf: () => ({ maxAttempts: 2, backoff: fixedDelay(0) }), onError: error => { t.fail(error.message) }, ...options
    })
    t.teardown(() => control.stop())
    await declare(control)
    await control.start()
    return control
  }
  return { store, engine, start, standing: async () => (await engine.listSchedulers(['report'])).map(({ scheduleId }) => scheduleId) }
}
