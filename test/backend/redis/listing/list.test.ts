import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { toLedgerEntry } from '../../../../lib/backend/entry/ledger-entry.ts'
import { packId } from '../../../../lib/backend/redis/packed-id.ts'
import type { FinishedPosition, FinishedQuery, ResultBackend } from '../../../../lib/backend/result-backend.ts'
import { matchesText, searchableOf } from '../../../../lib/backend/search/searchable.ts'
import { MINUTE_MS } from '../../../../lib/time/units.ts'
import type { FinishedExecution } from '../../../../lib/execution.ts'
import { isSoak } from '../../../support/soak.ts'
import { makeExecution } from '../../make-execution.ts'
import { openRedisBackend } from '../open-backend.ts'

const BASE = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS

const SAME = ['status', 'taskName', 'scheduleId', 'workerId', 'errorGroup'] as const

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })
const some = <T>(...values: T[]) => fc.constantFrom(...values)

const anExecution = fc.record({
  id: fc.integer({ min: 0, max: 400 }),
  // Several in one millisecond, in distant and in adjacent minutes, and on both sides of a bound.
  at: some(0, 1, 59_999, 60_000, 60_001, 120_000, 1_200_000, 1_200_001, 2_400_000),
  failed: fc.boolean(),
  taskName: some('a', 'b'),
  scheduleId: some(null, null, 's'),
  workerId: some(null, 'w1', 'w2', 'w3'),
  durationMs: some(null, 0, 9, 9.5, 10, 49, 50, 51, 999, 1_000, 29_999, 900_000),
  errorGroup: some('g1', 'g2', 'g3'),
  word: some('connection refused', 'timeout', 'user 42', ''),
  long: fc.boolean()
})

const aQuery = fc.record({
  status: optional(some('success' as const, 'failed' as const)),
  taskName: optional(some('a', 'b', 'never')),
  scheduleId: optional(some('s', 'never')),
  workerId: optional(some('w1', 'w2', 'never')),
  errorGroup: optional(some('g1', 'never')),
  from: optional(some(0, 1, 60_000, 1_200_001)),
  to: optional(some(1, 60_001, 1_200_001, 9_000_000)),
  minDurationMs: optional(some(0, 9.5, 10, 50, 1_000, 700_000)),
  maxDurationMs: optional(some(0, 10, 51, 1_000, 30_000)),
  text: optional(some(
    [{ in: 'any', words: ['conn'] }] as const, [{ in: 'error', words: ['timeout'] }] as const,
    [{ in: 'args', words: ['user', '4'] }] as const,
    [{ in: 'path', path: ['note'], value: 'timeout' }] as const, [{ in: 'any', words: ['a'] }, { in: 'any', words: ['refused'] }] as const
  )),
  order: some('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 12 })
})

t.test('every combination of filters lists, page by page, what a simple model lists', async t => {
  const { store, backend } = await openRedisBackend(t)
  await fc.assert(fc.asyncProperty(
    fc.array(anExecution, { minLength: 1, maxLength: 120 }), fc.array(anExecution, { maxLength: 20 }),
    fc.array(aQuery, { minLength: 15, maxLength: 15 }),
    async (first, late, queries) => {
      await store.client.flushdb()
      await backend.start()
      const model = new Map<string, FinishedExecution>()
      const write = async (given: typeof first) => {
        const executions = given.map(toExecution)
        const before = model.size
        for (const each of executions) if (!model.has(each.executionId)) model.set(each.executionId, each)
        if (await backend.record(executions) !== model.size - before) throw new Error('the count of new records is wrong')
      }
      await write(first)
      for (const given of queries) {
        const query = toQuery(given)
        const expected = matching(model, query)
        const { ids, totals, first } = await readAll(backend, query)
        assertSame(ids, expected, query)
        if (first.relation === 'exact') assertSame(first.value, expected.length, query)
        for (const total of totals) if (total.value > expected.length) throw new Error('a total is too large')
      }
      // What arrives between two pages neither hides nor repeats earlier executions.
      const query = toQuery({ ...queries[0]!, limit: 2 })
      const expected = matching(model, query)
      const { ids } = await readAll(backend, query, () => write(late))
      assertSame(new Set(ids).size, ids.length, query)
      const known = new Set(expected)
      assertSame(ids.filter(id => known.has(id)), expected, query)
    }
  ), { numRuns: isSoak ? 300 : 30, endOnFailure: true })
  t.pass('for 60 sets of records with 15 queries each')
})

t.test('rare matches are found by their index without scanning the rest', async t => {
  const { backend } = await openRedisBackend(t)
  const many = Array.from({ length: 4_000 }, (_, i) =>
    makeExecution({ taskName: 'often', workerId: 'busy', finishedAt: BASE + i * 20, durationMs: i % 9 }))
  const slow = makeExecution({ taskName: 'often', workerId: 'busy', finishedAt: BASE + 20_000, durationMs: 7_000 })
  const visitor = makeExecution({ taskName: 'often', workerId: 'gone', finishedAt: BASE + 5 * MINUTE_MS })
  for (let i = 0; i < many.length; i += 500) await backend.record(many.slice(i, i + 500))
  const slowOther = makeExecution({ ...slow, executionId: randomUUID(), taskName: 'other' })
  const failedOther = makeExecution({ status: 'failed', workerId: 'other', finishedAt: BASE })
  await backend.record([slow, visitor])
  const list = (query: Partial<FinishedQuery>) => backend.list({ order: 'newest', limit: 10, ...query })

  const bySlow = await list({ minDurationMs: 1_000 })
  t.strictSame(bySlow.executions.map(each => each.executionId), [slow.executionId])
  t.strictSame(
    [bySlow.scanned, bySlow.total, bySlow.next], [null, { value: 1, relation: 'exact' }, null],
    'a bound between two duration classes needs no record'
  )
  const within = await list({ minDurationMs: 2_000, taskName: 'often' })
  t.strictSame([within.executions.length, within.scanned], [1, 1], 'the shorter list was scanned')
  await backend.record([slowOther, failedOther])
  const slowOfTask = await list({ minDurationMs: 1_000, taskName: 'often' })
  t.strictSame(
    [slowOfTask.executions.map(each => each.executionId), slowOfTask.scanned], [[slow.executionId], null],
    'a task has its own lists by duration'
  )
  const failures = await list({ status: 'failed', workerId: 'busy' })
  t.strictSame([failures.executions, failures.next, failures.scanned], [[], null, null], 'known without a scan')
  t.equal((await list({ status: 'failed', workerId: 'other' })).executions[0]?.executionId, failedOther.executionId)
  const byWorker = await list({ workerId: 'gone' })
  t.strictSame(byWorker.executions.map(each => each.executionId), [visitor.executionId])
  t.strictSame([byWorker.scanned, byWorker.complete, byWorker.next], [1, true, null], 'minutes without the worker are skipped')
  const dense = await list({ workerId: 'busy' })
  t.equal(dense.executions.length, 10)
  t.ok(dense.scanned! <= 20)
  t.strictSame(dense.total, { value: 11, relation: 'at_least' })
})

t.test('pages list each execution of one worker among many exactly once, and none that only mentions the worker', async t => {
  const { backend } = await openRedisBackend(t)
  const executions = Array.from({ length: 2_600 }, (_, i) => makeExecution({
    finishedAt: BASE + i * 30, workerId: i < 1_300 ? `w${i % 7}` : `w${i % 50}`, status: i % 9 ? 'success' : 'failed', durationMs: i % 400,
    args: ['w3', 'w3'.repeat(i % 3 * 100)]
  }))
  for (let i = 0; i < executions.length; i += 500) await backend.record(executions.slice(i, i + 500))
  for (const filter of [{}, { status: 'failed' }, { text: [{ in: 'any', words: ['w3'] }] }] as const) {
    for (const order of ['newest', 'oldest'] as const) {
      for (const limit of [7, 50, 200]) {
        const query: FinishedQuery = { workerId: 'w3', order, limit, ...filter }
        const model = new Map(executions.map(each => [each.executionId, each]))
        assertSame((await readAll(backend, query)).ids, matching(model, query), query)
      }
    }
  }
})

t.test('a scan stops when its time is up, says so, and continues where it stopped', async t => {
  const { backend } = await openRedisBackend(t)
  const args = [Array.from({ length: 60 }, (_, i) => ({ [`key ${i}`]: `value ${i}` }))]
  const executions = Array.from({ length: 6_000 }, (_, i) => makeExecution({ finishedAt: BASE + i, args: i === 3 ? ['needle'] : args }))
  for (let i = 0; i < executions.length; i += 500) await backend.record(executions.slice(i, i + 500))
  const query: FinishedQuery = { order: 'newest', limit: 5, text: [{ in: 'args', words: ['needle'] }] }
  const first = await backend.list(query)
  t.equal(first.complete, false)
  t.strictSame(first.executions, [])
  t.strictSame(first.total, { value: 0, relation: 'at_least' })
  t.ok(first.scanned! > 0 && first.scanned! < executions.length)
  let [page, scanned] = [first, first.scanned!]
  while (page.next !== null) {
    page = await backend.list({ ...query, after: page.next })
    scanned += page.scanned!
    t.ok(page.executions.length <= 5)
  }
  t.strictSame(page.executions.map(each => each.executionId), [executions[3]!.executionId])
  t.equal(scanned, executions.length, 'each was examined once')
})

function toExecution(given: typeof anExecution extends fc.Arbitrary<infer Given> ? Given : never): FinishedExecution {
  const { id, at, failed, word, long, errorGroup, ...rest } = given
  return makeExecution({
    ...rest,
    executionId: id % 5 === 0 ? `custom-${id}` : `00000000-0000-4000-8000-${String(id * 7919 % 100_000).padStart(12, '0')}`,
    finishedAt: BASE + at,
    status: failed ? 'failed' : 'success',
    error: failed ? { type: 'Error', message: word, stack: null } : null,
    errorGroup: failed ? errorGroup : null,
    args: [{ note: word, filler: long ? 'x'.repeat(600) : '' }]
  })
}

function toQuery({ from, to, ...given }: typeof aQuery extends fc.Arbitrary<infer Given> ? Given : never): FinishedQuery {
  const query = { ...given, from: from === undefined ? from : BASE + from, to: to === undefined ? to : BASE + to }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as unknown as FinishedQuery
}

function matching(model: ReadonlyMap<string, FinishedExecution>, query: FinishedQuery): string[] {
  const rows = [...model.values()].filter(each => {
    const { execution } = toLedgerEntry(each)
    return SAME.every(field => query[field] === undefined || query[field] === each[field]) &&
      (query.from ?? 0) <= each.finishedAt && each.finishedAt < (query.to ?? Infinity) &&
      (query.minDurationMs ?? -1) <= (each.durationMs ?? -1) &&
      (query.maxDurationMs === undefined || (each.durationMs ?? Infinity) < query.maxDurationMs) &&
      matchesText(searchableOf(execution, each.args), query.text ?? [])
  })
  rows.sort((a, b) => a.finishedAt - b.finishedAt || Buffer.compare(packId(a.executionId), packId(b.executionId)))
  return (query.order === 'newest' ? rows.reverse() : rows).map(each => each.executionId)
}

async function readAll(backend: ResultBackend, query: FinishedQuery, between?: () => Promise<void>) {
  const ids: string[] = []
  const totals = []
  let after: FinishedPosition | undefined
  for (;;) {
    const page = await backend.list({ ...query, ...(after && { after }) })
    if (page.executions.length > query.limit) throw new Error('a page is longer than its limit')
    ids.push(...page.executions.map(each => each.executionId))
    totals.push(page.total)
    if (page.next === null) return { ids, totals, first: totals[0]! }
    if (after === undefined) await between?.()
    after = page.next
  }
}

function assertSame(actual: unknown, expected: unknown, query: FinishedQuery): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${JSON.stringify(query)}\nexpected ${b}\nbut got  ${a}`)
}
