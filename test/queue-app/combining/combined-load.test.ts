import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { embeddedUrl, redisUrl, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const JOBS = 600
const OWN = 400

t.test('under load on BullMQ 5, BullMQ 6 and own tasks, each finish is recorded once, even across a restart', async t => {
  const [broker, backend, five, six] = await Promise.all([redisUrl(t), redisUrl(t), redisUrl(t), redisUrl(t)])
  const owners = [[5, five, { removeOnComplete: true }], [6, six, {}]] as const
  const queues = owners.map(([, url], index) => ({ broker: url, label: index === 0 ? 'old' : 'new' }))
  const namespace = testNamespace()
  const ran: number[] = []
  const create = () => {
    const queueApp = QueueApp.fromUrls({ broker, backend, namespace, queues, stopGraceMs: 0, onError: error => t.comment(error.message) })
    queueApp.task('report', async (index: number) => {
      if (index % 10 === 0) throw new Error('no paper')
      ran.push(index)
    }, { concurrency: 5 })
    return queueApp
  }
  const workers = owners.map(([major, url]) => startOwnersWorker(t, major, 'mail', url))
  const first = create()
  await first.start()
  const adding = owners.map(async ([major, url, options]) => {
    const queue = openQueue(t, major, 'mail', url)
    for (let at = 0; at < JOBS; at += 50) {
      await queue.addBulk(Array.from({ length: 50 }, (_, index) =>
        ({ name: 'send', data: { to: at + index, fail: index % 5 === 0 }, opts: options })))
      await new Promise(resolve => { setTimeout(resolve, 100) })
    }
  })
  await first.enqueueMany('report', Array.from({ length: OWN / 2 }, (_, index) => [index]))
  await new Promise(resolve => { setTimeout(resolve, 500) })
  await first.stop()
  const second = create()
  t.teardown(() => second.stop())
  await second.start()
  await second.enqueueMany('report', Array.from({ length: OWN / 2 }, (_, index) => [OWN / 2 + index]))
  await Promise.all(adding)
  await waitFor('the owners', async () => workers.every(({ outcomes }) => outcomes.length === JOBS))
  const { monitoring } = second
  await waitFor('the history', async () => {
    const { success, failed } = (await monitoring.statistics()).executions
    return success + failed >= 2 * JOBS + OWN
  })
  // A second record of the same finish would appear soon.
  await new Promise(resolve => { setTimeout(resolve, 2_000) })
  const failedJobs = JOBS / 5
  t.match((await monitoring.statistics()).executions, {
    success: 2 * (JOBS - failedJobs) + OWN * 9 / 10, failed: 2 * failedJobs + OWN / 10, pending: 0, running: 0
  })
  for (const [index, label] of ['old', 'new'].entries()) {
    const seen = new Map<string, string>()
    let count = 0
    for (let cursor: string | undefined; ;) {
      const page = await monitoring.executions({ taskName: `${label}/mail`, limit: 200, ...cursor !== undefined && { cursor } })
      for (const { executionId, status } of page.executions) seen.set(executionId.split(':')[1]!.split('@')[0]!, status)
      count += page.executions.length
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    t.equal(count, JOBS, `${label}: every job is listed once`)
    t.same(seen, new Map(workers[index]!.outcomes.map(({ jobId, status }) => [jobId, status])), `${label}: as its owner says`)
  }
  const tasks = await monitoring.tasks()
  t.same(tasks.map(({ name, executions }) => [name, executions.success, executions.failed]), [
    ['new/mail', JOBS - failedJobs, failedJobs], ['old/mail', JOBS - failedJobs, failedJobs], ['report', OWN * 9 / 10, OWN / 10]
  ])
  const points = await monitoring.timeseries({ window: '1h' })
  const sum = points.points.reduce((total, { success, failed }) => total + (success ?? 0) + (failed ?? 0), 0)
  t.equal(sum, 2 * JOBS + OWN, 'the chart has both')
})

t.test('secrets are hidden in own tasks and in existing queues', async t => {
  const owners = await redisUrl(t)
  const mail = openQueue(t, 6, 'mail', owners)
  const worker = startOwnersWorker(t, 6, 'mail', owners)
  const queueApp = QueueApp.fromUrls({ broker: await embeddedUrl(t), queues: { broker: owners }, redact: { paths: ['args.0.password'] } })
  queueApp.task('login', async (user: { password: string }) => { throw new Error(`wrong: ${user.password}`) })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  await mail.add('send', { password: 'hunter22', to: 'hunter22', fail: true })
  await queueApp.enqueue('login', [{ password: 'hunter23' }])
  const { executions } = await waitFor('both', async () => {
    const page = await queueApp.monitoring.executions({ status: 'failed' })
    return page.executions.length === 2 && page
  })
  await worker.close()
  await mail.add('send', { password: 'hunter24' })
  const { executions: pending } = await queueApp.monitoring.executions({ status: 'pending' })
  for (const { executionId } of [...executions, ...pending]) {
    const found = JSON.stringify(await queueApp.monitoring.execution(executionId))
    t.notMatch(found, /hunter2/)
    t.match(found, /redacted/)
  }
  t.equal((await queueApp.monitoring.executions({ search: 'hunter22' })).executions.length, 0)
})

t.test('stop() leaves nothing open', async t => {
  const [own, owners] = [await startRedis(t), await startRedis(t)]
  await openQueue(t, 6, 'mail', owners.url).close()
  const open = () => process.getActiveResourcesInfo().filter(kind => kind === 'TCPSocketWrap' || kind === 'Timeout').toSorted()
  const before = open()
  const queueApp = QueueApp.fromUrls({ broker: own.url, queues: { broker: owners.url }, manage: true })
  queueApp.task('report', async () => 'done')
  await queueApp.start()
  t.ok(open().length > before.length)
  await queueApp.stop()
  await waitFor('the end of every connection and timer', async () => open().length <= before.length)
  t.ok(open().length <= before.length)
})
