import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentExecution, QueueApp } from '../../../lib/index.ts'

/** A process that runs tasks during failovers. Each run writes a line at its start and end to a file. */
const [broker, diary] = process.argv.slice(2) as [string, string]

const released = new Set<number>()
process.on('message', number => { released.add(number as number) })

/** @returns its number, so that a result identifies its run */
async function run(task: string, number: number, work?: () => Promise<unknown>): Promise<number> {
  const write = (what: string): void => appendFileSync(diary, `${task} ${currentExecution().executionId} ${number} ${what}\n`)
  write('begin')
  await work?.()
  write('end')
  return number
}

const queueApp = QueueApp.fromUrls({ broker, stopGraceMs: 1_000, onError() {} })
queueApp.task('count', (number: number) => run('count', number, () => sleep(number % 5 * 20)), { concurrency: 10 })
queueApp.task('long', (number: number) => run('long', number, async () => { while (!released.has(number)) await sleep(50) }))
queueApp.task('tick', () => run('tick', 0))
await queueApp.createScheduler().scheduleInterval('tick', 1_000)
await queueApp.start()

// Reports health until the test ends or the process is killed.
for (; process.connected; await sleep(100)) process.send!(await queueApp.monitoring.health())
process.exit()
