/**
 * How fast finished executions are recorded, compared with the minimal way to write as many rows: a pipelined HSET or a bare multi-row
 * insert. Also the Redis memory per record beyond its payload.
 * Run: npm run bench recording [records] [redis|postgres|embedded]
 */
import { randomUUID } from 'node:crypto'
import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import type { FinishedExecution } from '../lib/execution.ts'
import { createStore } from '../lib/stores/create-store.ts'
import type { RedisStore, SqlStore, Store } from '../lib/stores/store.ts'
import { makeExecution } from '../test/backend/make-execution.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'

const RECORDS = Number(process.argv[2] ?? 50_000)
const BATCH = 500
const TASKS = 20

const ONLY = process.argv[3]

if (ONLY === undefined || ONLY === 'redis') {
  const server = await createRedisServer({ persistent: false })
  await onStore('redis', server.url, bareRedis).finally(server.remove)
}
if (ONLY === undefined || ONLY === 'postgres') {
  const server = await createPostgresServer()
  await onStore('postgres', server.url, bareSql).finally(server.remove)
}
if (ONLY === undefined || ONLY === 'embedded') await onStore('embedded', 'embedded:', bareSql)

type Write<S> = (store: S, batch: readonly FinishedExecution[]) => Promise<unknown>

async function onStore<S extends Store>(name: string, url: string, writeBare: Write<S>): Promise<void> {
  const store = createStore(url, { namespace: 'bench', role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const records = name === 'embedded' ? RECORDS / 5 : RECORDS
  await backend.record(executionsOf(BATCH))

  const startedAt = Date.now()
  const bare = await rate(records, batch => writeBare(store as S, batch))
  const before = await memoryOf(store)
  const recorded = await rate(records, batch => backend.record(batch))
  const after = await memoryOf(store)
  const payload = JSON.stringify({ args: makeExecution().args }).length
  const memory = store.kind === 'redis' ? `, ${Math.round((after - before) / records)} bytes a record with a payload of ${payload}` : ''
  console.log(`${name}: ${recorded} records/s, bare ${bare}/s (${(recorded / bare).toFixed(2)}×)${memory}`)

  const middle = Math.round((startedAt + Date.now()) / 2)
  for (const [what, read] of Object.entries({
    list: () => backend.list({ order: 'newest', limit: 50 }),
    'list of a task': () => backend.list({ order: 'newest', limit: 50, taskName: 'task:3' }),
    'list of failures, oldest': () => backend.list({ order: 'oldest', limit: 50, status: 'failed' }),
    'list of a schedule': () => backend.list({ order: 'newest', limit: 50, scheduleId: 'schedule 10' }),
    'list from the middle': () => backend.list({ order: 'newest', limit: 50, after: { finishedAt: middle, executionId: 'x' } }),
    'list of a time': () =>
      backend.list({ order: 'oldest', limit: 50, taskName: 'task:3', status: 'success', from: middle, to: middle + 60_000 }),
    'minutes of an hour': () => backend.rollups({ span: 'minute', fromMs: Date.now() - 3_600_000, toMs: Date.now() }),
    'windows a task of a day': () => backend.windowByTask(Date.now() - 86_400_000, Date.now())
  })) {
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const start = performance.now()
      await read()
      times.push(performance.now() - start)
    }
    console.log(`  ${what}: ${times.sort((a, b) => a - b)[10]!.toFixed(2)} ms`)
  }
  await store.stop()
}

function executionsOf(count: number): FinishedExecution[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, i) => {
    const startedAt = now - i - i % 997
    return makeExecution({
      executionId: randomUUID(),
      taskName: `task:${i % TASKS}`,
      queue: `task_3a${i % TASKS}`,
      status: i % 50 === 0 ? 'failed' : 'success',
      error: null,
      scheduleId: i % 10 === 0 ? `schedule ${i % TASKS}` : null,
      submittedAt: startedAt - i % 89,
      startedAt,
      finishedAt: now - i,
      durationMs: i % 997,
      waitMs: i % 89
    })
  })
}

/** Records per second, without the time to create them. */
async function rate(count: number, write: (batch: readonly FinishedExecution[]) => Promise<unknown>): Promise<number> {
  let elapsedMs = 0
  for (let done = 0; done < count; done += BATCH) {
    const batch = executionsOf(BATCH)
    const start = performance.now()
    await write(batch)
    elapsedMs += performance.now() - start
  }
  return Math.round(count / elapsedMs * 1_000)
}

async function bareRedis(store: RedisStore, batch: readonly FinishedExecution[]): Promise<unknown> {
  const pipeline = store.client.pipeline()
  for (const execution of batch) pipeline.hset('{bench}:bare', execution.executionId, JSON.stringify(execution))
  return await pipeline.exec()
}

async function bareSql(store: SqlStore, batch: readonly FinishedExecution[]): Promise<unknown> {
  await store.query('CREATE TABLE IF NOT EXISTS public.bare (id text PRIMARY KEY, record text)')
  return await store.query('INSERT INTO public.bare SELECT * FROM unnest($1::text[], $2::text[])', [
    batch.map(execution => execution.executionId), batch.map(execution => JSON.stringify(execution))
  ])
}

async function memoryOf(store: Store): Promise<number> {
  return store.kind === 'redis' ? Number(/used_memory:(\d+)/.exec(await store.client.info('memory'))?.[1]) : 0
}
