import { appendFileSync } from 'node:fs'
import { currentExecution, QueueApp } from '../../../lib/index.ts'

/** One of several processes with the same schedules. Each run writes a line `execution start pid` to a file. */
const [url, namespace, tally, schedules] = process.argv.slice(2) as [string, string, string, string]

const TASKS = 5
const queueApp = QueueApp.fromUrls({ broker: url, namespace })
const scheduler = queueApp.createScheduler()
for (let task = 0; task < TASKS; task++) {
  queueApp.task(
    `tick ${task}`, () => { appendFileSync(tally, `${currentExecution().executionId} ${Date.now()} ${process.pid}\n`) }, { concurrency: 10 }
  )
}
for (let index = 0; index < Number(schedules); index++)
  await scheduler.scheduleInterval(`tick ${index % TASKS}`, 1000, `Every second, ${index}`, { id: `every-second-${index}` })
await queueApp.start()
process.send!('started')
process.on('SIGTERM', () => { void queueApp.stop().then(() => process.disconnect()) })
