import t from 'tap'
import { START } from '../../../lib/engine/in-flight/in-flight-progress.ts'
import { listInFlight } from '../../../lib/engine/in-flight/in-flight.ts'
import type { InFlightQuery } from '../../../lib/engine/in-flight/in-flight-query.ts'
import type { JobFields } from '../../../lib/engine/jobs/job-fields.ts'
import { NOTHING_HELD, type JobRange, type QueueReads, type RangeRequest } from '../../../lib/engine/queues/queue-reads.ts'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'

const QUEUES = 300
const PER_QUEUE = 100
const QUERY: InFlightQuery = { taskNames: [], order: 'newest', limit: 50 }
const names = Array.from({ length: QUEUES }, (_, index) => `q${index}`)

t.test('a page is full, and takes few reads, when its executions are all in one of many queues', async t => {
  // The queues were filled one after another.
  const { reads, read } = createQueues((queue, index) => queue * PER_QUEUE + index)
  const page = await listInFlight(reads, selectNames(names), { ...QUERY, taskNames: names }, Date.now())
  t.same(page.executions.map(({ submittedAt }) => submittedAt), Array.from({ length: 50 }, (_, index) => QUEUES * PER_QUEUE - 1 - index))
  t.ok(read.ranges <= 3, `${read.ranges} reads of ranges`)
})

t.test('a page is full, and takes few reads, when each of its executions is in another queue', async t => {
  const { reads, read } = createQueues((queue, index) => index * QUEUES + queue)
  const page = await listInFlight(reads, selectNames(names), { ...QUERY, taskNames: names }, Date.now())
  t.same(page.executions.map(({ submittedAt }) => submittedAt), Array.from({ length: 50 }, (_, index) => QUEUES * PER_QUEUE - 1 - index))
  t.ok(read.ranges <= 3, `${read.ranges} reads of ranges`)
})

t.test('a filter that rejects everything reads many queues at a time if consecutive executions are in different queues', async t => {
  const { reads, read } = createQueues((queue, index) => index * QUEUES + queue)
  const page = await listInFlight(reads, selectNames(names), { ...QUERY, taskNames: names, isWanted: () => false }, Date.now())
  t.ok(page.scanned >= 250, `${page.scanned} looked at`)
  t.ok(read.ranges <= 6, `${read.ranges} reads of ranges`)
})

t.test('only jobs that are examined are completed, and a job that is gone by then is left out', async t => {
  const { reads, read } = createQueues((queue, index) => queue * PER_QUEUE + index)
  const gone = new Set([`${QUEUES - 1}-99`, `${QUEUES - 1}-60`])
  const complete = async (jobs: readonly JobFields[]): Promise<Array<JobFields | null>> => {
    read.completed += jobs.length
    return jobs.map(job => gone.has(job.id!) ? null : { ...job, name: 'complete' })
  }
  const executionOf: QueueReads['executionOf'] = (job, state) => ({ ...toExecution(job, state), queue: job.name ?? '' })
  const page = await listInFlight({ ...reads, complete, executionOf }, selectNames(names), { ...QUERY, taskNames: names }, Date.now())
  t.equal(page.executions.length, 50)
  t.ok(page.executions.every(({ queue }) => queue === 'complete'), 'each is complete')
  t.notOk(page.executions.some(({ executionId }) => gone.has(executionId)))
  t.ok(read.completed <= 110, `${read.completed} completed`)

  const rest = new Set(page.executions.map(({ executionId }) => executionId))
  const next = await listInFlight(
    { ...reads, complete, executionOf }, selectNames(names), { ...QUERY, taskNames: names, cursor: page.next! }, Date.now()
  )
  t.notOk(next.executions.some(({ executionId }) => rest.has(executionId)), 'the next page continues')
  t.equal(next.executions[0]!.submittedAt, page.executions.at(-1)!.submittedAt - 1)
})

for (const order of ['newest', 'oldest'] as const) {
  t.test(`running executions with long ids are on one page each, ${order} first`, async t => {
    const jobs = Array.from({ length: 7 }, (_, index) => ({ id: `${'x'.repeat(index % 2 === 0 ? 510 : 20)}-${index}`, timestamp: 5 }))
    t.same(await walk(jobs, order, 2), jobs.map(({ id }) => id).toSorted())
  })

  t.test(`running executions of workers whose clocks differ are on one page each, ${order} first`, async t => {
    // Jobs of the same millisecond may come in any order.
    const jobs = Array.from({ length: 400 }, (_, index) =>
      ({ id: `${index * 7919 % 400}`, timestamp: 7_000 - 10 * index + index % 3 * 120 }))
    for (const limit of [3, 50]) t.same(await walk(jobs, order, limit), jobs.map(({ id }) => id).toSorted(), `${limit} per page`)
  })
}

for (const order of ['newest', 'oldest'] as const) {
  t.test(`running executions of a deployment, all started at once, are on one page each, ${order} first`, async t => {
    for (const [queues, perQueue, spanMs] of [[1, 1_500, 1], [1, 1_500, 500], [30, 60, 1], [30, 60, 300], [200, 10, 300]] as const) {
      const jobs = Array.from({ length: queues * perQueue }, (_, index) =>
        ({ id: `${index * 7919 % 3_000}`, queue: `q${index % queues}`, timestamp: 7_000 - Math.floor(index / queues / perQueue * spanMs) }))
      t.same(await walk(jobs, order, 50), jobs.map(({ id }) => id).toSorted(), `${queues} queues, in ${spanMs} ms`)
    }
  })
}

t.test('clocks may differ by more than is assumed, if the list itself shows the difference', async t => {
  const jobs = Array.from({ length: 600 }, (_, index) =>
    ({ id: `${index}`, timestamp: 90_000 - 100 * index + (index % 2 === 0 ? 0 : 5_000) }))
  t.same(await walk(jobs, 'newest', 20), jobs.map(({ id }) => id).toSorted())
})

t.test('following pages show only jobs beyond the position for a server that was unavailable, and all jobs for others', async t => {
  // By due time, against the order of their submission.
  const { reads } = createQueues(() => 0)
  const listed = (queue: string) => Array.from({ length: 30 }, (_, index) => ({ id: `${queue}-${index}`, name: queue, timestamp: index }))
  const known = (names: readonly string[]): QueueReads => ({
    ...reads, executionOf: toExecution, counts: async () => new Map(names.map(name => [name, { ...NOTHING_HELD, delayed: 30 }])),
    ranges: async requests => requests.map(({ queueName, state, offset, size }) => {
      const found = state === 'delayed' ? listed(queueName) : []
      return {
        jobs: found.slice(offset, offset + size)
          .map((job, index) => ({ job: { opts: {}, attemptsMade: 0, ...job } as never, next: offset + index + 1 })),
        next: Math.min(offset + size, found.length), isEnd: offset + size >= found.length
      }
    })
  })
  const position = { ...START, reached: { at: 20, id: 'a-20' } }
  const page = await listInFlight(known(['a', 'b']), selectNames(['a', 'b']), { taskNames: [], order: 'newest', limit: 100 }, 0, {
    position, wasAway: name => name === 'b'
  })
  const ids = page.executions.map(({ executionId }) => executionId)
  t.equal(ids.filter(id => id.startsWith('a')).length, 30, 'the position in this queue is known: none of its jobs was shown')
  t.equal(ids.filter(id => id.startsWith('b')).length, 20, 'this queue continues at the position of the list')
})

/** Ids of running jobs, page by page. */
async function walk(
  jobs: ReadonlyArray<{ readonly id: string; readonly timestamp: number; readonly queue?: string }>, order: 'newest' | 'oldest',
  limit: number
) {
  const byQueue = new Map<string, typeof jobs[number][]>()
  for (const job of order === 'newest' ? jobs : jobs.toReversed())
    byQueue.set(job.queue ?? 'q0', [...byQueue.get(job.queue ?? 'q0') ?? [], job])
  const reads: QueueReads = {
    ...createQueues(() => 0).reads, executionOf: toExecution,
    counts: async () => new Map([...byQueue].map(([name, { length }]) => [name, { ...NOTHING_HELD, active: length }])),
    ranges: async requests => requests.map(({ queueName, offset, size, from }) => {
      const far = byQueue.get(queueName)!
        .filter(({ timestamp }) => from === null || (order === 'newest' ? timestamp <= from : timestamp >= from))
      return {
        jobs: far.slice(offset, offset + size)
          .map((job, index) => ({ job: { name: queueName, opts: {}, attemptsMade: 0, ...job } as never, next: offset + index + 1 })),
        next: Math.min(offset + size, far.length), isEnd: offset + size >= far.length
      }
    })
  }
  const shown: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 200; page++) {
    const query: InFlightQuery = { taskNames: [], order, limit, status: 'running', ...cursor !== undefined && { cursor } }
    const { executions, next } = await listInFlight(reads, selectNames([...byQueue.keys()]), query, Date.now())
    shown.push(...executions.map(({ executionId }) => executionId))
    if (next === null) break
    cursor = next
  }
  return shown.toSorted()
}

function toExecution(job: JobFields, state: string) {
  return {
    executionId: job.id!, taskName: 'any', queue: '', status: state === 'active' ? 'running' : 'pending', state: 'waiting', attempt: 0,
    maxAttempts: 1, priority: 0, scheduleId: null, retryOf: null, workerId: null, submittedAt: job.timestamp, startedAt: null,
    finishedAt: null, waitMs: null, durationMs: null, progress: null, error: null
  } as never as ReturnType<NonNullable<QueueReads['executionOf']>>
}

/** Queues whose jobs all wait, newest first as in Redis. */
function createQueues(at: (queue: number, index: number) => number) {
  const read = { ranges: 0, completed: 0 }
  const lists = new Map(names.map((name, queue) =>
    [name, Array.from({ length: PER_QUEUE }, (_, index) => ({ id: `${queue}-${index}`, timestamp: at(queue, index) })).reverse()]))
  const range = ({ queueName, state, offset, size }: RangeRequest): JobRange => {
    const list = state === 'waiting' ? lists.get(queueName)! : []
    const jobs = list.slice(offset, offset + size)
      .map((job, index) => ({ job: { name: queueName, opts: {}, attemptsMade: 0, ...job } as never, next: offset + index + 1 }))
    return { jobs, next: offset + jobs.length, isEnd: offset + jobs.length >= list.length }
  }
  const reads: QueueReads = {
    counts: async () => new Map(names.map(name => [name, { ...NOTHING_HELD, waiting: PER_QUEUE }])),
    async ranges(requests) {
      read.ranges++
      return requests.map(range)
    },
    args: async jobs => jobs.map(() => ({ args: null, bytes: 0 }))
  }
  return { reads, read }
}
