import type { Job } from 'bullmq'
import t from 'tap'
import { executionOf, readFinished, type FinishedJobsOptions, type ReadJobs } from '../../../lib/engine/finished/finished-jobs.ts'

interface Given { readonly id: string; readonly finishedOn: number; readonly args?: string }

/** A fake queue of completed jobs. `seen.peak` is the largest number read at the same time. */
function queueOf(jobs: Given[]) {
  let reading = 0
  const seen = { peak: 0 }
  const newestFirst = () => jobs.toSorted((a, b) => b.finishedOn - a.finishedOn)
  const page: FinishedJobsOptions['page'] = async (state, start, size) => state === 'completed'
    ? newestFirst().slice(start, start + size).map(({ id, finishedOn }) => ({ queueName: 'email', id, state, finishedOn })) : []
  const readOne = async (id: string) => {
    seen.peak = Math.max(seen.peak, ++reading)
    await new Promise(resolve => setImmediate(resolve))
    reading--
    const found = jobs.find(job => job.id === id)
    if (found === undefined) return []
    const job = {
      id, name: 'email', data: { args: found.args ?? '[]' }, opts: {}, timestamp: 1, finishedOn: found.finishedOn, attemptsMade: 1,
      returnvalue: 'null'
    }
    return executionOf(job as unknown as Job, 'completed', [`log of ${id}`])
  }
  const read: ReadJobs = async asked => (await Promise.all(asked.map(({ id }) => readOne(id)))).flat()
  return { queue: { page, read }, seen }
}

type FakeQueue = ReturnType<typeof queueOf>['queue']

async function readAll(queue: FakeQueue, changed: Partial<FinishedJobsOptions> = {}): Promise<string[][]> {
  const batches: string[][] = []
  for await (const batch of readFinished({ sinceMs: 0, missing: async ids => ids, ...queue, ...changed }))
    batches.push(batch.map(each => each.executionId))
  return batches
}

t.test('missing executions are read oldest first, a few at a time', async t => {
  const jobs = Array.from({ length: 1_300 }, (_, i) => ({ id: `job-${i}`, finishedOn: 1_000 + i }))
  const { queue, seen } = queueOf(jobs)
  const batches = await readAll(queue)
  t.strictSame(batches.flat(), jobs.map(job => job.id))
  t.ok(seen.peak <= 25, `${seen.peak} at the same time`)
  t.ok(batches.length < 60, `${batches.length} batches`)
})

t.test('large executions are read one by one', async t => {
  const { queue, seen } = queueOf(Array.from({ length: 30 }, (_, i) => ({
    id: `job-${i}`, finishedOn: i, args: JSON.stringify(['x'.repeat(8 * 1024 * 1024)])
  })))
  const batches = await readAll(queue)
  t.equal(batches.flat().length, 30)
  t.ok(seen.peak <= 4, `${seen.peak} at the same time`)
  t.strictSame([...new Set(batches.slice(1).map(batch => batch.length))], [1])
})

t.test('every execution present at the start is read, whatever finishes and is removed in between', async t => {
  const jobs: Given[] = Array.from({ length: 1_200 }, (_, i) => ({ id: `job-${i}`, finishedOn: i }))
  const standing = jobs.slice(100).map(job => job.id)
  let next = jobs.length
  const { queue } = queueOf(jobs)
  const batches = await readAll(queue, {
    async missing(ids) {
      for (let i = 0; i < 20; i++) jobs.push({ id: `job-${next}`, finishedOn: next++ })
      if (jobs[0]!.finishedOn < 100) jobs.splice(0, 25)
      return ids
    }
  })
  const found = new Set(batches.flat())
  t.strictSame(standing.filter(id => !found.has(id)), [])
})

t.test('paging ends at the given time, and executions recorded in between are not read', async t => {
  const { queue } = queueOf(Array.from({ length: 3_000 }, (_, i) => ({ id: `job-${i}`, finishedOn: i })))
  const asked: string[] = []
  const recorded = new Set<string>()
  const read: string[] = []
  const missing = async (ids: string[]) => {
    asked.push(...ids)
    return ids.filter(id => !recorded.has(id))
  }
  for await (const batch of readFinished({ ...queue, sinceMs: 2_700, missing })) {
    read.push(...batch.map(each => each.executionId))
    for (let i = 0; i < 3_000; i++) recorded.add(`job-${i}`)
  }
  t.strictSame(read, ['job-2500', 'job-2501', 'job-2502', 'job-2503'])
  t.notOk(asked.includes('job-2499'))
})
