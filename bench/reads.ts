import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import type { FinishedQuery, ResultBackend } from '../lib/backend/result-backend.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import { createRedisServer } from '../test/support/redis-server.ts'
import { recordsOf, SCHEDULES, TASKS, WORKERS } from './ledger-records.ts'

/**
 * What each read takes at growing sizes of the history, 1 client: p50 / p99 of 1,000 calls (of those that fit 10 s, where it takes longer) with other
 * values each time, and what the last size takes beside the first.
 * Run: npx tsx bench/reads.ts redis|postgres [sizes…], for example `npx tsx bench/reads.ts redis 10000 100000 1000000`
 */
const CALLS = 1_000
const MOST_MS = 10_000
const BATCH = 1_000
const WRITERS = 2
const [kind = 'redis', ...sizes] = process.argv.slice(2)
const SIZES = sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000, 1_000_000]
const END = Date.now() - 60_000

const results = new Map<string, string[]>()
const measured = new Map<string, Array<{ p50: number; p99: number }>>()
for (const size of SIZES) {
  const server = kind === 'redis' ? await createRedisServer({ persistent: false }) : await createPostgresServer()
  const store = createStore(server.url, { namespace: 'bench', role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const begun = performance.now()
  await seed(backend, size)
  const seconds = (performance.now() - begun) / 1000
  console.log(`${kind}: ${size} records in ${seconds.toFixed(0)} s (${Math.round(size / seconds)}/s)`)
  if ('query' in store) await store.query('VACUUM ANALYZE', [], { timeoutMs: 120_000 })
  for (const [what, read] of Object.entries(readsOf(backend, size))) {
    const times = await timesOf(read)
    results.set(what, [...results.get(what) ?? [], `${times.p50.toFixed(2)} / ${times.p99.toFixed(2)}`])
    measured.set(what, [...measured.get(what) ?? [], times])
  }
  await store.stop()
  await server.remove()
}
console.log(`| read | ${SIZES.map(size => size.toLocaleString('en')).join(' | ')} | last beside first |`)
console.log(`|---|${SIZES.map(() => '---|').join('')}---|`)
for (const [what, cells] of results) console.log(`| ${what} | ${cells.join(' | ')} | ${grownBy(measured.get(what)!)} |`)

function grownBy(times: ReadonlyArray<{ p50: number; p99: number }>): string {
  const [first, last] = [times[0]!, times.at(-1)!]
  return `${(last.p50 / first.p50).toFixed(1)}× / ${(last.p99 / first.p99).toFixed(1)}×`
}

async function seed(backend: ResultBackend, size: number): Promise<void> {
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

/** Each is called with 0, 1, 2, … and asks for something else each time. */
function readsOf(backend: ResultBackend, size: number): Record<string, (i: number) => Promise<unknown>> {
  const list = (query: (i: number) => Partial<FinishedQuery>) => (i: number) => backend.list({ order: 'newest', limit: 50, ...query(i) })
  const idOf = (i: number) => recordsOf((i * 7919) % size, 1, size, END)[0]!.executionId
  const instant = (i: number) => END - (i * 7919 % 500) * 1_000_000
  const groups: string[] = []
  return {
    'find': async i => backend.find(idOf(i)),
    'newest': list(() => ({})),
    'failed': list(() => ({ status: 'failed' })),
    'oldest of a task': list(i => ({ order: 'oldest', taskName: `task-${i % TASKS}` })),
    'failed of a task': list(i => ({ status: 'failed', taskName: `task-${i % TASKS}` })),
    'of a schedule': list(i => ({ scheduleId: `sch_${i % SCHEDULES}` })),
    'of a worker': list(i => ({ workerId: `web-${i % WORKERS}.example:${4000 + i % WORKERS}:9f3c21ab` })),
    'failed of a worker': list(i => ({ status: 'failed', workerId: `web-${i % WORKERS}.example:${4000 + i % WORKERS}:9f3c21ab` })),
    'of an error group': async i => {
      if (groups.length === 0) groups.push(...(await backend.failureGroups({ limit: 50 })).groups.map(group => group.errorGroup))
      return backend.list({ order: 'newest', limit: 50, errorGroup: groups[i % groups.length]! })
    },
    'slower than 5 s': list(() => ({ minDurationMs: 5_000 })),
    'slower than 5 s, of a task': list(i => ({ minDurationMs: 5_000, taskName: `task-${i % TASKS}` })),
    'an hour somewhere': list(i => ({ from: instant(i), to: instant(i) + 3_600_000 })),
    'from a position in the middle': list(i => ({ after: { finishedAt: instant(i), executionId: idOf(i) } })),
    'text: a frequent word': list(() => ({ text: [{ in: 'any', words: ['invoice'] }] })),
    'text: a word of failures': list(() => ({ text: [{ in: 'error', words: ['invalid'] }] })),
    'text: a rare value': list(i => ({ text: [{ in: 'path', path: ['user_id'], value: String(i * 331 % Math.min(size, 100_000)) }] })),
    'totals': () => backend.totals(),
    'totals of all tasks': () => backend.taskTotals(),
    'window of an hour': i => backend.window(instant(i), instant(i) + 3_600_000),
    'day of each task': () => backend.windowByTask(END - 86_400_000, END),
    'a week of hours': () => backend.rollups({ span: 'hour', fromMs: END - 7 * 86_400_000, toMs: END }),
    'failure groups': () => backend.failureGroups({ limit: 50 }),
    'failure groups of a day': () => backend.failureGroups({ limit: 50, from: END - 86_400_000, to: END }),
    'what is kept': () => backend.kept()
  }
}

async function timesOf(read: (i: number) => Promise<unknown>): Promise<{ p50: number; p99: number }> {
  for (let i = 0; i < 20; i++) await read(CALLS + i)
  const times: number[] = []
  const start = performance.now()
  for (let i = 0; i < CALLS && performance.now() - start < MOST_MS; i++) {
    const begun = performance.now()
    await read(i)
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length / 2)]!, p99: times[Math.floor(times.length * 0.99)]! }
}
