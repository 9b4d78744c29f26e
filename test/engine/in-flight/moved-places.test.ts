import t from 'tap'
import type { ExecutionOrder } from '../../../schemas/execution.ts'
import { listInFlight } from '../../../lib/engine/in-flight/in-flight.ts'
import { NOTHING_HELD, type QueueReads } from '../../../lib/engine/queues/queue-reads.ts'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'

interface Waiting { readonly id: string; readonly timestamp: number }

/** Newest first, as in Redis. */
const listOf = (count: number): Waiting[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${count - index}`, timestamp: count - index }))

/** How often each job was on a page, with something that happens to the list between two pages. */
async function walk(list: Waiting[], order: ExecutionOrder, limit: number, between: () => void): Promise<Map<string, number>> {
  const reads: QueueReads = {
    counts: async () => new Map([['mail', { ...NOTHING_HELD, waiting: list.length }]]),
    ranges: async requests => requests.map(({ state, offset, size }) => {
      const jobs = state !== 'waiting' ? [] : order === 'newest' ? list : list.toReversed()
      const found = jobs.slice(offset, offset + size)
        .map((job, index) => ({ job: { name: 'mail', opts: {}, attemptsMade: 0, ...job } as never, next: offset + index + 1 }))
      return { jobs: found, next: offset + found.length, isEnd: offset + found.length >= jobs.length }
    }),
    args: async () => []
  }
  const shown = new Map<string, number>()
  let cursor: string | undefined
  for (let page = 0; page < 1_000; page++) {
    const query = { taskNames: ['mail'], order, limit, ...cursor !== undefined && { cursor } }
    const { executions, next } = await listInFlight(reads, selectNames(['mail']), query, 0)
    for (const { executionId } of executions) shown.set(executionId, (shown.get(executionId) ?? 0) + 1)
    if (next === null) break
    cursor = next
    between()
  }
  return shown
}

t.test('while many jobs are added between pages, each that was there is on one page, newest first', async t => {
  const list = listOf(200)
  const before = list.map(({ id }) => id)
  let added = 1_000
  const shown = await walk(list, 'newest', 20, () => {
    for (let count = 0; count < 70; count++) list.unshift({ id: `${++added}`, timestamp: added })
  })
  t.same(before.filter(id => shown.get(id) !== 1), [])
})

t.test('while many jobs are taken between pages, each that stays is on one page, oldest first', async t => {
  for (const taken of [3, 70, 1_500]) {
    const list = listOf(6_000)
    const shown = await walk(list, 'oldest', 20, () => { list.splice(-taken, list.length > 100 ? taken : 0) })
    t.same(list.filter(({ id }) => shown.get(id) !== 1).map(({ id }) => id), [], `${taken} between two pages`)
  }
})

for (const order of ['newest', 'oldest'] as const) {
  t.test(`old jobs that are tried again hide none of those behind them, ${order} first`, async t => {
    const list = listOf(100)
    // As after a retry: at the head, with the time at which they were first added.
    list.splice(2, 0, { id: 'again', timestamp: 0 })
    list.splice(60, 0, { id: 'once more', timestamp: 0.5 })
    const before = list.map(({ id }) => id)
    let added = 1_000
    const shown = await walk(list, order, 7, () => { list.unshift({ id: `${++added}`, timestamp: added }) })
    t.same(before.filter(id => shown.get(id) !== 1), [])
  })
}

t.test('newest first, a page whose predecessor ended with a job that was removed misses none', async t => {
  const list = listOf(100)
  const before = list.map(({ id }) => id)
  let [added, shownUntil] = [1_000, 100]
  const removed = new Set<string>()
  const shown = await walk(list, 'newest', 10, () => {
    list.unshift({ id: `${++added}`, timestamp: added })
    shownUntil -= 10
    removed.add(`${shownUntil + 1}`)
    list.splice(list.findIndex(({ id }) => id === `${shownUntil + 1}`), 1)
  })
  t.same(before.filter(id => !shown.has(id) && !removed.has(id)), [])
})
