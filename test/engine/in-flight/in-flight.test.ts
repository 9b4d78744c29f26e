import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import fc from 'fast-check'
import type { ExecutionOrder } from '../../../schemas/execution.ts'
import { listInFlight } from '../../../lib/engine/in-flight/in-flight.ts'
import type { InFlightPage, InFlightQuery } from '../../../lib/engine/in-flight/in-flight-query.ts'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'
import {
  NOTHING_HELD, type InFlightState, type JobRange, type QueueReads, type RangeRequest
} from '../../../lib/engine/queues/queue-reads.ts'

const TASKS = ['a', 'b']
const event = fc.record({ what: fc.constantFrom('enqueue', 'start', 'end'), task: fc.constantFrom(...TASKS), of: fc.nat() })
const events = fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 40 })

for (const order of ['newest', 'oldest'] as const) {
  t.test(`while executions arrive, start and end between reads, a page from the ${order} has each at most once, ` +
    'and the pages together have all that stayed', async t => {
    await t.resolves(fc.assert(fc.asyncProperty(fc.integer({
      min: 0, max: 60
    }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 25 }), events,
    async (waiting, active, limit, turns) => {
      const queues = createQueues(waiting, active, () => turns.shift() ?? [])
      const before = queues.placed()
      const isTaken = turns.flat().some(({ what }) => what === 'start')
      const seen = new Map<string, number>()
      let cursor: string | undefined
      for (let count = 0; ; count++) {
        if (count > 200) throw new Error('the pages do not end')
        const query: InFlightQuery = { taskNames: TASKS, order, limit, ...(cursor !== undefined && { cursor }) }
        const { executions, next }: InFlightPage = await listInFlight(queues.reads, selectNames(TASKS), query, 0)
        const ids = executions.map(({ executionId }) => executionId)
        if (new Set(ids).size !== ids.length) throw new Error('a page has an execution twice')
        for (const id of ids) seen.set(id, (seen.get(id) ?? 0) + 1)
        if (next === null) break
        cursor = next
      }
      for (const [id, state] of queues.placed()) {
        const times = seen.get(id) ?? 0
        // Newest first, a page cannot find the end of the previous one if that job was taken, and may then show some jobs again.
        const isWrong = order === 'newest' && isTaken ? times === 0 : times !== 1
        if (before.get(id) === state && isWrong) throw new Error(`${id} stayed ${state} and was on ${times} pages`)
      }
    }
    ), { numRuns: 150 }))
  })
}

t.test('a page can continue after any of its executions, in either order', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(fc.integer({
    min: 0, max: 30
  }), fc.integer({ min: 0, max: 20 }), fc.constantFrom<ExecutionOrder>(
    'newest', 'oldest'
  ), fc.nat(),
  async (waiting, active, order, of) => {
    const { reads } = createQueues(waiting, active, () => [])
    const query: InFlightQuery = { taskNames: TASKS, order, limit: 100 }
    const { executions, after } = await listInFlight(reads, selectNames(TASKS), query, 0)
    const count = of % (executions.length + 1)
    const rest = await listInFlight(reads, selectNames(TASKS), { ...query, cursor: after(count) }, 0)
    const ids = [...executions.slice(0, count), ...rest.executions].map(({ executionId }) => executionId)
    if (JSON.stringify(ids) !== JSON.stringify(executions.map(({ executionId }) => executionId)))
      throw new Error(`${ids.join()} behind ${count}`)
  }
  ), { numRuns: 200 }))
})

t.test('a search in which reading arguments is slow ends its page early, and the pages still reach everything', async t => {
  const { reads } = createQueues(300, 0, () => [])
  const seen = new Set<string>()
  const slow: QueueReads = {
    ...reads,
    async args(jobs) {
      await sleep(160)
      for (const { id } of jobs) seen.add(id)
      return jobs.map(() => ({ args: undefined, bytes: 2_000_000 }))
    }
  }
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page: InFlightPage = await listInFlight(
      slow, selectNames(TASKS),
      { taskNames: TASKS, order: 'newest', limit: 50, isWanted: () => false, ...(cursor !== undefined && { cursor }) }, 0
    )
    t.ok(page.scanned <= 3 * 32, `${page.scanned} on a page`)
    t.equal(page.skipped, page.scanned)
    cursor = page.next
  }
  t.ok(pages >= 4, `${pages} pages`)
  t.equal(seen.size, 300)
})

interface FakeJob { readonly id: string; readonly at: number }

/** Two lists per queue, newest first as in Redis. Events happen before each read. */
function createQueues(waiting: number, active: number, next: () => ReadonlyArray<{ what: string; task: string; of: number }>) {
  let clock = 0
  const lists = new Map(TASKS.map(task => [task, { waiting: [] as FakeJob[], active: [] as FakeJob[] }]))
  const add = (task: string, state: 'waiting' | 'active', id = `e${clock}`) => lists.get(task)![state].unshift({ id, at: ++clock })
  for (let index = 0; index < waiting + active; index++) add(TASKS[index % 3 === 0 ? 1 : 0]!, index < waiting ? 'waiting' : 'active')

  function happen(): void {
    for (const { what, task, of } of next()) {
      const { waiting, active } = lists.get(task)!
      if (what === 'enqueue') add(task, 'waiting')
      const started = what === 'start' ? waiting.pop() : undefined
      if (started !== undefined) add(task, 'active', started.id)
      if (what === 'end') active.splice(of % Math.max(active.length, 1), 1)
    }
  }

  function range({ queueName, state, order, offset, size, from }: RangeRequest): JobRange {
    const list = listOf(queueName, state)
    const ordered = order === 'newest' ? list : list.toReversed()
    const jobs: Array<JobRange['jobs'][number]> = []
    let at = offset
    for (; at < ordered.length && jobs.length < size; at++) {
      const { id, at: time } = ordered[at]!
      if (from !== null && (order === 'newest' ? time > from : time < from)) continue
      const times = state === 'active' ? { timestamp: 0, processedOn: time } : { timestamp: time }
      jobs.push({ job: { id, name: queueName, opts: {}, attemptsMade: 0, ...times } as never, next: at + 1 })
    }
    return { jobs, next: at, isEnd: at >= ordered.length }
  }

  const listOf = (task: string, state: InFlightState): readonly FakeJob[] =>
    state === 'waiting' || state === 'active' ? lists.get(task)![state] : []
  const reads: QueueReads = {
    async counts() {
      happen()
      return new Map([...lists].map(([task, { waiting, active }]) =>
        [task, { ...NOTHING_HELD, waiting: waiting.length, active: active.length }]))
    },
    async ranges(requests) {
      happen()
      return requests.map(range)
    },
    args: async () => []
  }
  return {
    reads,
    placed: () =>
      new Map(TASKS.flatMap(task =>
        (['waiting', 'active'] as const).flatMap(state => listOf(task, state).map(({ id }) => [id, state] as const))))
  }
}
