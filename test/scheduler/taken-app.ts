import { fixedDelay } from '../../lib/time/backoff.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import { startWorker } from '../../lib/queue-app/tasks/worker.ts'
import { createRegisteredTask } from '../../lib/queue-app/tasks/task.ts'
import { createScheduleControl } from '../../lib/scheduler/schedule-control.ts'
import { createStore } from '../../lib/stores/create-store.ts'

/** A process that takes a scheduled run and never finishes it: it is either killed, or stopped and hands the run back. */
const [url, namespace, catchUp] = process.argv.slice(2) as [string, string, 'none' | 'one']

const onError = (error: Error) => { console.error(error) }
const store = createStore(url, { namespace, role: 'broker', onError })
await store.start()
const engine = createBullmqEngine(store)
await engine.start()
const control = createScheduleControl({
  documents: store.documents, effects: engine, isTaskKnown: async () => true, taskNames: async () => ['report'],
  localTasks: () => ['report'],
  retryPolicyOf: () => ({ maxAttempts: 1, backoff: fixedDelay(0) }), onError
})
await control.scheduler.scheduleInterval('report', 1_000, null, { catchUp })
await control.start()
const task = createRegisteredTask('report', () => {
  process.send!('taken')
  return new Promise(() => {})
}, { concurrency: 1 })
startWorker(task, { engine, workerId: 'first', guard: control, onFinished() {}, onAttemptFailed() {}, onError })

process.on('message', async () => {
  await control.stop()
  await engine.stop({ graceMs: 0 })
  control.stopGuarding()
  await store.stop()
  process.disconnect()
})
