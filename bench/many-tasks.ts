/**
 * The cost of empty tasks: 2,000 tasks, 20 of which have executions, compared with those 20 alone, in turns.
 * Run: npm run bench many-tasks redis|postgres [tasks]
 */
import { randomUUID } from 'node:crypto'
import { fixedDelay } from '../lib/time/backoff.ts'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import { createBullmqEngine } from '../lib/engine/bullmq-engine.ts'
import { QueueApp } from '../lib/index.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { recordsOf } from './ledger-records.ts'

const [kind = 'redis', tasks = '2000'] = process.argv.slice(2)
const HOLDING = 20
const EACH = 10
const ROUNDS = 60

const server = await (kind === 'redis' ? createRedisServer({ persistent: false }) : createPostgresServer())
const few = await open('few', HOLDING)
const many = await open('many', Number(tasks))

for (const [queueApp, count] of [[few, HOLDING], [many, Number(tasks)]] as const) {
  if ((await queueApp.monitoring.tasks()).length !== count) throw new Error(`There are no ${count} tasks`)
}

const reads: Record<string, (queueApp: QueueApp) => Promise<unknown>> = {
  'a page of executions': queueApp => queueApp.monitoring.executions({ limit: 50 }),
  'a page of pending ones': queueApp => queueApp.monitoring.executions({ limit: 50, status: 'pending' }),
  'a page of a search': queueApp => queueApp.monitoring.executions({ limit: 50, search: 'args:nothing' }),
  'an unknown id': queueApp => queueApp.monitoring.execution(randomUUID()),
  'statistics': queueApp => queueApp.monitoring.statistics(),
  'one task': queueApp => queueApp.monitoring.task('task 0'),
  'all tasks (a row each)': queueApp => queueApp.monitoring.tasks()
}
for (const [what, read] of Object.entries(reads)) {
  const times = { few: [] as number[], many: [] as number[] }
  const rounds = what.startsWith('all') ? ROUNDS / 3 : ROUNDS
  for (let round = 0; round < rounds; round++) {
    for (const [name, queueApp] of [['few', few], ['many', many]] as const) {
      const begun = performance.now()
      await read(queueApp)
      if (round > rounds / 10) times[name].push(performance.now() - begun)
    }
  }
  const [alone, among] = [quantiles(times.few), quantiles(times.many)]
  console.log(`| ${what} | ${alone.join(' / ')} | ${among.join(' / ')} | ${(Number(among[0]) / Number(alone[0])).toFixed(2)}× |`)
}
await few.stop()
await many.stop()
await server.remove()

async function open(namespace: string, count: number): Promise<QueueApp> {
  const names = Array.from({ length: count }, (_, index) => `task ${index}`)
  const store = createStore(server.url, { namespace, role: 'broker', onError: console.error })
  await store.start()
  const at = Date.now()
  const settings = {
    type: 'io', description: null, retries: 0, backoff: fixedDelay(0), timeoutMs: null, concurrency: 10, firstSeenAt: at, lastSeenAt: at
  }
  await store.documents.putMany('tasks', names.map(name => ({ id: name, value: { name, ...settings } })))
  const engine = createBullmqEngine(store)
  await engine.start()
  const common = { maxAttempts: 1, backoff: fixedDelay(0), priority: 0, scheduleId: null, retryOf: null }
  await engine.enqueue(names.slice(0, HOLDING).flatMap(taskName => Array.from({ length: EACH }, (_, index) =>
    ({ ...common, executionId: randomUUID(), taskName, args: [index], delayMs: index === 0 ? 3_600_000 : 0 }))))
  await engine.stop()
  const backend = createResultBackend(store)
  await backend.start()
  await backend.record(recordsOf(0, 500, 500, at))
  await backend.stop()
  await store.stop()
  const queueApp = QueueApp.fromUrls({ broker: server.url, backend: server.url, namespace })
  await queueApp.start()
  return queueApp
}

/** Median and 90th percentile. */
function quantiles(times: number[]): string[] {
  times.sort((one, other) => one - other)
  return [0.5, 0.9].map(share => times[Math.floor(times.length * share)]!.toFixed(2))
}
