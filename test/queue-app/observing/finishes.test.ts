import t from 'tap'
import type { QueueApp } from '../../../lib/index.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

type Counts = { readonly success: number; readonly failed: number }

async function countsOf(queueApp: QueueApp, name: string): Promise<Counts | undefined> {
  const { success, failed } = (await queueApp.monitoring.tasks()).find(task => task.name === name)?.executions ?? {}
  return success === undefined || failed === undefined ? undefined : { success, failed }
}

for (const major of [5, 6] as const) {
  t.test(`a failed job that its owner retries is in the history with both of its finishes, version ${major}`, async t => {
    const url = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', url)
    const worker = startOwnersWorker(t, major, 'emails', url)
    /** Finishes twice: it fails, and succeeds after its owner has fixed its data. */
    const endTwice = async (removeOnComplete: boolean, whenFailed = async () => {}) => {
      const before = worker.outcomes.length
      const job = await queue.add('send', { fail: true }, { removeOnComplete })
      await waitFor('its failure', async () => worker.outcomes.length === before + 1)
      await whenFailed()
      await job.updateData({ fail: false })
      await job.retry()
      await waitFor('its success', async () => worker.outcomes.length === before + 2)
    }

    await endTwice(false)
    const queueApp = await observe(t, queue)
    const reached = (counts: Counts) => waitFor(`${JSON.stringify(counts)} in the history`, async () => {
      const now = await countsOf(queueApp, 'emails')
      return now?.success === counts.success && now.failed === counts.failed
    })
    await reached({ success: 1, failed: 1 })
    await endTwice(true, () => reached({ success: 1, failed: 2 }).then(() => {}))
    await reached({ success: 2, failed: 2 })
    const { executions } = await queueApp.monitoring.executions({})
    t.same(executions.map(({ status }) => status).toSorted(), ['failed', 'failed', 'success', 'success'])
  })
}

t.test('while one server is unavailable, jobs that finish on another one are recorded', async t => {
  const away = await startRedis(t)
  const url = await redisUrl(t)
  await openQueue(t, 6, 'lost', away.url).add('send', {})
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  const sources = [{ broker: away.url, label: 'away' }, { broker: url, queues: ['emails'], label: 'here' }]
  const queueApp = await observe(t, sources, { onError() {} })
  await away.kill()
  await queue.add('send', { to: 'ada' }, { removeOnComplete: true })
  await waitFor('the worker', async () => worker.outcomes.length === 1)
  await waitFor('the history', async () => (await queueApp.monitoring.executions({ status: 'success' })).executions.length === 1)
  t.match((await queueApp.monitoring.executions({ status: 'success' })).executions, [{ taskName: 'here/emails' }])
})

t.test('a job whose id is too long for the history is reported as missing', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  startOwnersWorker(t, 6, 'emails', url)
  const errors: string[] = []
  const queueApp = await observe(t, queue, { onError: error => { errors.push(error.message) } })
  await queue.add('send', {}, { jobId: 'x'.repeat(600) })
  await queue.add('send', {}, { jobId: 'y'.repeat(400) })
  const message = await waitFor('health to report it', async () => {
    const { components } = await queueApp.monitoring.health()
    const all = Object.values(components).map(each => each.message).join()
    return all.includes('refused 1 execution ') && all
  })
  t.match(message, /\(its id has more than 512 characters\)/)
  t.equal(errors.filter(text => text.includes('refuses 1 execution and takes others')).length, 1)
  const recorded = await waitFor('the other job', async () => {
    const { executions } = await queueApp.monitoring.executions({ status: 'success' })
    return executions.length > 0 && executions
  })
  t.match(recorded.map(each => each.executionId), [/^emails:y{400}@/])
})
