import t from 'tap'
import type { ExecutionOrder } from '../../../schemas/execution.ts'
import { listInFlight } from '../../../lib/engine/in-flight/in-flight.ts'
import { NOTHING_HELD, type QueueReads } from '../../../lib/engine/queues/queue-reads.ts'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'

interface Waiting { readonly id: string; readonly timestamp: number }

/** Newest first, as in Redis. */
const listOf = (count: number): Waiting[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${count - index}`, timestamp: count - index }))

interface Walk {
  readonly state?: 'waiting' | 'delayed'
  /** Restricts the list to a time range, as PostgreSQL does: jobs outside of it do not count in offsets. */
  readonly from?: number
  readonly to?: number
}

/** How often each job was on a page. `between` may change the lists between two pages, and gets the jobs that the last page showed. */
async function walk(
  lists: Readonly<Record<string, Waiting[]>>, order: ExecutionOrder, limit: number, between: (page: readonly string[]) => void,
  { state: only = 'waiting', ...range }: Walk = {}
): Promise<Map<string, number>> {
  const taskNames = Object.keys(lists)
  const reads: QueueReads = {
    counts: async () => new Map(taskNames.map(name => [name, { ...NOTHING_HELD, [only]: lists[name]!.length }])),
    ranges: async requests => requests.map(({ queueName, state, offset, size, from }) => {
      const list = state !== only ? [] : order === 'newest' ? lists[queueName]! : lists[queueName]!.toReversed()
      const jobs = from === null ? list : list.filter(({ timestamp }) => (order === 'newest' ? timestamp <= from : timestamp >= from))
      const found = jobs.slice(offset, offset + size)
        .map((job, index) => ({ job: { name: queueName, opts: {}, attemptsMade: 0, ...job } as never, next: offset + index + 1 }))
      return { jobs: found, next: offset + found.length, isEnd: offset + found.length >= jobs.length }
    }),
    args: async () => []
  }
  const shown = new Map<string, number>()
  let cursor: string | undefined
  for (let page = 0; page < 1_000; page++) {
    const query = { taskNames, order, limit, ...range, ...cursor !== undefined && { cursor } }
    const { executions, next } = await listInFlight(reads, selectNames(taskNames), query, 0)
    for (const { executionId } of executions) shown.set(executionId, (shown.get(executionId) ?? 0) + 1)
    if (next === null) break
    cursor = next
    between(executions.map(({ executionId }) => executionId))
  }
  return shown
}

function remove(list: Waiting[], ids: readonly string[]): void {
  for (const id of ids) list.splice(list.findIndex(job => job.id === id), 1)
}

t.test('while many jobs are added between pages, each job that existed before is on one page, newest first', async t => {
  const list = listOf(200)
  const before = list.map(({ id }) => id)
  let added = 1_000
  const shown = await walk({ mail: list }, 'newest', 20, () => {
    for (let count = 0; count < 70; count++) list.unshift({ id: `${++added}`, timestamp: added })
  })
  t.same(before.filter(id => shown.get(id) !== 1), [])
})

t.test('while many jobs are taken between pages, each job that stays is on one page, oldest first', async t => {
  for (const taken of [3, 70, 1_500]) {
    const list = listOf(6_000)
    const shown = await walk({ mail: list }, 'oldest', 20, () => { list.splice(-taken, list.length > 100 ? taken : 0) })
    t.same(list.filter(({ id }) => shown.get(id) !== 1).map(({ id }) => id), [], `${taken} between two pages`)
  }
})

for (const order of ['newest', 'oldest'] as const) {
  t.test(`old jobs that are retried do not hide the jobs behind them, ${order} first`, async t => {
    const list = listOf(100)
    // As after a retry: at the head of the list, with the time at which they were first added.
    list.splice(2, 0, { id: 'again', timestamp: 0 })
    list.splice(60, 0, { id: 'once more', timestamp: 0.5 })
    const before = list.map(({ id }) => id)
    let added = 1_000
    const shown = await walk({ mail: list }, order, 7, () => { list.unshift({ id: `${++added}`, timestamp: added }) })
    t.same(before.filter(id => shown.get(id) !== 1), [])
  })
}

t.test('newest first, a page misses no job if the last job of the previous page was removed', async t => {
  const list = listOf(100)
  const before = list.map(({ id }) => id)
  let [added, shownUntil] = [1_000, 100]
  const removed = new Set<string>()
  const shown = await walk({ mail: list }, 'newest', 10, () => {
    list.unshift({ id: `${++added}`, timestamp: added })
    shownUntil -= 10
    removed.add(`${shownUntil + 1}`)
    list.splice(list.findIndex(({ id }) => id === `${shownUntil + 1}`), 1)
  })
  t.same(before.filter(id => !shown.has(id) && !removed.has(id)), [])
})

for (const state of ['waiting', 'delayed'] as const) {
  for (const [title, from, to] of [['some', 2, 5], ['the last', 9, 10]] as const) {
    t.test(`newest first, a page misses no job after ${title} of the previous page were cancelled, ${state}`, async t => {
      const list = listOf(100)
      const shown = await walk({ mail: list }, 'newest', 10, page => remove(list, page.slice(from, to)), { state })
      t.same(list.filter(({ id }) => shown.get(id) !== 1), [])
    })
  }
}

for (const limit of [100, 500]) {
  t.test(`newest first, a page misses no job after all ${limit} of the previous page were cancelled`, async t => {
    const list = listOf(2_000)
    const shown = await walk({ mail: list }, 'newest', limit, page => remove(list, page))
    t.equal(shown.size, 2_000)
  })
}

t.test('oldest first, new jobs that are due before the shown ones do not move any of them to the next page', async t => {
  const list = listOf(100)
  const before = list.map(({ id }) => id)
  let added = 1_000
  const shown = await walk({ mail: list }, 'oldest', 10, () => {
    for (let count = 0; count < 3; count++) list.push({ id: `${++added}`, timestamp: added })
  }, { state: 'delayed' })
  t.same(before.filter(id => shown.get(id) !== 1), [])
})

for (const [order, range] of [['newest', { to: 200 }], ['oldest', { from: 100 }]] as const) {
  t.test(`within a time range, each job that stays is on one page while others are cancelled, ${order} first`, async t => {
    const list = listOf(300)
    const shown = await walk({ mail: list }, order, 10, page => remove(list, [page[0]!, page.at(-1)!]), range)
    const inRange = list.filter(({ timestamp }) => (order === 'newest' ? timestamp < 200 : timestamp >= 100))
    t.same(inRange.filter(({ id }) => shown.get(id) !== 1), [])
  })
}

t.test('the position in a queue is kept across many pages that show none of its jobs', async t => {
  const mail = [...listOf(20).map(({ id, timestamp }) => ({ id: `new ${id}`, timestamp: timestamp + 5_000 })), ...listOf(20)]
  const before = mail.map(({ id }) => id)
  const busy = listOf(600).map(({ id, timestamp }) => ({ id: `busy ${id}`, timestamp: timestamp + 1_000 }))
  let added = 10_000
  const shown = await walk({ mail, busy }, 'newest', 20, () => {
    for (let count = 0; count < 10; count++) mail.unshift({ id: `${++added}`, timestamp: added })
  })
  t.same(before.filter(id => shown.get(id) !== 1), [])
})
