/**
 * Is this version as fast as another? Runs recording and every read of both in one process: each round calls both in random order, on one
 * server. The other version runs twice, and the difference between its two copies is the noise. First compile the other checkout, with
 * `node node_modules/typescript/bin/tsc -p bench/tsconfig.build.json` in it.
 * Run: npm run bench against <other checkout> redis|postgres [records] [rounds]
 */
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createResultBackend as makeResultBackend } from '../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../lib/backend/result-backend.ts'
import type { createStore as makeStore } from '../lib/stores/create-store.ts'
import { createPostgresServer } from '../test/support/servers/postgres-server.ts'
import { createRedisServer } from '../test/support/servers/redis-server.ts'
import { readsOf, seed } from './ledger-reads.ts'
import { recordsOf } from './ledger-records.ts'

const BATCH = 500
const WARM_UP_ROUNDS = 20
/** A slow read is called fewer times. */
const MAX_MS_PER_READ = 6_000
const MICROSECONDS_PER_MS = 1_000

type Version = typeof VERSIONS[number]
const VERSIONS = ['other', 'copy of the other', 'this'] as const

const [checkout = '', kind = 'redis', size = '100000', rounds = '150'] = process.argv.slice(2)
await compare(resolve(checkout), kind, Number(size), Number(rounds))

async function compare(other: string, kind: string, size: number, rounds: number): Promise<void> {
  const copy = join(other, '.bench-copy')
  await cp(join(other, '.bench'), copy, { recursive: true })
  const compiled: Record<Version, string> = {
    'other': join(other, '.bench'), 'copy of the other': copy, 'this': resolve('.bench')
  }
  const server = kind === 'redis'
    ? await createRedisServer({ persistent: false })
    : await createPostgresServer({ settings: { max_wal_size: '8GB' } })
  const opened = await Promise.all(VERSIONS.map(async (version, index) => {
    const { backend, store } = await open(compiled[version], server.url, `bench_${index}`)
    return { version, backend, store }
  }))
  const backends = Object.fromEntries(opened.map(({ version, backend }) => [version, backend])) as Record<Version, ResultBackend>
  console.log(`| ${kind} | ${VERSIONS.join(' | ')} |`)
  console.log(`|---|${VERSIONS.map(() => '---|').join('')}`)
  await compareRecording(backends, rounds)
  for (const backend of Object.values(backends)) await seed(backend, size)
  const [{ store }] = opened as [typeof opened[number]]
  if ('query' in store) for (const settle of ['VACUUM ANALYZE', 'CHECKPOINT']) await store.query(settle, [], { timeoutMs: 600_000 })
  await compareReads(backends, size, rounds)
  for (const { store } of opened) await store.stop()
  await server.remove()
}

async function open(compiled: string, url: string, namespace: string) {
  const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(compiled, path)).href)
  const { createStore } = await load('lib/stores/create-store.js') as { createStore: typeof makeStore }
  const { createResultBackend } = await load('lib/backend/create-result-backend.js') as {
    createResultBackend: typeof makeResultBackend
  }
  const store = createStore(url, { namespace, role: 'result backend', onError() {} })
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return { backend, store }
}

async function compareRecording(backends: Record<Version, ResultBackend>, rounds: number): Promise<void> {
  const elapsed = noTimes()
  const processor = noTimes()
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const version of inRandomOrder(VERSIONS)) {
      const batch = recordsOf((round + WARM_UP_ROUNDS) * BATCH, BATCH, (rounds + WARM_UP_ROUNDS) * BATCH, Date.now())
      const usedBefore = process.cpuUsage()
      const begun = performance.now()
      await backends[version].record(batch)
      const { user, system } = process.cpuUsage(usedBefore)
      if (round < 0) continue
      elapsed[version].push(performance.now() - begun)
      processor[version].push((user + system) / MICROSECONDS_PER_MS)
    }
  }
  report(`recording ${BATCH}`, elapsed)
  report(`recording ${BATCH}, processor time of this process`, processor)
}

async function compareReads(backends: Record<Version, ResultBackend>, size: number, rounds: number): Promise<void> {
  const reads = Object.fromEntries(VERSIONS.map(version => [version, readsOf(backends[version], size)])) as
    Record<Version, ReturnType<typeof readsOf>>
  for (const what of Object.keys(reads.this)) {
    const elapsed = noTimes()
    const end = performance.now() + MAX_MS_PER_READ
    for (let round = -WARM_UP_ROUNDS; round < rounds && performance.now() < end; round++) {
      for (const version of inRandomOrder(VERSIONS)) {
        const begun = performance.now()
        await reads[version][what]!(round + WARM_UP_ROUNDS)
        if (round >= 0) elapsed[version].push(performance.now() - begun)
      }
    }
    report(what, elapsed)
  }
}

function noTimes(): Record<Version, number[]> {
  return { 'other': [], 'copy of the other': [], 'this': [] }
}

/** Prints the median of the other version, and how much its copy and this version differ from it. */
function report(what: string, times: Record<Version, readonly number[]>): void {
  if (times.this.length === 0) {
    console.log(`| ${what} | not measured: ${WARM_UP_ROUNDS} rounds take longer than ${MAX_MS_PER_READ} ms |`)
    return
  }
  const [base, ...others] = VERSIONS.map(version => median(times[version])) as [number, ...number[]]
  const differences = others.map(value => `${value >= base ? '+' : ''}${((value / base - 1) * 100).toFixed(1)} %`)
  console.log(`| ${what} | ${base.toFixed(3)} ms | ${differences.join(' | ')} |`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function inRandomOrder<T>(values: readonly T[]): T[] {
  return values.map(value => ({ value, order: Math.random() })).toSorted((a, b) => a.order - b.order).map(({ value }) => value)
}
