import type { Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import type { Engine } from '../../lib/engine/engine.ts'
import type { TaskDashboardError } from '../../lib/errors.ts'
import type { ScheduleControl, ScheduleControlOptions } from '../../lib/scheduler/schedule-control.ts'
import { createScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import type { ScheduleInput } from '../../lib/scheduler/schedules.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import type { Store } from '../../lib/stores/store.ts'
import { testNamespace } from '../support/servers/stores.ts'

export const INTERVAL: ScheduleInput = { taskName: 'report', timing: { intervalMs: 3_600_000, timezone: 'UTC' } }

export const DAILY: ScheduleInput = {
  taskName: 'email:send', timing: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' }, description: 'Morning mail', args: ['ana', { n: 1 }],
  priority: 5, overlap: 'skip'
}

const TASKS = ['report', 'email:send', '日報']

export async function openStore(t: Test, url: string, namespace = testNamespace()): Promise<Store> {
  const store = createStore(url, { namespace, role: 'broker', onError: () => {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}

export async function openEngine(t: Test, store: Store): Promise<Engine> {
  const engine = createBullmqEngine(store)
  t.teardown(() => engine.stop())
  await engine.start()
  return engine
}

type Effects = ScheduleControlOptions['effects']

/** Another process of the queue app, reduced to its schedules. */
export function addProcess(t: Test, store: Store, effects: Effects, options: Partial<ScheduleControlOptions> = {}): ScheduleControl {
  const control = createScheduleControl({
    documents: store.documents,
    effects,
    isTaskKnown: async name => TASKS.includes(name),
    taskNames: async () => TASKS,
    retryPolicyOf: () => ({ maxAttempts: 3, backoff: fixedDelay(1000) }),
    onError: error => { t.fail(error.message) },
    ...options
  })
  t.teardown(() => control.stop())
  return control
}

export async function standing(effects: Effects): Promise<string[]> {
  return (await effects.listSchedulers(TASKS)).map(({ scheduleId }) => scheduleId).sort()
}

const withCode = (code: string, pointer?: string) => (error: TaskDashboardError): boolean =>
  error.code === code && (pointer === undefined || (error.errors ?? []).some(fault => fault.pointer === pointer))

export async function rejectsWith(t: Test, work: Promise<unknown>, code: string, pointer?: string): Promise<void> {
  const error = await work.then(() => null, (error: TaskDashboardError) => error)
  t.ok(error && withCode(code, pointer)(error), `${code} ${pointer ?? ''}: ${error?.message}`)
}
