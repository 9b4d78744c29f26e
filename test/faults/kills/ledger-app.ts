import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentExecution, QueueApp } from '../../../lib/index.ts'

/**
 * One of several processes that run the same tasks until they are killed. Each run writes a line at its start and at its end to a
 * file of the process.
 */
const [broker, backend, namespace, folder] = process.argv.slice(2) as [string, string, string, string]

const diary = join(folder, `${process.pid}.log`)
const write = (...words: Array<string | number>): void => appendFileSync(diary, `${words.join(' ')}\n`)

/** Its outcome depends only on its number. */
async function handle(number: number, failures: number): Promise<number> {
  const { executionId, attempt } = currentExecution()
  write('start', executionId, attempt, Date.now())
  await sleep(200 + number % 7 * 100)
  if (attempt <= failures) {
    write('failed', executionId, attempt, Date.now())
    throw new RangeError(`attempt ${attempt} of number ${number} fails`)
  }
  write('success', executionId, attempt, Date.now())
  return number
}

let queueApp: QueueApp
let isStopping = false
process.on('SIGTERM', () => {
  isStopping = true
  void queueApp.stop().then(() => process.exit())
})
for (;;) {
  queueApp = QueueApp.fromUrls({ broker, backend, namespace, onError() {} })
  for (const name of ['steady', 'flaky', 'hopeless']) queueApp.task(name, handle, { concurrency: 10, retries: 2, retryDelay: 0.2 })
  const isStarted = await queueApp.start().then(() => true, () => false)
  if (isStarted || isStopping) break
  // A store is down. A supervisor would restart the process.
  await sleep(500)
}
process.send!('started')
