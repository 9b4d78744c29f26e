import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Test } from 'tap'
import type { FinishedExecution } from '../../lib/execution.ts'
import { createResultBackend } from '../../lib/backend/create-result-backend.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/backend/tally.ts'
import type { DurationPercentiles, FinishedPosition, FinishedQuery, ResultBackend } from '../../lib/backend/result-backend.ts'
import type { Store } from '../../lib/stores/store.ts'
import { makeExecution } from '../backend/make-execution.ts'
import { type TestServer, testNamespace } from '../support/stores.ts'

const HOSTILE_TEXTS = [
  'NUL \u0000 inside', 'lone \ud800 high', 'lone \udfff low', 'emoji 🦊 and 日報', '</script><script>alert(1)</script>', '../../etc/passwd',
  '\u0001\u0001' + 'escapes \\ \' " ` {} , NULL', '\r\n\t\v', 'x'.repeat(10_000), 'NULL', '{}', ''
]

/** Every driver keeps these promises. `openStore` gives an open and empty store. */
export function resultBackendContract(t: Test, openStore: (t: Test) => Promise<Store>): void {
  t.test('of what is recorded, everything comes back', async t => {
    const backend = await freshBackend(await openStore(t))
    const execution = makeExecution({
      status: 'failed',
      attempt: 3,
      maxAttempts: 3,
      priority: 7,
      scheduleId: randomUUID(),
      retryOf: randomUUID(),
      progress: { done: 3 },
      args: [1, null, { deep: ['x'] }],
      result: { partial: true },
      logs: ['one', 'two'],
      durationMs: 20.5,
      waitMs: null,
      startedAt: null,
      workerId: null,
      truncated: ['/elsewhere']
    })
    t.equal(await backend.record([execution]), 1)
    t.strictSame(await backend.find(execution.executionId), execution)
    const { executions } = await backend.list({ order: 'newest', limit: 10 })
    t.strictSame(executions, [listed(execution)], 'and a list has it without payloads')
    t.equal(await backend.find(randomUUID()), null)
    const plain = makeExecution({ args: null, attempts: [] })
    const usual = makeExecution({ args: [], queue: 'email:send' })
    await backend.record([plain, usual])
    t.strictSame(await backend.find(plain.executionId), plain, 'what was not kept stays unknown')
    t.strictSame(await backend.find(usual.executionId), usual)
  })

  t.test('hostile text comes back identical, wherever it stands', async t => {
    const backend = await freshBackend(await openStore(t))
    for (const text of HOSTILE_TEXTS) {
      const key = `k${text}`.slice(0, 300)
      const execution = makeExecution({
        executionId: key,
        taskName: key,
        queue: key,
        scheduleId: key,
        retryOf: key,
        workerId: key,
        errorGroup: key,
        status: 'failed',
        progress: text.slice(0, 300),
        error: { type: key.slice(0, 200), message: text.slice(0, 8192), stack: text },
        args: [text, { [text]: text }],
        result: { [text]: [text] },
        logs: [text]
      })
      t.equal(await backend.record([execution]), 1)
      t.equal(await backend.record([execution]), 0)
      t.strictSame(await backend.find(key), execution)
      for (const query of [{ taskName: key }, { scheduleId: key }, { taskName: key, scheduleId: key }]) {
        const { executions } = await backend.list({ ...query, order: 'newest', limit: 5 })
        t.strictSame(executions, [listed(execution)])
      }
      t.strictSame(await backend.missing([key, `not ${key}`]), [`not ${key}`])
      t.equal((await backend.taskTotals()).get(key)?.last?.executionId, key)
      t.equal((await backend.scheduleTotals([key])).get(key)?.failed, 1)
      await backend.saveWatermark(key, 5)
      t.equal(await backend.watermark(key), 5)
      const error = { type: text.slice(0, 200), message: text.slice(0, 8192), stack: null }
      const attempt = { attempt: 1, startedAt: null, finishedAt: 3, workerId: key, error }
      await backend.recordAttempts([{ executionId: `unfinished ${key}`, taskName: key, attempt }])
      t.strictSame(await backend.attemptsOf(`unfinished ${key}`), [attempt])
      t.equal(await backend.find(`never ${text}`), null)
      t.strictSame((await backend.list({ order: 'oldest', limit: 5, taskName: `never ${text}`, after: { finishedAt: 1, executionId: text } })).executions, [])
      await backend.forgetSchedule(key)
      t.equal((await backend.scheduleTotals([key])).size, 0)
    }
  })

  t.test('what is over its limit is cut and named', async t => {
    const backend = await freshBackend(await openStore(t))
    const long = '🦊'.repeat(100_000)
    const execution = makeExecution({
      status: 'failed', args: [long], result: [long], progress: long, logs: Array.from({ length: 1_500 }, (_, i) => `line ${i}`),
      error: { type: 'Error', message: long, stack: long }
    })
    await backend.record([execution])
    const found = (await backend.find(execution.executionId))!
    t.strictSame([...found.truncated].sort(), ['/args', '/error/message', '/error/stack', '/logs', '/progress', '/result'])
    t.equal(found.logs.length, 1_000)
    t.equal(found.logs.at(-1), 'line 1499')
    t.ok(Array.isArray(found.args) && found.args.length === 1)
    t.ok(Buffer.byteLength(JSON.stringify(found)) < 400_000)
    t.notMatch(JSON.stringify(found), /\\ud83e[^\\]|\\ud83e$/, 'no half characters')
    const tooLong = makeExecution({ executionId: 'x'.repeat(3_000) })
    t.equal(await backend.record([tooLong]), 0, 'an id that fits no index is left out')
    t.strictSame(await backend.missing([tooLong.executionId]), [], 'and not asked for again')
  })

  t.test('any sequence of records is listed as a simple model says, for every filter, order and page size', async t => {
    const store = await openStore(t)
    const tasks = ['email:send', '日報', 'a b/c', "it's", 'A']
    const schedules = ['s1', 's2:x']
    const record = fc.record({
      id: fc.integer({ min: 0, max: 60 }),
      finishedAt: fc.integer({ min: 0, max: 12 }),
      failed: fc.boolean(),
      task: fc.constantFrom(...tasks),
      schedule: fc.option(fc.constantFrom(...schedules))
    })
    const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 })
    const query = fc.record({
      status: optional(fc.constantFrom('success' as const, 'failed' as const)),
      taskName: optional(fc.constantFrom(...tasks, 'never')),
      scheduleId: optional(fc.constantFrom(...schedules, 'never')),
      from: optional(fc.integer({ min: 0, max: 13 })),
      to: optional(fc.integer({ min: 0, max: 13 })),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
      limit: fc.integer({ min: 1, max: 9 })
    })
    await fc.assert(fc.asyncProperty(
      fc.array(fc.array(record, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 4 }), fc.array(query, { minLength: 12, maxLength: 12 }),
      async (batches, queries) => {
        const backend = await freshBackend(store)
        const base = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
        const model = new Map<string, FinishedExecution>()
        const write = async (batch: typeof batches[number]) => {
          const executions = batch.map(each => makeExecution({
            executionId: idOf(each.id),
            finishedAt: base + each.finishedAt,
            status: each.failed ? 'failed' : 'success',
            taskName: each.task,
            scheduleId: each.schedule,
            durationMs: each.id
          }))
          const known = model.size
          for (const execution of executions) if (!model.has(execution.executionId)) model.set(execution.executionId, execution)
          assertSame(await backend.record(executions), model.size - known)
        }
        const late = batches.length > 2 ? batches.pop()! : []
        for (const batch of batches) await write(batch)
        for (const { from, to, ...rest } of queries) {
          const times = { from: from === undefined ? from : base + from, to: to === undefined ? to : base + to }
          const bounded = defined({ ...rest, ...times }) as FinishedQuery
          const expected = filtered(model, bounded)
          const pages = await readAll(backend, bounded)
          assertSame(pages.executions, expected.map(listed))
          assertSame(pages.totals.every(total => total.value === expected.length && total.relation === 'exact'), true)
        }
        assertSame(countsOf(model), await countersOf(backend))

        // Records that arrive between two pages neither hide nor repeat what was there.
        const order = queries[0]!.order
        const before = filtered(model, { order, limit: 1 })
        const seen = await readAll(backend, { order, limit: 3 }, async page => { if (page === 1 && late.length > 0) await write(late) })
        const ids = seen.executions.map(each => each.executionId)
        assertSame(new Set(ids).size, ids.length)
        const old = new Set(before.map(each => each.executionId))
        assertSame(ids.filter(id => old.has(id)), before.map(each => each.executionId))
        assertSame(countsOf(model), await countersOf(backend))
      }
    ), { numRuns: store.kind === 'embedded' ? 12 : 25, endOnFailure: true })
  })

  t.test('the same executions from several writers at once are recorded and counted once', async t => {
    const store = await openStore(t)
    const backends = [await freshBackend(store)]
    const namespaced = namespaces.get(backends[0]!)!
    for (let i = 0; i < 3; i++) backends.push(createResultBackend(namespaced))
    const executions = Array.from({ length: 300 }, (_, i) => makeExecution({
      status: i % 3 ? 'success' : 'failed', taskName: `task ${i % 7}`, scheduleId: i % 2 ? `schedule ${i % 5}` : null, finishedAt: Date.now() - i * 1_000
    }))
    const added = await Promise.all(backends.flatMap(backend => [
      backend.record(shuffled(executions)),
      backend.record(shuffled(executions).slice(0, 120)),
      backend.record([...executions.slice(50), ...executions.slice(0, 90)])
    ]))
    t.equal(added.reduce((sum, count) => sum + count), 300)
    const model = new Map(executions.map(execution => [execution.executionId, execution]))
    t.strictSame(await countersOf(backends[0]!), countsOf(model))
    const { first, end } = spanOf(executions)
    const window = await backends[0]!.window(first, end)
    t.equal(window.success + window.failed, 300)
    const byTask = await backends[0]!.windowByTask(first, end)
    t.equal([...byTask.values()].reduce((sum, each) => sum + each.success + each.failed, 0), 300)
    t.equal(byTask.size, 7)
    const since = (await backends[0]!.totals()).since
    t.ok(since <= Date.now() && since > Date.now() - 600_000)
  })

  t.test('windows tell percentiles within 2 % and counts exactly', async t => {
    const backend = await freshBackend(await openStore(t))
    const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS
    const sample = (i: number) => Math.round(Math.exp((i * 7919 % 1000) / 1000 * 13))
    const executions = Array.from({ length: 1_500 }, (_, i) => makeExecution({
      finishedAt: minute + (i % 3) * MINUTE_MS + i, durationMs: sample(i), waitMs: i % 10 ? sample(i + 500) : null, taskName: i % 2 ? 'odd' : 'even', status: i % 5 ? 'success' : 'failed'
    }))
    for (let i = 0; i < executions.length; i += 250) await backend.record(executions.slice(i, i + 250))
    for (const [from, to] of [[0, 3], [1, 2], [1, 3], [2, 9], [3, 9]] as const) {
      const inside = executions.filter(each => each.finishedAt >= minute + from * MINUTE_MS && each.finishedAt < minute + to * MINUTE_MS)
      const window = await backend.window(minute + from * MINUTE_MS, minute + to * MINUTE_MS)
      t.equal(window.success, inside.filter(each => each.status === 'success').length)
      t.equal(window.failed, inside.filter(each => each.status === 'failed').length)
      assertPercentiles(t, window.duration, inside.map(each => each.durationMs))
      assertPercentiles(t, window.wait, inside.map(each => each.waitMs))
    }
    const byTask = await backend.windowByTask(minute - HOUR_MS, minute + HOUR_MS)
    t.strictSame([...byTask.keys()].sort(), ['even', 'odd'])
    assertPercentiles(t, byTask.get('odd')!.duration, executions.filter(each => each.taskName === 'odd').map(each => each.durationMs))
    t.strictSame(await backend.window(0, 1), { success: 0, failed: 0, duration: null, wait: null })
    const old = makeExecution({ finishedAt: Date.now() - 60 * HOUR_MS })
    await backend.record([old])
    t.equal((await backend.window(old.finishedAt, old.finishedAt + 1)).success, 1, 'of days ago to the hour')
    t.equal((await backend.window(old.finishedAt - HOUR_MS, Date.now() + HOUR_MS)).success, 1_201)
  })

  t.test('attempts that failed are kept once each and told with the execution', async t => {
    const backend = await freshBackend(await openStore(t))
    const execution = makeExecution({ attempt: 3, maxAttempts: 3 })
    const attempt = (number: number) => ({
      attempt: number, startedAt: execution.finishedAt - 1_000 + number, finishedAt: execution.finishedAt - 900 + number, workerId: 'w', error: { type: 'Error', message: `attempt ${number}`, stack: 'stack' }
    })
    const record = (number: number) => ({ executionId: execution.executionId, taskName: execution.taskName, attempt: attempt(number) })
    await backend.recordAttempts([record(2), record(1), record(1)])
    await backend.recordAttempts([{ ...record(1), attempt: { ...attempt(1), workerId: 'another' } }])
    t.strictSame(await backend.attemptsOf(execution.executionId), [attempt(1), attempt(2)])
    t.equal(await backend.find(execution.executionId), null)
    await backend.record([execution])
    t.strictSame((await backend.find(execution.executionId))!.attempts, [attempt(1), attempt(2), ...execution.attempts])
    t.strictSame(await backend.attemptsOf('nobody'), [])
    const told = makeExecution({ attempt: 2, attempts: [{ attempt: 1, startedAt: null, finishedAt: null, workerId: null, error: { type: 'Error', message: 'told', stack: null } }] })
    await backend.record([told])
    await backend.recordAttempts([{ executionId: told.executionId, taskName: told.taskName, attempt: attempt(1) }])
    t.strictSame((await backend.find(told.executionId))!.attempts, [attempt(1)], 'what was recorded at the time wins')
  })

  t.test('an error without a group gets one, equal for equal errors', async t => {
    const backend = await freshBackend(await openStore(t))
    const failed = [1, 2].map(i => makeExecution({ status: 'failed', errorGroup: null, error: { type: 'TypeError', message: `order ${i} is gone`, stack: null } }))
    await backend.record(failed)
    const groups = (await Promise.all(failed.map(each => backend.find(each.executionId)))).map(each => each!.errorGroup)
    t.match(groups[0], /^[0-9a-f]{12}$/)
    t.equal(groups[0], groups[1])
  })

  t.test('what is missing is told, a thousand at a time', async t => {
    const backend = await freshBackend(await openStore(t))
    const there = Array.from({ length: 500 }, () => makeExecution())
    const gone = Array.from({ length: 500 }, () => randomUUID())
    await backend.record(there)
    t.strictSame(await backend.missing([...there.map(each => each.executionId), ...gone]), gone)
    t.strictSame(await backend.missing([]), [])
  })

  t.test('a second start keeps everything, and several at once get along', async t => {
    const store = await openStore(t)
    const namespaced = withNamespace(store)
    const backends = Array.from({ length: 4 }, () => createResultBackend(namespaced))
    await Promise.all(backends.map(backend => backend.start()))
    const execution = makeExecution()
    await backends[0]!.record([execution])
    const { since } = await backends[0]!.totals()
    await backends[1]!.stop()
    const again = createResultBackend(namespaced)
    await again.start()
    t.strictSame(await again.totals(), { success: 1, failed: 0, since })
    t.equal(await again.watermark('x'), null)
    await again.saveWatermark('x', 7)
    await again.saveWatermark('x', 5)
    t.equal(await backends[0]!.watermark('x'), 5)
  })

  t.test('a closed store is an unavailable backend, at once', async t => {
    const store = await openStore(t)
    const backend = await freshBackend(store)
    await store.stop()
    await assertUnavailable(t, backend, () => 1_500)
  })
}

/** A backend whose datastore is stopped and started again while it is in use. */
export function outageContract(t: Test, open: (t: Test) => Promise<{ store: Store; server: TestServer }>): void {
  freezeContract(t, open)
  t.test('a datastore that is killed makes calls reject in time, and they work again when it is back', async t => {
    const { store, server } = await open(t)
    const backend = await freshBackend(store)
    const execution = makeExecution()
    await backend.record([execution])
    await server.kill()
    await assertUnavailable(t, backend, () => 1_600)
    await server.start()
    await until(() => backend.totals().then(() => true, () => false))
    t.strictSame(await backend.find(execution.executionId), execution)
    t.equal(await backend.record([execution, makeExecution()]), 1)
    t.equal((await backend.totals()).success, 2)
  })
}

function freezeContract(t: Test, open: (t: Test) => Promise<{ store: Store; server: TestServer }>): void {
  t.test('a datastore that hangs makes reads reject within 1.5 s and writes within 10 s', { timeout: 60_000 }, async t => {
    const { store, server } = await open(t)
    const backend = await freshBackend(store)
    const execution = makeExecution()
    server.freeze()
    t.teardown(() => server.thaw())
    const writes = ['record', 'recordAttempts', 'saveWatermark', 'forgetSchedule']
    await assertUnavailable(t, backend, name => writes.includes(name) ? 10_000 : 1_500)
    server.thaw()
    await until(() => backend.totals().then(() => true, () => false))
    await until(() => backend.record([execution]).then(() => true, () => false))
    t.equal(await backend.record([execution]), 0)
    t.strictSame(await backend.find(execution.executionId), execution)
  })
}

export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const namespaces = new WeakMap<ResultBackend, Store>()

/** A started backend in a namespace of its own of the store. */
export async function freshBackend(store: Store): Promise<ResultBackend> {
  const namespaced = withNamespace(store)
  const backend = createResultBackend(namespaced)
  namespaces.set(backend, namespaced)
  await backend.start()
  return backend
}

function withNamespace(store: Store): Store {
  const namespace = testNamespace()
  return Object.create(store, { schema: { value: namespace }, keyPrefix: { value: `{${namespace}}` } }) as Store
}

async function assertUnavailable(t: Test, backend: ResultBackend, withinMs: (name: string) => number): Promise<void> {
  const calls: Record<string, () => Promise<unknown>> = {
    find: () => backend.find('x'),
    list: () => backend.list({ order: 'newest', limit: 5, scheduleId: 's' }),
    totals: () => backend.totals(),
    taskTotals: () => backend.taskTotals(),
    scheduleTotals: () => backend.scheduleTotals(['s']),
    window: () => backend.window(Date.now() - HOUR_MS, Date.now()),
    windowByTask: () => backend.windowByTask(Date.now() - HOUR_MS, Date.now()),
    missing: () => backend.missing(['x']),
    attemptsOf: () => backend.attemptsOf('x'),
    watermark: () => backend.watermark('x'),
    record: () => backend.record([makeExecution()]),
    recordAttempts: () => backend.recordAttempts([{ executionId: 'x', taskName: 'x', attempt: { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null } }]),
    saveWatermark: () => backend.saveWatermark('x', 1),
    forgetSchedule: () => backend.forgetSchedule('s')
  }
  await Promise.all(Object.entries(calls).map(async ([name, call]) => {
    const start = performance.now()
    const error = await call().then(() => null, (error: unknown) => error as Error & { code?: string })
    t.equal(error?.code, 'BACKEND_UNAVAILABLE', `${name} rejects`)
    t.ok(error?.cause, `${name} keeps the cause`)
    t.ok(performance.now() - start < withinMs(name) + 400, `${name} in time`)
  }))
}

function assertPercentiles(t: Test, actual: DurationPercentiles | null, values: ReadonlyArray<number | null>): void {
  const sorted = values.filter(value => value !== null).sort((a, b) => a - b)
  if (sorted.length === 0) { t.equal(actual, null); return }
  for (const [name, share] of [['p50', 0.5], ['p95', 0.95], ['p99', 0.99]] as const) {
    const exact = sorted[Math.ceil(sorted.length * share) - 1]!
    t.ok(Math.abs(actual![name] - exact) <= exact * 0.02, `${name} ${actual![name]} is near ${exact}`)
  }
}

async function readAll(backend: ResultBackend, query: FinishedQuery, between: (page: number) => Promise<void> = async () => {}) {
  const executions = []
  const totals = []
  let after: FinishedPosition | undefined
  for (let number = 1; ; number++) {
    const page = await backend.list({ ...query, ...(after ? { after } : {}) })
    if (page.executions.length > query.limit) throw new Error('a page is longer than its limit')
    executions.push(...page.executions)
    totals.push(page.total)
    if (!page.hasMore) return { executions, totals }
    const last = page.executions.at(-1)!
    after = { finishedAt: last.finishedAt!, executionId: last.executionId }
    await between(number)
  }
}

function filtered(model: ReadonlyMap<string, FinishedExecution>, query: FinishedQuery): FinishedExecution[] {
  const rows = [...model.values()].filter(each =>
    (query.status === undefined || each.status === query.status) && (query.taskName === undefined || each.taskName === query.taskName) &&
    (query.scheduleId === undefined || each.scheduleId === query.scheduleId) &&
    (query.from === undefined || each.finishedAt >= query.from) && (query.to === undefined || each.finishedAt < query.to))
  rows.sort((a, b) => a.finishedAt - b.finishedAt || Buffer.compare(Buffer.from(a.executionId), Buffer.from(b.executionId)))
  return query.order === 'newest' ? rows.reverse() : rows
}

function countsOf(model: ReadonlyMap<string, FinishedExecution>) {
  const count = (of: (execution: FinishedExecution) => string | null) => {
    const totals: Record<string, unknown> = {}
    for (const key of new Set([...model.values()].map(of)).values()) {
      if (key === null) continue
      const rows = filtered(new Map([...model].filter(([, each]) => of(each) === key)), { order: 'oldest', limit: 1 })
      const { executionId, status, finishedAt, durationMs } = rows.at(-1)!
      totals[key] = {
        success: rows.filter(each => each.status === 'success').length,
        failed: rows.filter(each => each.status === 'failed').length,
        totalDurationMs: rows.reduce((sum, each) => sum + (each.durationMs ?? 0), 0),
        last: { executionId, status, finishedAt, durationMs: durationMs ?? 0 }
      }
    }
    return sortedKeys(totals)
  }
  const all = [...model.values()]
  return {
    success: all.filter(each => each.status === 'success').length,
    failed: all.filter(each => each.status === 'failed').length,
    tasks: count(each => each.taskName),
    schedules: count(each => each.scheduleId)
  }
}

async function countersOf(backend: ResultBackend) {
  const { success, failed } = await backend.totals()
  const schedules = await backend.scheduleTotals(['s1', 's2:x', 'never', ...Array.from({ length: 5 }, (_, i) => `schedule ${i}`)])
  return { success, failed, tasks: sortedKeys(Object.fromEntries(await backend.taskTotals())), schedules: sortedKeys(Object.fromEntries(schedules)) }
}

function sortedKeys(object: Record<string, unknown>): Array<[string, unknown]> {
  return Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1)
}

/** As a list has it: no payloads, no stack. */
function listed({ args, result, attempts, logs, truncated, ...execution }: FinishedExecution) {
  return { ...execution, error: execution.error && { ...execution.error, message: execution.error.message.slice(0, 500), stack: null } }
}

function idOf(number: number): string {
  return number % 5 === 0 ? `custom-${number}-日` : `00000000-0000-4000-8000-${String(number * 7919 % 1000).padStart(12, '0')}`
}

function spanOf(executions: readonly FinishedExecution[]): { first: number; end: number } {
  const times = executions.map(each => each.finishedAt)
  return { first: Math.min(...times), end: Math.max(...times) + 1 }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items.map(item => ({ item, key: Math.random() })).sort((a, b) => a.key - b.key).map(({ item }) => item)
}

function defined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}

function assertSame(actual: unknown, expected: unknown): void {
  const [a, b] = [stable(actual), stable(expected)]
  if (a !== b) throw new Error(`expected ${b}\nbut got  ${a}`)
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => each !== null && typeof each === 'object' && !Array.isArray(each) ? Object.fromEntries(sortedKeys(each as Record<string, unknown>)) : each)
}
