import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { fixedDelay } from '../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import type { FinishedExecution } from '../../lib/execution.ts'
import { startWorker } from '../../lib/queue-app/tasks/worker.ts'
import { createRegisteredTask } from '../../lib/queue-app/tasks/task.ts'
import { createScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import { ownClock } from '../../lib/stores/store-clock.ts'
import { endLocks } from '../support/servers/end-locks.ts'
import { LOADER } from '../support/loader.ts'
import { onEveryStore, testNamespace } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

const TEN_MINUTES = 600_000

for (const how of ['handed back by a stop', 'lost with a kill'] as const) {
  t.test(`a run that was ${how} is resumed ten minutes later, and finishes`, async t => onEveryStore(t, async (
    t, url, kind
  ) => {
    for (const then of kind === 'redis'
      ? ['on', 'off', 'deleted'] as const
      : how === 'lost with a kill' ? ['off'] as const : ['on'] as const)
      await t.test(`its schedule is ${then}`, t => takeUpAgain(t, url, how, then))
  }))
}

async function takeUpAgain(
  t: Test, url: string, how: 'handed back by a stop' | 'lost with a kill', then: 'on' | 'off' | 'deleted'
): Promise<void> {
  const namespace = testNamespace()
  await takeAndLeave(t, [url, namespace, 'none'], how)

  const store = createStore(url, { namespace, role: 'broker', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const engine = createBullmqEngine(store)
  t.teardown(() => engine.stop({ graceMs: 0 }))
  await engine.start()
  const now = () => Date.now() + TEN_MINUTES
  const control = createScheduleControl({
    documents: store.documents, effects: engine, isTaskKnown: async () => true, taskNames: async () => ['report'],
    localTasks: () => ['report'],
    retryPolicyOf: () => ({ maxAttempts: 1, backoff: fixedDelay(0) }), onError: error => { t.fail(error.message) }, clock: ownClock(now)
  })
  t.teardown(() => control.stop())
  await control.start()
  const [schedule] = await control.list()
  if (then === 'off') await control.setEnabled(schedule!.scheduleId, false)
  if (then === 'deleted') await control.delete(schedule!.scheduleId)
  await endLocks(store, engine.queueOf('report'))

  const finished: FinishedExecution[] = []
  const runs: string[] = []
  const task = createRegisteredTask('report', () => { runs.push('run') }, { concurrency: 1 })
  const worker = startWorker(task, {
    engine, workerId: 'second', guard: control, onFinished: execution => { finished.push(execution) }, onAttemptFailed() {},
    onError: error => { t.fail(error.message) }
  })
  await waitFor('the run', async () => finished.length > 0)
  t.match(finished[0], { status: 'success', attempt: 1, workerId: 'second', scheduleId: schedule!.scheduleId, waitMs: Number })
  t.match(
    finished[0]!.losses, [{ attempt: 1, workerId: 'first', startedAt: Number, endedAt: Number, isHandedBack: how !== 'lost with a kill' }]
  )
  if (then === 'on') {
    // What was planned in the meantime and never started is missed.
    const [missed] =
      await waitFor('the next one', async () => {
        const found = await control.misses(schedule!.scheduleId)
        return found.length > 0 && found
      })
    t.match(missed, { kind: 'missed', reason: 'process_down' })
    t.ok(missed!.firstDueAt > Number(finished[0]!.executionId.split(':').at(-1)), 'the started run is not among them')
  }
  await worker.stop({ graceMs: 0 })
  t.equal(runs.length, 1, 'no other run was admitted')
  if (then !== 'on') t.same(await engine.listSchedulers(['report']), [], 'the schedule stays as it was left')
}

async function takeAndLeave(t: Test, args: readonly string[], how: 'handed back by a stop' | 'lost with a kill'): Promise<void> {
  const child: ChildProcess = fork(fileURLToPath(new URL('taken-app.ts', import.meta.url)), args, {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  const exit = once(child, 'exit')
  await Promise.race([once(child, 'message'), exit.then(([code]) => { throw new Error(`the process ended with code ${code}`) })])
  if (how === 'lost with a kill') child.kill('SIGKILL')
  else child.send('stop')
  await exit
}
