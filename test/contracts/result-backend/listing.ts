import fc from 'fast-check'
import type { Test } from 'tap'
import type { FinishedPage, FinishedPosition, FinishedQuery, ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { TextCondition } from '../../../lib/backend/search/text-condition.ts'
import { wordsOf } from '../../../lib/backend/search/words.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import type { Execution, FinishedExecution, FinishedStatus } from '../../../lib/execution.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { isSoak } from '../../support/soak.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'
import { type Model, addTo, assertSame, countersOf, countsOf, filtered, listed } from './model.ts'

/** Lists match a simple model for every filter, order and page size, while records arrive. */
export function listingContract(t: Test, openStore: OpenStore): void {
  t.test('lists match a simple model for any sequence of records and every filter, order and ' +
    'page size, while records arrive', async t => {
    const store = await openStore(t)
    await fc.assert(fc.asyncProperty(batches, fc.array(query, { minLength: 14, maxLength: 14 }), async (batches, queries) => {
      const backend = await freshBackend(store)
      const model: Model = new Map()
      const base = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
      const write = async (batch: readonly Drawn[]) => {
        const executions = batch.map(each => toExecution(each, base))
        const isNew = addTo(model, executions)
        assertSame(await backend.record(executions), isNew)
      }
      // A third of the batches arrives between pages.
      const late = batches.splice(Math.ceil(batches.length * 2 / 3))
      for (const batch of batches) await write(batch)
      for (const drawn of queries) await readAndCompare(backend, model, toQuery(drawn, base))
      assertSame(countsOf(model), await countersOf(backend))
      for (const drawn of queries.slice(0, 4)) {
        await readAndCompare(backend, model, { ...toQuery(drawn, base), limit: Math.min(drawn.limit, 3) }, async () => {
          const batch = late.shift()
          if (batch) await write(batch)
        })
      }
      assertSame(countsOf(model), await countersOf(backend))
    }), { numRuns: (store.kind === 'embedded' ? 4 : 10) * (isSoak ? 10 : 1), endOnFailure: true })
  })

  t.test('a position without an id comes before everything that finished in its millisecond, in both orders', async t => {
    const backend = await freshBackend(await openStore(t))
    const base = Date.now() - 1_000
    const executions = [0, 1, 1, 2].map(ms => makeExecution({ finishedAt: base + ms }))
    await backend.record(executions)
    const timesAfter = async (order: 'newest' | 'oldest', filter: Partial<FinishedQuery> = {}) => {
      const page = await backend.list({
        ...filter, order, limit: 5, after: { finishedAt: base + (order === 'newest' ? 2 : 1), executionId: null }
      })
      return page.executions.map(each => each.finishedAt! - base)
    }
    for (const filter of [{}, { minDurationMs: 0 }]) {
      t.strictSame(await timesAfter('newest', filter), [1, 1, 0])
      t.strictSame(await timesAfter('oldest', filter), [1, 1, 2])
    }
  })

  t.test('text search finds a single match among thousands, and nothing that does not match', async t => {
    const backend = await freshBackend(await openStore(t))
    const executions = Array.from({ length: 2_000 }, (_, i) => makeExecution({
      finishedAt: Date.now() - i * 1_000, status: i % 3 ? 'success' : 'failed',
      args: [{ order: i, note: i === 1_900 ? 'needle of gold' : 'hay' }]
    }))
    for (let i = 0; i < executions.length; i += 500) await backend.record(executions.slice(i, i + 500))
    const search = async (text: readonly TextCondition[]) =>
      (await readAndCompare(backend, toModel(executions), { text, order: 'newest', limit: 50 })).map(each => each.executionId)
    const needle = [executions[1_900]!.executionId]
    t.strictSame(await search([{ in: 'any', words: ['needle', 'of', 'go'] }]), needle)
    t.strictSame(await search([{ in: 'path', path: ['order'], value: '1900' }]), needle)
    t.strictSame(await search([{ in: 'args', words: ['hay'] }, { in: 'path', path: ['order'], value: '1900' }]), [])
    t.equal((await search([{ in: 'any', words: ['no', 'route'] }])).length, 667)
  })

  t.test('an error is searched to the end of the stored message, beyond what lists show', async t => {
    const backend = await freshBackend(await openStore(t))
    const message = `${'prefix '.repeat(100)}then zebra`
    const execution = makeExecution({ status: 'failed', error: { type: 'LateError', message, stack: null } })
    await backend.record([execution, makeExecution({ status: 'failed' })])
    for (const words of [['zebra'], ['then', 'zeb'], ['lateerror'], ['prefix', 'prefix', 'then']]) {
      const { executions } = await backend.list({ text: [{ in: 'error', words }], order: 'newest', limit: 5 })
      t.strictSame(executions, [listed(execution)], words.join(' '))
    }
  })
}

const TASKS = ['email:send', '日報', 'a b/c', "it's", 'A']
const SCHEDULES = ['s1', 's2:x']
const WORKERS = ['host-1:1', 'host-2:2']
const GROUPS = ['g1', 'g2', '日']
const DURATIONS = [0, 0.5, 20, 100, 5_000, 5_000.5, 86_400_000]
const MESSAGES = ['connection reset by peer', 'Connection refused', 'no route to host', 'timeout of 42 ms', '日報 failed', '']
const ARGS = [
  [], ['ana@example.org'], [{ user: { id: 42, Name: 'Ana' } }], [{ tags: ['x', { key: 'connection reset' }], flag: true }, null],
  [{ user: { id: '420' } }, 42], null
]
const PHRASES = [
  'connection reset', 'conn', 'reset', 'no rou', 'timeout', '42', 'ana', 'user', '日報', 'failed', 'send', 'true', 'absent', 'connection res'
]
const PATHS: ReadonlyArray<[string[], string]> = [
  [['user', 'id'], '42'], [['USER', 'Id'], '42'], [['user', 'name'], 'ANA'], [['tags'], 'x'], [['tags', 'key'], 'connection reset'],
  [['flag'], 'true'], [['user'], '42'], [['id'], '42']
]

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })
const drawn = fc.record({
  id: fc.integer({ min: 0, max: 80 }),
  finishedAt: fc.integer({ min: 0, max: 12 }),
  status: fc.constantFrom<FinishedStatus[]>('success', 'success', 'failed', 'failed', 'cancelled'),
  task: fc.constantFrom(...TASKS),
  schedule: fc.option(fc.constantFrom(...SCHEDULES)),
  worker: fc.option(fc.constantFrom(...WORKERS)),
  group: fc.constantFrom(...GROUPS),
  durationMs: fc.option(fc.constantFrom(...DURATIONS)),
  message: fc.constantFrom(...MESSAGES),
  args: fc.constantFrom(...ARGS)
})
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never
const batches = fc.array(fc.array(drawn, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 6 })

const condition: fc.Arbitrary<TextCondition> = fc.oneof(
  fc.record({
    in: fc.constantFrom('any' as const, 'error' as const, 'args' as const),
    words: fc.constantFrom(...PHRASES).map(phrase => wordsOf(phrase, 10))
  }),
  fc.constantFrom(...PATHS).map(([path, value]) => ({ in: 'path' as const, path, value }))
)
/** Few filters at a time, because many together leave nothing. */
const seldom = <T>(values: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })
const query = fc.record({
  status: optional(fc.constantFrom('success' as const, 'failed' as const, 'cancelled' as const)),
  taskName: seldom(fc.constantFrom(...TASKS, 'never')),
  taskNames: seldom(fc.subarray([...TASKS, 'never'], { minLength: 1 })),
  scheduleId: seldom(fc.constantFrom(...SCHEDULES, 'never')),
  workerId: seldom(fc.constantFrom(...WORKERS, 'never')),
  errorGroup: seldom(fc.constantFrom(...GROUPS, 'never')),
  from: seldom(fc.integer({ min: 0, max: 13 })),
  to: seldom(fc.integer({ min: 0, max: 13 })),
  minDurationMs: seldom(fc.constantFrom(...DURATIONS)),
  maxDurationMs: seldom(fc.constantFrom(...DURATIONS)),
  text: seldom(fc.array(condition, { minLength: 1, maxLength: 2 })),
  order: fc.constantFrom('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 9 })
})
type DrawnQuery = typeof query extends fc.Arbitrary<infer Value> ? Value : never

function toExecution({ id, finishedAt, status, task, schedule, worker, group, message, ...rest }: Drawn, base: number): FinishedExecution {
  return makeExecution({
    ...rest,
    executionId: id % 5 === 0 ? `custom-${id}-日` : `00000000-0000-4000-8000-${String(id * 7919 % 1000).padStart(12, '0')}`,
    finishedAt: base + finishedAt,
    status,
    taskName: task,
    scheduleId: schedule,
    workerId: worker,
    ...(status === 'failed' && { errorGroup: group, error: { type: 'Error', message, stack: null } })
  })
}

function toQuery({ from, to, ...rest }: DrawnQuery, base: number): FinishedQuery {
  const query = { ...rest, from: from === undefined ? undefined : base + from, to: to === undefined ? undefined : base + to }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as unknown as FinishedQuery
}

function toModel(executions: readonly FinishedExecution[]): Model {
  return new Map(executions.map(each => [each.executionId, each]))
}

/**
 * Follows `next` to the end. Executions that existed at the start must be listed once, later ones at most once, and all in order.
 * @param between called after each page that is not the last
 */
async function readAndCompare(
  backend: ResultBackend, model: Model, query: FinishedQuery, between: () => Promise<void> = async () => {}
): Promise<Execution[]> {
  const before = filtered(model.values(), query)
  const seen: Execution[] = []
  let after: FinishedPosition | undefined
  for (;;) {
    const page = await backend.list({ ...query, ...(after && { after }) })
    assertHonest(page, query, filtered(model.values(), query).length, after === undefined)
    seen.push(...page.executions)
    if (page.next === null) break
    after = page.next
    await between()
  }
  const now = filtered(model.values(), query)
  const ids = seen.map(each => each.executionId)
  assertSame(new Set(ids).size, ids.length)
  assertSame(seen, now.filter(each => ids.includes(each.executionId)).map(listed))
  assertSame(before.filter(each => !ids.includes(each.executionId)).map(each => each.executionId), [])
  assertSame(ids.filter(id => !model.has(id)), [])
  return seen
}

const COUNTED: ReadonlySet<string> = new Set<keyof FinishedQuery>(['status', 'taskName', 'scheduleId', 'from', 'to', 'order', 'limit'])

/** A page must not claim more than is known. */
function assertHonest(
  { executions, next, total, scanned, complete }: FinishedPage, query: FinishedQuery, count: number, isFirst: boolean
): void {
  const facts = JSON.stringify({ query, found: executions.length, next, total, scanned, complete, count })
  const demand = (isTrue: boolean, what: string) => { if (!isTrue) throw new Error(`${what}: ${facts}`) }
  demand(executions.length <= query.limit, 'a page has at most `limit` executions')
  demand(executions.length === query.limit || next === null || !complete, 'only an incomplete page may be short and have a next one')
  demand(complete || next !== null, 'an incomplete page has a next one')
  demand(scanned === null || (Number.isInteger(scanned) && scanned >= executions.length), 'scanned is a number')
  demand(total.relation === 'exact' ? total.value === count : total.value <= count, 'a total is exact or too low')
  demand(total.value >= executions.length, 'a total includes what is shown')
  demand(total.relation === 'exact' || !(isFirst && next === null), 'a single page is counted exactly')
  demand(
    total.relation === 'exact' || !Object.keys(query).every(name => COUNTED.has(name)),
    'task, schedule, status and time are counted exactly up to a limit'
  )
}
