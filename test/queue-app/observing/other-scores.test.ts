/** Finished jobs whose place in their queue tells another time than their own field. */
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Stats } from '../../../schemas/stats.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A queue with three completed and one failed job, each listed at another time than that at which it finished. */
async function finishFour(t: Test) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const queue = openQueue(t, 6, 'moved', url)
  const worker = startOwnersWorker(t, 6, 'moved', url)
  await queue.addBulk(['1', '2', '3'].map(jobId => ({ name: 'send', data: {}, opts: { jobId: `job${jobId}` } })))
  await queue.add('send', { fail: true }, { jobId: 'job4' })
  await waitFor('the worker', async () => worker.outcomes.length === 4)
  const finishedOn = new Map<string, number>()
  for (const [index, id] of ['job1', 'job2', 'job3', 'job4'].entries()) {
    const set = id === 'job4' ? 'bull:moved:failed' : 'bull:moved:completed'
    finishedOn.set(id, Number(await redis.hget(`bull:moved:${id}`, 'finishedOn')))
    await redis.zincrby(set, [-86_400_000, 5_000, -1, -3_000][index]!, id)
  }
  return { url, redis, finishedOn }
}

async function openDashboard(t: Test, url: string) {
  const queueApp = await observe(t, { broker: url }, { names: false, onError() {} })
  const app = fastify()
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  t.teardown(() => app.close())
  return async <Body>(path: string): Promise<Body> => (await app.inject(`/api${path}`)).json<Body>()
}

for (const hasEvents of [false, true]) {
  t.test(`jobs that are listed at another time are recorded once, ${hasEvents ? 'with' : 'without'} their events`, async t => {
    const { url, redis, finishedOn } = await finishFour(t)
    if (!hasEvents) await redis.del('bull:moved:events')
    const read = await openDashboard(t, url)
    const finished = async (): Promise<ExecutionPage['items']> => (await read<ExecutionPage>('/executions?task_name=moved')).items
    const found = await waitFor('the history', async () => {
      const items = await finished()
      return items.length >= 4 && items
    })
    const times = Object.fromEntries(found.map(each => [each.execution_id, Date.parse(each.finished_at!)]))
    t.same(times, Object.fromEntries([...finishedOn].map(([id, at]) => [`moved:${id}@${at}`, at])))
    // A job that finishes now makes the dashboard compare all of them again.
    startOwnersWorker(t, 6, 'moved', url)
    await openQueue(t, 6, 'moved', url).add('send', {}, { jobId: 'job5' })
    await waitFor('the next job', async () => (await finished()).length >= 5)
    t.match(await read<Stats>('/stats'), { total_tasks: 5, executions: { success: 4, failed: 1 } })
  })
}
