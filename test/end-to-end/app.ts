import { appendFile } from 'node:fs/promises'
import fastify from 'fastify'
import { inChunks } from '../../lib/collections/in-chunks.ts'
import { dashboardPlugin, currentExecution, QueueApp } from '../../lib/index.ts'

/**
 * The application of the end-to-end test, in its own process so that it can be killed. Its three tasks log what they do, a line per call,
 * in a file. It has two schedules and the dashboard, and sends its address to its parent.
 */
const [url, tally] = process.argv.slice(2) as [string, string]

const queueApp = QueueApp.fromUrls({ broker: url })
const send = queueApp.task('email:send', async (to: string, index: number) => {
  await appendFile(tally, `send ${index}\n`)
  await currentExecution().log(`sent to ${to}`)
  return { to, index }
}, { description: 'Sends one email' })
const fail = queueApp.task('webhooks/deliver', async (target: string) => {
  await appendFile(tally, `fail ${target} ${currentExecution().attempt}\n`)
  throw new TypeError(`connection to ${target} refused`)
}, { retries: 2, retryDelay: 0.05 })
const report = queueApp.task<[index: number, tally: string], number>(
  '日報', new URL('./report.ts', import.meta.url), { type: 'cpu', concurrency: 2, timeoutMs: 60_000 }
)
queueApp.task('tick', async () => { await appendFile(tally, 'tick\n') })

const scheduler = queueApp.createScheduler()
await scheduler.scheduleCron('email:send', '0 6 1 1 *', 'New Year', { args: ['all@example.com', -1] })
await scheduler.scheduleInterval('tick', 1000, 'Every second')
await queueApp.start()

/** On a busy machine, a larger batch may not be confirmed in time. */
const PART = 50
const numbersTo = (length: number): number[] => Array.from({ length }, (_, index) => index)

const server = fastify()
await server.register(dashboardPlugin, { prefix: '/ops/tasks', queueApp })
server.post('/enqueue', async () => {
  const ids: string[] = []
  for (const part of inChunks(numbersTo(700), PART))
    ids.push(...await queueApp.enqueueMany(send, part.map(index => [`user-${index}@example.com`, index])))
  for (const part of inChunks(numbersTo(200), PART))
    ids.push(...await queueApp.enqueueMany(fail, part.map(index => [`https://example.com/${index}`])))
  for (const part of inChunks(numbersTo(100), PART)) ids.push(...await queueApp.enqueueMany(report, part.map(index => [index, tally])))
  return ids
})
const address = await server.listen({ host: '127.0.0.1', port: 0 })
process.send!(address)
process.on('SIGTERM', () => { void server.close().then(() => queueApp.stop()).then(() => process.disconnect()) })
