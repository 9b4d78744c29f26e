import { createResultBackend } from '../lib/backend/create-result-backend.ts'
import type { FinishedQuery, ResultBackend } from '../lib/backend/result-backend.ts'
import { createStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import { createRedisServer } from '../test/support/redis-server.ts'
import { recordsOf, SCHEDULES, TASKS, WORKERS } from './ledger-records.ts'

/**
 * What each read takes at growing sizes of the history, 1 client: p50 and p99 of 300 calls with other values each time, and what the last size takes
 * beside the first. Run: npx tsx bench/reads.ts redis|postgres [sizes…], for example `npx tsx bench/reads.ts redis 10000 100000 1000000`
 */
const CALLS = 300
const BATCH = 1_000
const WRITERS = 2
const [kind = 'redis', ...sizes] = process.argv.slice(2)
const SIZES = sizes.length > 0 ? sizes.map(Number) : [10_000, 100_000, 1_000_000]
const END = Date.now() - 60_000

const results = new Map<string, string[]>()
const p99s = new Map<string, number[]>()
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
    p99s.set(what, [...p99s.get(what) ?? [], times.p99])
  }
  await store.stop()
  await server.remove()
}
console.log(`| read | ${SIZES.map(size => size.toLocaleString('en')).join(' | ')} | p99, last beside first |`)
console.log(`|---|${SIZES.map(() => '---|').join('')}---|`)
for (const [what, cells] of results) console.log(`| ${what} | ${cells.join(' | ')} | ${(p99s.get(what)!.at(-1)! / p99s.get(what)![0]!).toFixed(1)}× |`)

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
    'text: a word of failures': list(() => ({ text: [{ in: 'error', words: ['quota'] }] })),
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
  for (let i = 0; i < CALLS; i++) {
    const begun = performance.now()
    await read(i)
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  return { p50: times[CALLS / 2]!, p99: times[Math.floor(CALLS * 0.99)]! }
}
