/**
 * Statistics and the list of 200 tasks on Redis, against a bare round trip. Half of the tasks have something pending, a tenth a
 * schedule. Run: npx tsx bench/statistics.ts [tasks]
 */
import { Redis } from 'ioredis'
import { QueueApp } from '../lib/index.ts'
import { createRedisServer } from '../test/support/redis-server.ts'

const TASKS = Number(process.argv[2] ?? 200)
const ROUNDS = 15
/** The registry's answers are shared for a second: here each is made anew. */
const PAUSE_MS = 1_050

const server = await createRedisServer({ persistent: false })
// The workers of another process: one of ours would take what is to be pending.
const names = Array.from({ length: TASKS }, (_, index) => `task ${index}`)
const writer = QueueApp.fromUrls({ broker: server.url })
for (const name of names) writer.task(name, () => {})
await writer.start()
for (const name of names.slice(0, TASKS / 2)) await writer.enqueueMany(name, Array.from({ length: 5 }, () => []), { delayMs: 3_600_000 })
for (const name of names.slice(TASKS / 4, TASKS / 2)) await writer.enqueueMany(name, Array.from({ length: 5 }, () => []), { delayMs: 3_600_000, priority: 3 })
const scheduler = writer.createScheduler()
for (const name of names.slice(0, TASKS / 10)) await scheduler.scheduleCron(name, '0 0 1 1 *', null, { id: `of ${name}` })

const client = new Redis(server.url)
await report('a bare round trip (PING)', () => client.ping(), 2)
await report('statistics()', () => writer.monitoring.statistics(), PAUSE_MS)
await report('tasks()', () => writer.monitoring.tasks(), PAUSE_MS)

client.disconnect()
await writer.stop()
await server.remove()

async function report(what: string, work: () => Promise<unknown>, pauseMs: number): Promise<void> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise(resolve => setTimeout(resolve, pauseMs))
    const start = performance.now()
    await work()
    took.push(performance.now() - start)
  }
  took.sort((one, other) => one - other)
  console.log(`${what}: median ${took[Math.floor(ROUNDS / 2)]!.toFixed(2)} ms, fastest ${took[0]!.toFixed(2)} ms`)
}
