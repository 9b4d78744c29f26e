import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import type { FinishedQuery, ResultBackend } from '../lib/backend/result-backend.ts'
import { createTimeseries } from '../lib/queue-app/monitoring/timeseries.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { recordsOf, SCHEDULES, TASKS, WORKERS } from './ledger-records.ts'

const PAGE = 50
const CALLS = 1_000
const MAX_MS = 10_000
const WARM_UP = { calls: 300, mostMs: 1_000 }
const BATCH = 1_000
const WRITERS = 2
const END = Date.now() - 60_000

interface Times {
  readonly p50: number
  readonly p99: number
  readonly failed: number
  /** Average rows per page; null if the response is not a page. */
  readonly rows: number | null
}

/** Prints a table of all reads at each size. The first size is read once unmeasured, as a warm-up. */
export async function compareReads(kind: string, sizes: readonly number[]): Promise<void> {
  await readsAt(kind, sizes[0]!, WARM_UP)
  const measured = new Map<string, Times[]>()
  for (const size of sizes) {
    for (const [what, times] of await readsAt(kind, size, { calls: CALLS, mostMs: MAX_MS }))
      measured.set(what, [...measured.get(what) ?? [], times])
  }
  console.log(`| read | ${sizes.map(size => size.toLocaleString('en')).join(' | ')} | last beside first |`)
  console.log(`|---|${sizes.map(() => '---|').join('')}---|`)
  for (const [what, times] of measured) {
    const [first, last] = [times[0]!, times.at(-1)!]
    const cells = times.map(({ p50, p99, failed }) =>
      `${p50.toFixed(2)} / ${p99.toFixed(2)}${failed > 0 ? ` (${failed} not answered)` : ''}`)
    const rows = times.some(({ rows }) => rows !== null && rows < PAGE)
      ? ` (rows: ${times.map(({ rows }) => rows?.toFixed(0)).join(', ')})`
      : ''
    console.log(`| ${what}${rows} | ${cells.join(' | ')} | ${(last.p50 / first.p50).toFixed(1)}× / ${(last.p99 / first.p99).toFixed(1)}× |`)
  }
}

interface Calls { readonly calls: number; readonly mostMs: number }

async function readsAt(kind: string, size: number, calls: Calls): Promise<Map<string, Times>> {
  const server = kind === 'redis'
    ? await createRedisServer({ persistent: false })
    : await createPostgresServer({ settings: { max_wal_size: '8GB' } })
  const store = createStore(server.url, { namespace: 'bench', role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const begun = performance.now()
  await seed(backend, size)
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `${kind}: ${size} records in ${seconds.toFixed(0)} s (${Math.round(size / seconds)}/s), this process ` +
      `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`
  )
  if ('query' in store) for (const settle of ['VACUUM ANALYZE', 'CHECKPOINT']) await store.query(settle, [], { timeoutMs: 600_000 })
  const times = new Map<string, Times>()
  for (const [what, read] of Object.entries(readsOf(backend, size))) times.set(what, await timesOf(read, calls))
  await store.stop()
  await server.remove()
  return times
}

/** Records like a recorder. It holds only the batches of its writers in memory. */
export async function seed(backend: ResultBackend, size: number): Promise<void> {
  let next = 0
  const write = async () => {
    while (next < size) {
      const first = next
      next += BATCH
      await backend.record(recordsOf(first, Math.min(BATCH, size - first), size, END))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** Each read is called with 0, 1, 2, … and requests something different each time. */
export function readsOf(backend: ResultBackend, size: number): Record<string, (i: number) => Promise<unknown>> {
  const list = (query: (i: number) => Partial<FinishedQuery>) => (i: number) => backend.list({ order: 'newest', limit: PAGE, ...query(i) })
  const idOf = (i: number) => recordsOf((i * 7919) % size, 1, size, END)[0]!.executionId
  const instant = (i: number) => END - (i * 7919 % 500) * 1_000_000
  const workerOf = (i: number) => `web-${i % WORKERS}.example:${4000 + i % WORKERS}:9f3c21ab`
  const timeseries = createTimeseries(backend, () => END)
  const groups: string[] = []
  return {
    'find': async i => backend.find(idOf(i)),
    'newest': list(() => ({})),
    'failed': list(() => ({ status: 'failed' })),
    'oldest of a task': list(i => ({ order: 'oldest', taskName: `task-${i % TASKS}` })),
    'failed of a task': list(i => ({ status: 'failed', taskName: `task-${i % TASKS}` })),
    'of a schedule': list(i => ({ scheduleId: `sch_${i % SCHEDULES}` })),
    'of a worker': list(i => ({ workerId: workerOf(i) })),
    'failed of a worker': list(i => ({ status: 'failed', workerId: workerOf(i) })),
    'of an error group': async i => {
      if (groups.length === 0) groups.push(...(await backend.failureGroups({ limit: PAGE })).groups.map(group => group.errorGroup))
      return backend.list({ order: 'newest', limit: PAGE, errorGroup: groups[i % groups.length]! })
    },
    'slower than 5 s': list(() => ({ minDurationMs: 5_000 })),
    'slower than 5 s, of a task': list(i => ({ minDurationMs: 5_000, taskName: `task-${i % TASKS}` })),
    'an hour somewhere': list(i => ({ from: instant(i), to: instant(i) + 3_600_000 })),
    'failed of a task, a day somewhere': list(i => ({
      status: 'failed', taskName: `task-${i % TASKS}`, from: instant(i), to: instant(i) + 86_400_000
    })),
    'from a position in the middle': list(i => ({ after: { finishedAt: instant(i), executionId: idOf(i) } })),
    'text: a frequent word': list(() => ({ text: [{ in: 'any', words: ['invoice'] }] })),
    'text: a word of failures': list(() => ({ text: [{ in: 'error', words: ['invalid'] }] })),
    'text: a rare value': list(i => ({ text: [{ in: 'path', path: ['user_id'], value: String(i * 331 % Math.min(size, 100_000)) }] })),
    'totals': () => backend.totals(),
    'totals of all tasks': () => backend.taskTotals(),
    'day of each task': () => backend.windowByTask(END - 86_400_000, END),
    'a week of hours': () => backend.rollups({ span: 'hour', fromMs: END - 7 * 86_400_000, toMs: END }),
    'time series of a week, by hour': () => timeseries({ window: '7d', step: '1h' }),
    'time series of a day, by minute': () => timeseries({ window: '24h', step: '1m' }),
    'failure groups': () => backend.failureGroups({ limit: PAGE }),
    'failure groups of a day': () => backend.failureGroups({ limit: PAGE, from: END - 86_400_000, to: END }),
    'what is kept': () => backend.kept()
  }
}

async function timesOf(read: (i: number) => Promise<unknown>, { calls, mostMs }: Calls): Promise<Times> {
  let failed = 0
  let rows = 0
  let isPage = false
  const attempt = async (i: number): Promise<void> => {
    try {
      const answer = await read(i)
      if (typeof answer !== 'object' || answer === null || !('executions' in answer) || !Array.isArray(answer.executions)) return
      isPage = true
      rows += answer.executions.length
    } catch {
      failed++
    }
  }
  for (let i = 0; i < 20; i++) await attempt(CALLS + i)
  failed = 0
  rows = 0
  const times: number[] = []
  const start = performance.now()
  for (let i = 0; i < calls && performance.now() - start < mostMs; i++) {
    const begun = performance.now()
    await attempt(i)
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  return {
    p50: times[Math.floor(times.length / 2)]!, p99: times[Math.floor(times.length * 0.99)]!, failed,
    rows: isPage ? rows / times.length : null
  }
}
