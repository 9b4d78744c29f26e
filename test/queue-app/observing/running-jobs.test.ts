/** What is shown of jobs that run in another process, and of equal and large ones. */
import { Redis } from 'ioredis'
import t from 'tap'
import { observe } from '../../support/observe.ts'
import { connectionOf, openQueue, OWNERS, startOwnersWorker, untilStored, type Job } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const LARGE = 8 * 1_048_576

for (const major of [5, 6] as const) {
  t.test(`progress and log of a running job of BullMQ ${major} are shown while it runs, and kept when it has finished`, async t => {
    const url = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', url)
    const steps: Array<() => void> = []
    const worker = new OWNERS[major].Worker('emails', async (job: Job) => {
      await job.updateProgress(30)
      await job.log('connected')
      await new Promise<void>(resolve => { steps.push(resolve) })
      await job.updateProgress({ sent: 7, of: 9 })
      await job.log('sent')
      await new Promise<void>(resolve => { steps.push(resolve) })
    }, { connection: connectionOf(url) })
    worker.on('error', () => {})
    t.teardown(() => worker.close())
    await untilStored(queue)
    const { monitoring } = await observe(t, queue, { onError: error => t.fail(error.message) })
    const { id } = await queue.add('send', {})
    await waitFor('the first step', async () => steps.length === 1)
    const read = () => monitoring.execution(`emails:${id}`)
    t.match(await read(), { status: 'running', progress: 30, logs: ['connected'] })
    steps[0]!()
    await waitFor('the second step', async () => steps.length === 2)
    t.match(await read(), { status: 'running', progress: { sent: 7, of: 9 }, logs: ['connected', 'sent'] })
    steps[1]!()
    const finished = await waitFor('the history', async () => (await monitoring.executions({ status: 'success' })).executions[0])
    const kept = await monitoring.execution(finished.executionId)
    t.match(kept, { status: 'success', progress: { sent: 7, of: 9 }, logs: ['connected', 'sent'] })
    t.equal(kept!.missing, undefined)
  })
}

t.test('jobs with the same id in two queues are listed together, and each opens its own', async t => {
  const url = await redisUrl(t)
  const names = ['emails', 'invoices']
  const queues = names.map(name => openQueue(t, 6, name, url))
  const workers = names.map(name => startOwnersWorker(t, 6, name, url))
  for (const [index, queue] of queues.entries()) await queue.add('send', { to: names[index] }, { jobId: 'same' })
  await waitFor('the workers', async () => workers.every(({ outcomes }) => outcomes.length === 1))
  await Promise.all(workers.map(({ close }) => close()))
  for (const [index, queue] of queues.entries()) await queue.add('send', { to: `${names[index]}, later` }, { jobId: 'waits' })
  const { monitoring } = await observe(t, queues, { onError: error => t.fail(error.message) })
  const listed = await waitFor('all', async () => {
    const { executions } = await monitoring.executions({})
    return executions.length === 4 && executions
  })
  t.equal(new Set(listed.map(({ executionId }) => executionId)).size, 4)
  for (const { executionId, taskName, status } of listed) {
    const own = await monitoring.execution(executionId)
    t.match(own, { executionId, taskName, status, args: [{ to: status === 'pending' ? `${taskName}, later` : taskName }] })
  }
})

t.test('a job of 8 MiB is recorded without its data, which is never read', async t => {
  const { url } = await startRedis(t, { persistent: false })
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const sentBytes = async (): Promise<number> => Number(/total_net_output_bytes:(\d+)/.exec(await redis.info('stats'))![1])
  const queue = openQueue(t, 6, 'emails', url)
  const worker = new OWNERS[6].Worker('emails', async () => 'done', { connection: connectionOf(url) })
  worker.on('error', () => {})
  t.teardown(() => worker.close())
  const jobs = await queue.addBulk([{ name: 'send', data: { to: 'x'.repeat(LARGE) } }, { name: 'send', data: { to: 'ada' } }])
  await waitFor('the worker', async () => (await queue.getCompletedCount()) === 2)
  await worker.close()
  const before = await sentBytes()
  const { monitoring } = await observe(t, { broker: url }, { onError: error => t.fail(error.message) })
  const listed = await waitFor('the history', async () => {
    const { executions } = await monitoring.executions({ status: 'success' })
    return executions.length === 2 && executions
  })
  const [large, small] = await Promise.all(jobs.map(({ id }) =>
    monitoring.execution(listed.find(({ executionId }) => executionId.startsWith(`emails:${id}@`))!.executionId)))
  t.match(large, { status: 'success', result: 'done', truncated: ['/args'] })
  t.match(small, { status: 'success', args: [{ to: 'ada' }] })
  t.same(small!.truncated, [])
  t.ok(await sentBytes() - before < LARGE / 2, 'the server did not send it')
})
