/**
 * What an enqueued execution costs its producer on PostgreSQL, compared with bare BullMQ's `addBulk` of as many jobs, on one server, in
 * turns. The tables of bare BullMQ are in a schema of their own.
 * Run: npm run bench enqueue [calls] [rounds]
 */
import { randomUUID } from 'node:crypto'
import { createPostgresBackend, Queue } from 'bullmq'
import { QueueApp } from '../lib/index.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'

const SIZES = [1, 5, 20, 100]
const TASK = 'bench'
const DELAY_MS = 3_600_000

const [calls = 200, rounds = 5] = process.argv.slice(2).map(Number)
const server = await createPostgresServer()
const queueApp = QueueApp.fromUrls({ broker: server.url })
queueApp.task(TASK, async () => null)
await queueApp.start()
const queue = new Queue(TASK, { connection: { connectionString: server.url, schema: 'bare', migrate: true } }, createPostgresBackend)

const args = ['ana@example.com', 1]
const sides = {
  ours: (size: number) => queueApp.enqueueMany(TASK, Array.from({ length: size }, () => args), { delayMs: DELAY_MS }),
  bare: (size: number) => queue.addBulk(Array.from({ length: size }, () => ({
    name: TASK, data: { args: JSON.stringify(args) }, opts: { jobId: randomUUID(), attempts: 1, delay: DELAY_MS }
  })))
}
for (const size of SIZES) {
  const ratios: number[] = []
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const [ours, bare] = [await millisecondsPerCall(sides.ours, size), await millisecondsPerCall(sides.bare, size)]
    if (round === 0) continue
    ratios.push(ours / bare)
    console.log(`${size} at once: ours ${ours.toFixed(2)} ms a call, bare BullMQ ${bare.toFixed(2)} ms`)
  }
  console.log(`${size} at once: median ratio ${ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)]!.toFixed(2)}`)
}
await queue.close()
await queueApp.stop()
await server.remove()
process.exit()

async function millisecondsPerCall(add: (size: number) => Promise<unknown>, size: number): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < calls; call++) await add(size)
  return (performance.now() - start) / calls
}
