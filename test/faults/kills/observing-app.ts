import { setTimeout as sleep } from 'node:timers/promises'
import { QueueApp } from '../../../lib/index.ts'

/** Observes the queues of a server until it is killed. */
const [broker, backend, namespace] = process.argv.slice(2) as [string, string, string]

let queueApp: QueueApp
process.on('SIGTERM', () => { void queueApp.stop().then(() => process.exit()) })
for (;;) {
  queueApp = QueueApp.fromQueues({ broker }, { backend, namespace, onError: error => process.send!(error.message) })
  const isStarted = await queueApp.start().then(() => true, () => false)
  if (isStarted) break
  // A store is down. A supervisor would restart the process.
  await queueApp.stop()
  await sleep(200)
}
process.send!('started')
