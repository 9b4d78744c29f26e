import t from 'tap'
import { createResultBackend } from '../../../../lib/backend/create-result-backend.ts'
import type { FinishedExecution } from '../../../../lib/execution.ts'
import type { FinishedQuery, ResultBackend } from '../../../../lib/backend/result-backend.ts'
import type { SqlStore } from '../../../../lib/stores/store.ts'
import { matchesText, searchableOf } from '../../../../lib/backend/search/searchable.ts'
import { makeExecution } from '../../make-execution.ts'
import { openSql } from '../open-sql.ts'

const BASE = Date.now() - 100_000

function common(count: number, given: (i: number) => Partial<FinishedExecution> = () => ({})): FinishedExecution[] {
  return Array.from({ length: count }, (_, i) =>
    makeExecution({ finishedAt: BASE + i, taskName: 'common', workerId: 'common', durationMs: 15, args: ['filler', i], ...given(i) }))
}

async function idsOf(backend: ResultBackend, query: Omit<FinishedQuery, 'limit' | 'order'>, limit = 10) {
  const ids: string[] = []
  let after: FinishedQuery['after']
  for (;;) {
    const page = await backend.list({ ...query, order: 'newest', limit, ...(after && { after }) })
    ids.push(...page.executions.map(each => each.executionId))
    if (page.next === null) return { ids, total: page.total }
    after = page.next
  }
}

t.test('each filter is read in order from its own index, even when the statistics are out of date', async t => {
  const { store, backend, statements, explain } = await openSql(t)
  const rare = { taskName: 'rare', workerId: 'rare', scheduleId: 'rare', errorGroup: 'rare', status: 'failed' as const, durationMs: 5_000 }
  await backend.record(common(3_000, i => i % 3 === 0 ? { status: 'failed', errorGroup: 'common', scheduleId: 'common' } : {}))
  // The statistics are from a time when only the common rows existed. They do not cover the rows added afterwards.
  await store.query(`ANALYZE "${store.schema}".executions`)
  await backend.record(common(3_000, i => i < 40 ? rare : {}))
  const filters: Array<[string, Omit<FinishedQuery, 'order' | 'limit'>]> = [
    ['finish', {}], ['finish', { status: 'failed' }], ['task', { taskName: 'rare' }], ['task', { taskName: 'common', status: 'failed' }],
    ['schedule', { scheduleId: 'rare' }], ['worker', { workerId: 'rare' }], ['worker', { workerId: 'common', status: 'failed' }],
    ['group', { errorGroup: 'rare' }], ['group', { errorGroup: 'common' }], ['duration', { minDurationMs: 160 }],
    ['duration', { minDurationMs: 10 }]
  ]
  for (const [index, filter] of filters) {
    for (const range of [{}, { from: BASE, to: BASE + 2_000 }]) {
      for (const order of ['newest', 'oldest'] as const) {
        statements()
        const page = await backend.list({ ...filter, ...range, order, limit: 20, after: { finishedAt: BASE + 1_000, executionId: 'x' } })
        t.equal(page.scanned, null)
        for (const statement of statements()) {
          // Counts stop at a thousand. For a small table the planner is right to collect and sort the rows.
          if (!/error_message/.test(statement.text)) continue
          const plan = await explain(statement)
          t.match(plan, new RegExp(`executions_by_${index}\\b`), `${JSON.stringify(filter)} ${order}`)
          t.notMatch(plan, /Seq Scan|Bitmap|Sort {2}\(/, 'no full scan, no sort')
          for (const [other] of plan.matchAll(/executions_by_\w+/g)) t.equal(other, `executions_by_${index}`)
        }
      }
    }
  }
})

t.test('several filters take the cheapest path, and a page that runs out of time says so', async t => {
  const { backend, statements } = await openSql(t)
  const rare = Array.from({ length: 6 }, (_, i) =>
    makeExecution({ finishedAt: BASE + i * 500, taskName: 'common', workerId: 'rare', durationMs: i < 3 ? 5 : 12 }))
  await backend.record([...common(3_000), ...rare])
  statements()
  const page = await backend.list({ taskName: 'common', workerId: 'rare', order: 'newest', limit: 4 })
  t.strictSame(page.executions.map(each => each.executionId), rare.slice(2).reverse().map(each => each.executionId))
  t.equal(page.scanned, 6, 'examines the six of the worker, not the three thousand of the task')
  t.strictSame([page.complete, page.total], [true, { value: 6, relation: 'exact' }])
  t.strictSame(await idsOf(backend, { taskName: 'common', workerId: 'rare', minDurationMs: 11, maxDurationMs: 15 }, 2),
    { ids: rare.slice(3).reverse().map(each => each.executionId), total: { value: 3, relation: 'exact' } })

  const slow = await openSql(t, { delayMs: 320 })
  await slow.backend.record([...common(1_500), ...rare])
  const query: FinishedQuery = { minDurationMs: 9, maxDurationMs: 13, taskName: 'common', order: 'oldest', limit: 4 }
  const first = await slow.backend.list(query)
  t.equal(first.complete, false)
  t.equal(first.scanned, 250)
  t.equal(first.total.relation, 'at_least')
  t.ok(first.next !== null && first.executions.length < 3)
  const found = first.executions.map(each => each.executionId)
  for (let after = first.next; after !== null;) {
    const next = await slow.backend.list({ ...query, after })
    found.push(...next.executions.map(each => each.executionId))
    after = next.next
  }
  t.strictSame(found, rare.slice(3).map(each => each.executionId), 'the next pages find the rest')
})

t.test('the first rows of a task are read in order even if the planner has no statistics about the history', async t => {
  const { backend, statements, explain } = await openSql(t)
  for (let at = 0; at < 4; at++)
    await backend.record(common(1_000, () => ({ status: 'failed', errorGroup: 'common', scheduleId: 'common' })))
  for (const filter of [{ taskName: 'common' }, { scheduleId: 'common' }, { workerId: 'common' }, { errorGroup: 'common' }]) {
    for (const range of [{}, { from: BASE }, { to: BASE + 900 }, { from: BASE, to: BASE + 900 }]) {
      for (const limit of [20, 200]) {
        statements()
        await backend.list({ ...filter, ...range, status: 'failed', order: 'newest', limit })
        for (const statement of statements().filter(({ text }) => /error_message|AS capped/.test(text) && !/FROM .*totals/.test(text)))
          t.notMatch(await explain(statement), /Seq Scan|Bitmap|Sort/, JSON.stringify({ ...filter, ...range, limit }))
      }
    }
  }
})

/** Copies of the one stored execution, a millisecond apart, starting at BASE. */
async function copy(store: SqlStore, count: number): Promise<void> {
  const columns =
    'failed, task_name, queue, state, attempt, max_attempts, priority, submitted_at, schedule_id, worker_id, ' +
      'error_group, duration_ms, search'
  await store.query(
    `INSERT INTO "${store.schema}".executions (execution_id, finished_at, ${columns})
     SELECT execution_id || '-' || number, ${BASE} + number, ${columns} FROM (SELECT *
       FROM "${store.schema}".executions LIMIT 1) AS one CROSS JOIN generate_series(1, $1::integer) AS number`,
    [count], { timeoutMs: 60_000 }
  )
}

t.test('the planner does not overestimate the work, because PostgreSQL compiles queries that seem expensive', async t => {
  const { store, backend, statements, explain } = await openSql(t)
  await backend.record(common(1, () => ({ scheduleId: 'common', errorGroup: 'common', status: 'failed' })))
  await copy(store, 20_000)
  await store.query(`ANALYZE "${store.schema}".executions`, [], { timeoutMs: 60_000 })
  for (const filter of [{}, { taskName: 'common' }, { taskNames: ['common', 'other', 'third'] }, { errorGroup: 'common' }]) {
    statements()
    await backend.list({ ...filter, from: BASE, order: 'newest', limit: 50 })
    const [page] = statements().filter(({ text }) => /error_message/.test(text))
    const cost = Number(/cost=\S+\.\.(\d+)/.exec(await explain(page!))![1])
    t.ok(cost < 500, `${JSON.stringify(filter)}: ${cost}`)
  }
})

const READ = /Scan.*actual time=\S+ rows=(\d+)/

t.test('counting reads at most about a thousand rows, with or without a time range', async t => {
  const { store, backend, statements, explain } = await openSql(t)
  await backend.record(common(300, () => ({ scheduleId: 'common', errorGroup: 'common', status: 'failed' })))
  // Statistics from a time when the table was almost empty.
  await store.query(`ANALYZE "${store.schema}".executions`)
  await copy(store, 20_000)
  for (const filter of [
    {}, { status: 'failed' }, { taskName: 'common' }, { scheduleId: 'common' }, { workerId: 'common' }, { errorGroup: 'common' },
    { minDurationMs: 10 }, { taskName: 'common', minDurationMs: 11 }
  ] as const) {
    for (const range of [{}, { from: BASE + 5_000 }, { from: BASE + 5_000, to: BASE + 15_000 }]) {
      statements()
      const page = await backend.list({ ...filter, ...range, order: 'newest', limit: 20 })
      if (page.total.relation === 'at_least') t.ok(page.total.value >= 1_000)
      else t.equal(page.total.value, 300, 'from the counters, which do not include the copies')
      for (const statement of statements().filter(({ text }) => /count\(/.test(text))) {
        const plan = await explain(statement, 'ANALYZE')
        t.match(plan, READ)
        for (const [line, rows] of plan.matchAll(new RegExp(READ, 'g')))
          t.ok(Number(rows) <= 1_001, `${JSON.stringify({ ...filter, ...range })}: ${line}`)
        t.notMatch(plan, /Rows Removed by Filter: \d{4}/)
      }
    }
  }
})

t.test('a few slow executions of a task are sorted, and many are found by a scan in order of time', async t => {
  const { store, backend, statements, explain } = await openSql(t)
  await backend.record(common(3_000))
  await store.query(`ANALYZE "${store.schema}".executions`)
  const slow = Array.from({ length: 9 }, (_, i) =>
    makeExecution({ finishedAt: BASE - 1_000 + i, taskName: 'common', durationMs: 5_000 + i, status: i % 3 === 0 ? 'failed' : 'success' }))
  await backend.record([...slow, ...common(1_500, () => ({ taskName: 'other', durationMs: 6_000 }))])
  const newest = slow.map(each => each.executionId).reverse()
  t.strictSame(
    (await backend.list({ taskName: 'common', minDurationMs: 5_000, order: 'newest', limit: 4 })).total, { value: 9, relation: 'exact' }
  )
  t.strictSame((await idsOf(backend, { taskName: 'common', minDurationMs: 5_000 }, 4)).ids, newest)
  t.strictSame(
    (await idsOf(backend, { taskName: 'common', minDurationMs: 5_003, maxDurationMs: 5_006, from: BASE - 999 })).ids, newest.slice(3, 6)
  )
  t.strictSame(
    (await idsOf(backend, { taskName: 'common', minDurationMs: 5_000, status: 'failed' }, 2)).ids, newest.filter((_, i) => i % 3 === 2)
  )
  statements()
  t.equal((await backend.list({ taskName: 'common', minDurationMs: 4_000, order: 'newest', limit: 50 })).scanned, null)
  const plan = await explain(statements().find(({ text }) => /AS sorted_rows/.test(text))!)
  t.match(plan, /executions_by_task_duration/)
  t.ok((await backend.list({ taskName: 'common', minDurationMs: 11, order: 'newest', limit: 50 })).scanned! < 1_000)
})

t.test('the matches of a text are found by a scan in order of time, instead of a sort, if there are too many', async t => {
  const { store, backend } = await openSql(t)
  await backend.record([makeExecution({ finishedAt: BASE, args: ['everywhere'] })])
  await copy(store, 20_100)
  await backend.record(common(1_500, i => ({ finishedAt: BASE + 50_000 + i })))
  const page = await backend.list({ text: [{ in: 'any', words: ['everywhere'] }], order: 'newest', limit: 5 })
  t.ok(page.scanned! > 1_500)
  t.ok(
    page.total.relation === 'at_least' && page.total.value >= page.executions.length, 'the page has no more rows than the total says'
  )
  t.equal(page.executions.length, 5)
})

t.test('text search matches its definition: common words are found by a scan, rare words from the index', async t => {
  const { backend, statements } = await openSql(t)
  const texts = ['connection reset by peer', 'Größe ﬁne', '日報を送る', 'a '.repeat(290) + 'zeta eta', 'ordinary']
  const marked = Array.from({ length: 60 }, (_, i) => makeExecution({
    finishedAt: BASE + i * 60, args: [{ user: { id: i % 4, name: texts[i % 5] } }, 'tail'],
    ...(i % 6 === 0 ? { status: 'failed', error: { type: 'TypeError', message: `${texts[i % 5]} ${i}`, stack: null } } : {})
  }))
  const all = [...common(4_000), ...marked]
  for (let i = 0; i < all.length; i += 1_000) await backend.record(all.slice(i, i + 1_000))
  const newest = all.sort((a, b) => b.finishedAt - a.finishedAt || (a.executionId < b.executionId ? 1 : -1))
  const any = (...words: string[]) => ({ in: 'any' as const, words })
  const id = marked[7]!.executionId.split('-')
  for (const text of [
    [any('conn')], [any('reset', 'by', 'pe')], [any('by', 'reset')], [any('peer', 'tail')], [{ in: 'error' as const, words: ['peer'] }],
    [{ in: 'args' as const, words: ['typeerror'] }],
    [any('fine')], [any('größe')], [any('報', 'を')], [any('a', 'zeta')], [any('a', 'a', 'zeta', 'e')], [any(...id)], [any(id[4]!)],
    [any('email', 'send')], [any('user')],
    [{ in: 'path' as const, path: ['user', 'id'], value: '3' }, any('conn')], [{ in: 'path' as const, path: ['id'], value: '3' }],
    [any('filler')], [any('filler', '17')]
  ]) {
    for (const filter of [{}, { workerId: 'host-1234' }, { from: BASE + 100, to: BASE + 2_500 }]) {
      const expected = newest.filter(
        each => matchesText(searchableOf(each, each.args
        ), text) && (!filter.workerId || each.workerId === filter.workerId) &&
        (filter.from === undefined || (each.finishedAt >= filter.from && each.finishedAt < filter.to)))
      const { ids, total } = await idsOf(backend, { ...filter, text }, 50)
      t.strictSame(ids, expected.map(each => each.executionId), JSON.stringify(text))
      if (total.relation === 'exact') t.equal(total.value, expected.length)
    }
  }
  statements()
  const common50 = await backend.list({ text: [any('filler')], order: 'newest', limit: 50 })
  t.ok(common50.scanned !== null && common50.scanned < 1_000, 'a common word does not sort all its matches')
  const rare = await backend.list({ text: [any('connection')], order: 'newest', limit: 50 })
  t.equal(rare.scanned, null)
  t.strictSame(rare.total, {
    value: newest.filter(each => matchesText(searchableOf(each, each.args), [any('connection')])).length, relation: 'exact'
  })
})

t.test('the total agrees with its page, whatever is recorded or removed between the two reads', async t => {
  const { store, backend: writer } = await openSql(t)
  const nothing = { maxAgeMs: 0, maxCount: 0 }
  const leave = (maxCount: number) => writer.prune(
    { success: { maxAgeMs: Infinity, maxCount }, failed: nothing },
    { nowMs: Date.now(), keepAfterMs: Date.now(), brokerHasAfterMs: Infinity, limit: 100 }
  )
  let toldRowsAreRead: () => void = () => {}
  let rowsAreRead: Promise<void> = Promise.resolve()
  let meanwhile: () => Promise<unknown> = async () => {}
  const query: SqlStore['query'] = async (text, ...rest) => {
    const isPage = text.includes('error_message')
    if (!isPage && /kept_success|AS (counted|matching)\b/.test(text)) {
      await rowsAreRead
      await meanwhile()
    }
    const result = await store.query(text, ...rest)
    if (isPage) toldRowsAreRead()
    return result as never
  }
  const reader = createResultBackend(Object.create(store, { query: { value: query } }) as SqlStore)
  for (const filter of [{}, { taskName: 'common' }, { workerId: 'common' }, { workerId: 'common', taskName: 'common' }]) {
    for (const limit of [5, 3, 10]) {
      for (const happens of ['recorded', 'removed']) {
        await leave(0)
        await writer.record(common(5))
        rowsAreRead = new Promise(resolve => { toldRowsAreRead = resolve })
        meanwhile = () => happens === 'recorded' ? writer.record(common(1)) : leave(2)
        const { executions, next, total } = await reader.list({ ...filter, order: 'newest', limit })
        const told = `${JSON.stringify(filter)}, ${limit} a page, while some are ${happens}`
        t.equal(executions.length, Math.min(limit, 5), told)
        if (next === null) t.strictSame(total, { value: 5, relation: 'exact' }, told)
        else t.ok(total.value > executions.length, told)
      }
    }
  }
})
