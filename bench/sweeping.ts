/**
 * The cost of removing finished executions from the broker: executions enqueued and run per second during a sweep, compared with none, in
 * turns; how long the sweep takes; and the worst round trip of another connection during it.
 * Run: npm run bench sweeping redis|postgres [executions] [rounds]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBrokerMark } from '../lib/backend/upkeep/broker-mark.ts'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { createSweeper } from '../lib/backend/upkeep/sweeper.ts'
import { createBullmqEngine } from '../lib/engine/bullmq-engine.ts'
import { QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const [kind = 'redis', executions = kind === 'redis' ? '20000' : '5000', rounds = '3'] = process.argv.slice(2)
const COUNT = Number(executions)

const server = await (kind === 'redis' ? createRedisServer({ persistent: false }) : createPostgresServer())
const queueApp = QueueApp.fromUrls({ broker: server.url })
let isSwept = false
queueApp.task('bench', (_number: number) => {}, { concurrency: 50 })
await queueApp.start()

const store = createStore(server.url, { namespace: 'tasks', role: 'broker', onError: console.error })
await store.start()
const [engine, backend] = [createBullmqEngine(store), createResultBackend(store)]
await engine.start()
await backend.start()

await run()
const ratios: number[] = []
for (let round = 0; round < Number(rounds); round++) {
  // The sweep removes twice as many executions as run during it.
  const alone = await run()
  const before = await store.now()
  const [beside, swept, worstMs] = await Promise.all([run(), sweep(before), worstRoundTrip()])
  ratios.push(beside / alone)
  console.log(
    `| ${Math.round(alone)}/s | ${Math.round(beside)}/s | ${(beside / alone).toFixed(2)} | ${swept.count} in ` +
      `${(swept.ms / 1_000).toFixed(1)} s, of the run's ${(COUNT / beside).toFixed(1)} s | ${worstMs.toFixed(0)} ms |`
  )
}
console.log(`ratios ${ratios.map(ratio => ratio.toFixed(2)).join(', ')}`)
await engine.stop()
await backend.stop()
await store.stop()
await queueApp.stop()
await server.remove()
process.exit()

/** @returns executions per second that were enqueued, run and recorded */
async function run(): Promise<number> {
  const recorded = (await backend.totals()).success + COUNT
  const begun = performance.now()
  await queueApp.enqueueMany('bench', Array.from({ length: COUNT }, (_, number) => [number]))
  while ((await backend.totals()).success < recorded) await sleep(20)
  return COUNT / (performance.now() - begun) * 1_000
}

/** Sweeps everything that finished before a time. */
async function sweep(before: number): Promise<{ count: number; ms: number }> {
  const sweeper = createSweeper({
    backend, finishedBefore: engine.finishedBefore, readFinished: engine.readFinished, removeFinished: engine.removeFinished,
    taskNames: async () => ['bench'],
    now: async () => before, mark: createBrokerMark(store.documents), leases: store.documents, holder: 'bench', keptMs: 0,
    onError: console.error
  })
  const begun = performance.now()
  const count = await sweeper.runOnce() ?? NaN
  const ms = performance.now() - begun
  isSwept = true
  await sweeper.stop()
  return { count, ms }
}

async function worstRoundTrip(): Promise<number> {
  let worst = 0
  for (isSwept = false; !isSwept; await sleep(5)) {
    const begun = performance.now()
    await store.ping()
    worst = Math.max(worst, performance.now() - begun)
  }
  return worst
}
