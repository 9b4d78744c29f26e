import t, { type Test } from 'tap'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { FailureGroupPage } from '../../../schemas/failure.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { Task } from '../../../schemas/task.ts'
import { openQueue, startOwnersWorker, type Major } from '../../support/programs/owners-of-queues.ts'
import { onEveryStore, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

const JOBS = 120
const OWN = 80

/** Every item of a list, page by page. */
async function allOf(read: <Body>(path: string) => Promise<Body>, path: string): Promise<ExecutionPage['items']> {
  const items: ExecutionPage['items'] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ExecutionPage = await read(`/executions?limit=50${path}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

await onEveryStore(t, async (t, url) => {
  for (const major of [5, 6] as const) {
    await t.test(`lists, counts and filters cover own tasks and a queue of BullMQ ${major} together`, async t => {
      await compare(t, url, major)
    })
  }
})

async function compare(t: Test, broker: string, major: Major): Promise<void> {
  const owners = await redisUrl(t)
  const mail = openQueue(t, major, 'mail', owners)
  const worker = startOwnersWorker(t, major, 'mail', owners)
  const { queueApp, read, status } = await startCombined(t, { broker, queues: { broker: owners } }, app => {
    app.task('image:resize', async (index: number) => {
      if (index % 4 === 0) throw new RangeError(`cannot resize ${index}`)
      return index
    }, { concurrency: 4 })
    app.task('report', async () => 'done')
  })
  const adding = mail.addBulk(Array.from({ length: JOBS }, (_, index) =>
    ({ name: 'send', data: { to: `user${index}`, fail: index % 3 === 0 } })))
  await queueApp.enqueueMany('image:resize', Array.from({ length: OWN }, (_, index) => [index]))
  await queueApp.enqueue('report', [])
  await adding
  await waitFor('the worker of the owner', async () => worker.outcomes.length === JOBS)
  const stats = await waitFor('everything in the history', async () => {
    const { executions } = await read<Stats>('/stats')
    return executions.success + executions.failed === JOBS + OWN + 1 && executions
  })
  const failedOthers = worker.outcomes.filter(({ status }) => status === 'failed').length
  t.match(stats, { success: JOBS - failedOthers + OWN - OWN / 4 + 1, failed: failedOthers + OWN / 4, pending: 0, running: 0 })

  const tasks = await read<Task[]>('/tasks')
  t.same(tasks.map(({ name, type }) => [name, type]), [['image:resize', 'io'], ['mail', 'external'], ['report', 'io']])
  t.match(tasks.find(({ name }) => name === 'mail'), { workers: null, executions: { success: JOBS - failedOthers, failed: failedOthers } })
  t.match(tasks.find(({ name }) => name === 'image:resize'), { workers: 1, executions: { success: OWN - OWN / 4, failed: OWN / 4 } })

  const listed = await allOf(read, '')
  t.equal(new Set(listed.map(each => each.execution_id)).size, JOBS + OWN + 1, 'every execution is listed once')
  t.same(listed.map(each => each.finished_at), listed.map(each => each.finished_at).toSorted().toReversed(), 'newest first')
  t.same(new Set(listed.filter(({ task_name: name }) => name === 'mail').map(each => each.execution_id.split(':')[1]!.split('@')[0])),
    new Set(worker.outcomes.map(({ jobId }) => jobId)), 'all jobs of the owner are there')
  t.equal((await allOf(read, '&status=failed')).length, failedOthers + OWN / 4)
  t.equal((await allOf(read, '&status=failed&task_name=mail')).length, failedOthers)
  t.equal((await allOf(read, '&task_name=image%3Aresize')).length, OWN)
  t.equal((await allOf(read, `&search=${encodeURIComponent('user7')}`)).length, 11, 'user7 and user70 to user79 are found by their data')
  const groups = await read<FailureGroupPage>('/failures')
  t.same(groups.items.map(({ count }) => count).toSorted(), [failedOthers, OWN / 4].toSorted())
  t.same((await read<Queue[]>('/queues')).map(queue => [queue.task_name, queue.workers]),
    [['image:resize', 1], ['mail', null], ['report', 1]])

  // Waiting and running executions, half of them of the owner.
  await worker.close()
  await queueApp.operations.pauseQueue('image:resize')
  await mail.addBulk(Array.from({ length: 130 }, (_, index) => ({ name: 'send', data: { to: `late${index}` } })))
  await queueApp.enqueueMany('image:resize', Array.from({ length: 110 }, (_, index) => [1_000 + index]))
  await waitFor('the waiting executions in the statistics', async () => (await read<Stats>('/stats')).executions.pending === 240)
  for (const order of ['newest', 'oldest']) {
    const pending = await allOf(read, `&status=pending&order=${order}`)
    t.equal(new Set(pending.map(each => each.execution_id)).size, 240, `${order}: everything that waits is listed once`)
    t.equal(pending.length, 240)
    t.equal(pending.filter(({ task_name: name }) => name === 'mail').length, 130)
  }
  t.equal((await read<ExecutionPage>('/executions?status=pending&limit=1')).total.value, 240)
  const waiting = (await read<ExecutionPage>('/executions?status=pending&task_name=mail&limit=1')).items[0]!
  t.match(await read(`/executions/${encodeURIComponent(waiting.execution_id)}`), { task_name: 'mail', status: 'pending' })
  t.equal(await status(`/executions/${encodeURIComponent(waiting.execution_id)}/why`), 200)
  const health = await read<Health>('/health')
  t.match(health.components, { broker: { healthy: true }, workers: { healthy: true, message: '1 process runs tasks' } })
}
