import type { Job, Queue } from 'bullmq'
import t from 'tap'
import { readFinished, type FinishedJobsOptions } from '../../lib/engine/finished-jobs.ts'

interface Given { readonly id: string; readonly finishedOn: number; readonly args?: string }

/** A queue of completed jobs, read as BullMQ's are; says how many are read at the same time. */
function queueOf(jobs: Given[]) {
  let reading = 0
  const seen = { peak: 0 }
  const newestFirst = () => jobs.toSorted((a, b) => b.finishedOn - a.finishedOn)
  const queue = {
    getRanges: async ([state]: string[], start: number, end: number) => state === 'completed' ? newestFirst().slice(start, end + 1).map(job => job.id) : [],
    async getJob(id: string) {
      seen.peak = Math.max(seen.peak, ++reading)
      await new Promise(resolve => setImmediate(resolve))
      reading--
      const found = jobs.find(job => job.id === id)
      return found && { id, name: 'email', data: { args: found.args ?? '[]' }, opts: {}, timestamp: 1, finishedOn: found.finishedOn, attemptsMade: 1, returnvalue: 'null' }
    }
  } as unknown as Queue
  return { queue, seen }
}

const options: FinishedJobsOptions = {
  sinceMs: 0, missing: async ids => ids, request: work => work(),
  async readLog(job: Job) { return [`log of ${job.id}`] }
}

async function readAll(queue: Queue, changed: Partial<FinishedJobsOptions> = {}): Promise<string[][]> {
  const batches: string[][] = []
  for await (const batch of readFinished(queue, { ...options, ...changed })) batches.push(batch.map(each => each.executionId))
  return batches
}

t.test('what is missing is read the oldest first, a few at a time', async t => {
  const jobs = Array.from({ length: 1_300 }, (_, i) => ({ id: `job-${i}`, finishedOn: 1_000 + i }))
  const { queue, seen } = queueOf(jobs)
  const batches = await readAll(queue)
  t.strictSame(batches.flat(), jobs.map(job => job.id))
  t.ok(seen.peak <= 25, `${seen.peak} at the same time`)
  t.ok(batches.length < 60, `${batches.length} batches`)
})

t.test('large ones are read one by one', async t => {
  const { queue, seen } = queueOf(Array.from({ length: 30 }, (_, i) => ({ id: `job-${i}`, finishedOn: i, args: JSON.stringify(['x'.repeat(8 * 1024 * 1024)]) })))
  const batches = await readAll(queue)
  t.equal(batches.flat().length, 30)
  t.ok(seen.peak <= 4, `${seen.peak} at the same time`)
  t.strictSame([...new Set(batches.slice(1).map(batch => batch.length))], [1])
})

t.test('none is left out that stood there, whatever finishes and is forgotten meanwhile', async t => {
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

t.test('paging ends at the time given, and what was recorded meanwhile is not read', async t => {
  const { queue } = queueOf(Array.from({ length: 3_000 }, (_, i) => ({ id: `job-${i}`, finishedOn: i })))
  const asked: string[] = []
  const recorded = new Set<string>()
  const read: string[] = []
  const missing = async (ids: string[]) => {
    asked.push(...ids)
    return ids.filter(id => !recorded.has(id))
  }
  for await (const batch of readFinished(queue, { ...options, sinceMs: 2_700, missing })) {
    read.push(...batch.map(each => each.executionId))
    for (let i = 0; i < 3_000; i++) recorded.add(`job-${i}`)
  }
  t.strictSame(read, ['job-2500', 'job-2501', 'job-2502', 'job-2503'])
  t.notOk(asked.includes('job-2499'))
})

t.test('each call has its deadline', async t => {
  const { queue } = queueOf([{ id: 'a', finishedOn: 1 }])
  const request = () => Promise.reject(new Error('late'))
  await t.rejects(readAll(queue, { request }), { message: 'late' })
  for (const [name, stuck] of [['getRanges', { ...queue, getRanges: () => new Promise(() => {}) }], ['getJob', { ...queue, getJob: () => new Promise(() => {}) }]] as const) {
    const inTime = async <Result>(work: () => Promise<Result>) => Promise.race([work(), new Promise<never>((_, reject) => { setTimeout(() => reject(new Error('late')), 20) })])
    await t.rejects(readAll(stuck as unknown as Queue, { request: inTime }), { message: 'late' }, name)
  }
  t.strictSame(await readAll(queue), [['a']])
})
