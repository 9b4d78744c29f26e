import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/matching/bulk-matches.ts'
import { NEW_STATE, type PlannedItem } from '../../../lib/queue-app/bulk/bulk-records.ts'

const HERE = {}
const THERE = {}
const TASKS = ['a', 'b', 'c']
const SERVERS: Readonly<Record<string, object>> = { a: HERE, b: THERE, c: {} }

/** An operation on named executions of `a`, of `b` and `c`, which are on other servers, and of the app itself. */
function start(executionIds: readonly string[]) {
  const away = { isAway: false }
  const asked: string[][] = []
  const matches = createBulkMatches({
    serverOf: (taskName: string) => SERVERS[taskName],
    backend: { findMany: async () => [] },
    engine: {
      async findMany(_taskNames: string[], ids: string[]) {
        asked.push(ids)
        if (away.isAway && ids.some(id => /^[bc]:/.test(id))) throw createTaskDashboardError('BROKER_UNAVAILABLE')
        const pending = { status: 'pending', submittedAt: 500, finishedAt: null }
        return ids.map(executionId => ({ ...pending, executionId, taskName: /^[bc](?=:)/.exec(executionId)?.[0] ?? 'a' }))
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { action: 'cancel' as const, filter: { text: [] }, before: 1_000, taskNames: TASKS, isAllTasks: true, executionIds }
  let { position } = NEW_STATE
  const items: PlannedItem[] = []
  return {
    away, asked, items,
    /** The position as it is stored between steps. */
    position: () => position,
    async step(limit = 50, passesOver = true) {
      const next = await matches.next(wanted, position, limit, passesOver)
      t.ok(next.items.length <= limit, `at most ${limit} items`)
      position = JSON.parse(JSON.stringify(next.position))
      items.push(...next.items)
      return next
    }
  }
}

const idsOf = (task: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${task}:${index}`)
const OWN = ['0b0e6c0e-8f0c-7000-8000-000000000001']

t.test('named executions on an unavailable server wait, and the others are done', async t => {
  for (const limit of [1, 7, 50]) {
    const ids = [...idsOf('b', 20), ...idsOf('a', 60), ...OWN]
    const operation = start(ids)
    operation.away.isAway = true
    let steps = 0
    for (; steps < 200; steps++) {
      const { items, isEnd, goesOn } = await operation.step(limit)
      t.notOk(isEnd)
      if (items.length === 0 && !goesOn) break
    }
    t.same(operation.items.map(([id]) => id).toSorted(), [...idsOf('a', 60), ...OWN].toSorted(), `${limit} at a time`)
    t.match(await operation.step(limit), { items: [], isEnd: false, goesOn: false, away: { code: 'BROKER_UNAVAILABLE' } })
    operation.away.isAway = false
    for (let isEnd = false; !isEnd;) ({ isEnd } = await operation.step(limit))
    t.same(operation.items.map(([id]) => id).toSorted(), ids.toSorted(), 'each once')
    t.same(operation.items.filter(([id, task]) => TASKS[task!] !== 'b' && id.startsWith('b:')), [])
  }
})

t.test('an id that names a queue but no job ends like any other unknown id', async t => {
  const operation = start(['a:', 'a:1'])
  t.match(await operation.step(), { isEnd: true })
})

t.test('an operation waits when only executions on unavailable servers are left, however many there are', async t => {
  for (const limit of [1, 2, 50]) {
    const operation = start([...idsOf('b', 20), ...idsOf('a', 10), ...idsOf('c', 20)])
    operation.away.isAway = true
    let steps = 0
    for (; steps < 100; steps++) {
      const { items, goesOn } = await operation.step(limit)
      if (items.length === 0 && !goesOn) break
    }
    t.ok(steps < 100, `${limit} at a time`)
    t.same(operation.items.map(([id]) => id).toSorted(), idsOf('a', 10))
    operation.away.isAway = false
    for (let isEnd = false; !isEnd;) ({ isEnd } = await operation.step(limit))
    t.equal(new Set(operation.items.map(([id]) => id)).size, 50)
    t.equal(operation.items.length, 50, 'each once')
  }
})

t.test('a process that uses only the stored start of the named executions still reads all that are left', async t => {
  const ids = [...idsOf('a', 30), ...idsOf('b', 30)]
  const operation = start(ids)
  operation.away.isAway = true
  await operation.step(40)
  await operation.step(40)
  const begins = operation.position().open[0]![1] as number
  t.same(new Set([...operation.items.map(([id]) => id), ...ids.slice(begins)]), new Set(ids))
})

t.test('an operation in the previous format waits as a whole, in the order of the ids', async t => {
  const ids = [...idsOf('a', 3), ...idsOf('b', 3), ...idsOf('a', 6).slice(3)]
  const operation = start(ids)
  await operation.step(4, false)
  t.same(operation.position(), { unread: 0, open: [[null, 4]] })
  operation.away.isAway = true
  await t.rejects(operation.step(4, false), { code: 'BROKER_UNAVAILABLE' })
  operation.away.isAway = false
  for (let isEnd = false; !isEnd;) ({ isEnd } = await operation.step(4, false))
  t.same(operation.items.map(([id]) => id), ids)
})
