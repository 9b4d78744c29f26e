import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Execution } from '../../../../lib/execution.ts'
import { dashboardPlugin, type ObserveOptions, type QueueApp } from '../../../../lib/index.ts'
import { observe } from '../../../support/observe.ts'
import { openQueue, startOwnersWorker, type Outcome } from '../../../support/programs/owners-of-queues.ts'
import { onEveryStore, redisUrl, testNamespace } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

const NAMES = ['welcome', 'invoice', 'reminder', 'a/b #?%: ü'] as const
const JOBS = 240

async function observeNames(t: Test, url: string, options: ObserveOptions = {}): Promise<QueueApp> {
  // A queue is written a moment after it is opened, and an app that finds none reports that as an error.
  const redis = new Redis(url)
  await waitFor('the queue', async () => (await redis.keys('*:meta')).length > 0)
  redis.disconnect()
  return await observe(t, { broker: url }, { onError: error => t.fail(error.message), ...options })
}

/** All executions that match, read page by page. */
async function listOf({ monitoring }: Pick<QueueApp, 'monitoring'>, query: Parameters<QueueApp['monitoring']['executions']>[0]) {
  const all: Execution[] = []
  for (let cursor: string | undefined; ;) {
    const page = await monitoring.executions({ limit: 50, ...query, ...cursor !== undefined && { cursor } })
    all.push(...page.executions)
    if (page.nextCursor === null) return { executions: all, total: page.total }
    cursor = page.nextCursor
  }
}

function jobIdOf({ executionId }: Execution): string {
  return executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')
}

async function finished({ monitoring }: QueueApp, count: number): Promise<void> {
  await waitFor('the history', async () => {
    const queue = await monitoring.task('mail')
    return queue !== null && queue.executions.success + queue.executions.failed >= count
  })
}

await onEveryStore(t, async (t, backend, kind) => {
  if (kind === 'embedded') return
  for (const [what, keep] of [['keeps', {}], ['removes', { removeOnComplete: true, removeOnFail: true }]] as const) {
    await t.test(`a name in a queue that ${what} its jobs is a task whose history, counters and groups are the workers' log`, async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, 6, 'mail', url, { defaultJobOptions: keep })
      const worker = startOwnersWorker(t, 6, 'mail', url)
      const jobs = Array.from({ length: JOBS }, (_, index) => ({
        name: NAMES[index % NAMES.length]!, data: { to: index, ms: index % 5, fail: index % 11 === 0 }
      }))
      await queue.addBulk(jobs.slice(0, JOBS / 2))
      const queueApp = await observeNames(t, url, { backend, namespace: testNamespace() })
      await queue.addBulk(jobs.slice(JOBS / 2))
      await waitFor('the workers', async () => worker.outcomes.length === JOBS)
      await finished(queueApp, JOBS)
      const { monitoring } = queueApp

      const tasks = await monitoring.tasks()
      t.same(tasks.map(({ name }) => name), ['mail', ...NAMES.map(name => `mail:${name}`).sort()])
      const whole = tasks[0]!
      t.equal(whole.executions.success + whole.executions.failed, JOBS, 'the task of the queue covers all names')
      t.equal((await listOf(queueApp, { taskName: 'mail' })).executions.length, JOBS)
      let own = 0
      for (const name of NAMES) {
        const taskName = `mail:${name}`
        const log = worker.outcomes.filter(outcome => outcome.name === name)
        const of = (status: Outcome['status']) => log.filter(outcome => outcome.status === status).map(({ jobId }) => jobId).sort()
        const task = tasks.find(each => each.name === taskName)!
        const lists = await Promise.all((['success', 'failed'] as const).map(status => listOf(queueApp, { taskName, status })))
        t.match(task, { type: 'external', queue: 'mail', partOf: 'mail', executions: { pending: null, running: null } })
        // What was recorded before the second name was seen stays with the queue.
        t.equal(task.executions.success, lists[0]!.executions.length, 'the list agrees with the count')
        t.equal(task.executions.failed, lists[1]!.executions.length)
        own += task.executions.success + task.executions.failed
        for (const [index, status] of (['success', 'failed'] as const).entries()) {
          const ids = lists[index]!.executions.map(jobIdOf).sort()
          t.same(ids, of(status), `${name}: ${status}`)
          t.ok(lists[index]!.executions.every(each => each.taskName === taskName && each.executionId.startsWith('mail:')))
        }
        const { groups } = await monitoring.failureGroups({ taskName })
        t.equal(groups.reduce((sum, { count }) => sum + count, 0), of('failed').length, 'failures in groups')
        const series = await monitoring.timeseries({ window: '1h', taskName })
        t.equal(series.points.reduce((sum, { success }) => sum + (success ?? 0), 0), of('success').length, 'the chart')
        t.ok(task.duration, 'percentiles')
        const [first] = lists[0]!.executions
        t.match(await monitoring.execution(first!.executionId), { taskName, jobName: name })
      }
      t.equal(own, JOBS)
      const series = await monitoring.timeseries({ window: '1h', taskName: 'mail' })
      t.equal(series.points.reduce((sum, { success, failed }) => sum + (success ?? 0) + (failed ?? 0), 0), JOBS)
      const { groups } = await monitoring.failureGroups({ taskName: 'mail' })
      t.equal(groups.reduce((sum, { count }) => sum + count, 0), worker.outcomes.filter(({ status }) => status === 'failed').length)
      const searched = await listOf(queueApp, { search: 'task:mail:invoice status:success' })
      t.same([...new Set(searched.executions.map(({ taskName }) => taskName))], ['mail:invoice'])
      t.same((await monitoring.queues()).map(({ name }) => name), ['mail'], 'one queue')
    })
  }
})

t.test('jobs with only one name belong to the task of their queue, and a second name changes nothing that was recorded', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  const worker = startOwnersWorker(t, 6, 'mail', url)
  const queueApp = await observeNames(t, url)
  const { monitoring } = queueApp
  await queue.addBulk(Array.from({ length: 5 }, (_, to) => ({ name: 'welcome', data: { to } })))
  await waitFor('the workers', async () => worker.outcomes.length === 5)
  await finished(queueApp, 5)
  t.same((await monitoring.tasks()).map(({ name }) => name), ['mail'])
  const before = (await listOf(queueApp, { taskName: 'mail' })).executions.map(({ executionId, taskName }) => [executionId, taskName])

  await queue.addBulk([{ name: 'invoice', data: { to: 5 } }, { name: 'welcome', data: { to: 6 } }])
  await waitFor('the workers', async () => worker.outcomes.length === 7)
  await finished(queueApp, 7)
  t.same((await monitoring.tasks()).map(({ name, executions: { success } }) => [name, success]), [
    ['mail', 7], ['mail:invoice', 1], ['mail:welcome', 1]
  ])
  const after = (await listOf(queueApp, { taskName: 'mail' })).executions.map(({ executionId, taskName }) => [executionId, taskName])
  t.same(after.slice(2), before, 'the same ids and names')
  t.same(after.slice(0, 2).map(([, taskName]) => taskName).sort(), ['mail:invoice', 'mail:welcome'])
})

t.test('waiting jobs are listed by name but counted by queue, and unknown counts are not 0', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  await queue.addBulk(Array.from({ length: 60 }, (_, to) => ({ name: to % 3 === 0 ? 'invoice' : 'welcome', data: { to } })))
  const later = await queue.add('reminder', { to: 60 }, { delay: 3_600_000 })
  const queueApp = await observeNames(t, url)
  const { monitoring } = queueApp
  t.equal((await listOf(queueApp, { status: 'pending' })).executions.length, 61, 'jobs with names not seen before are listed at once')
  const invoices = await listOf(queueApp, { taskName: 'mail:invoice' })
  t.equal(invoices.executions.length, 20)
  t.ok(invoices.executions.every(({ taskName }) => taskName === 'mail:invoice'))
  const { total } = await monitoring.executions({ taskName: 'mail:invoice', limit: 5 })
  t.equal(total.relation, 'at_least', 'BullMQ does not count them')
  const all = await listOf(queueApp, { taskName: 'mail' })
  t.match([all.executions.length, all.total], [61, { value: 61, relation: 'exact' }])
  t.same((await monitoring.tasks()).map(({ name, executions: { pending } }) => [name, pending]), [
    ['mail', 61], ['mail:invoice', null], ['mail:reminder', null], ['mail:welcome', null]
  ])
  t.match(await monitoring.execution(`mail:${later.id}`), { taskName: 'mail:reminder', jobName: 'reminder', state: 'delayed' })
  t.match(await monitoring.why(`mail:${later.id}`), { taskName: 'mail:reminder' })
  t.equal((await monitoring.statistics()).executions.pending, 61, 'nothing counts twice')
  t.equal(await monitoring.queue('mail:invoice'), null, 'a name has no queue of its own')
  await t.rejects(queueApp.operations.pauseQueue('mail:invoice'), { code: 'OBSERVED_ONLY' })
})

t.test('names beyond the limit and names with ids stay with the task of their queue, and health says so', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'jobs', url, { defaultJobOptions: { removeOnComplete: true } })
  const worker = startOwnersWorker(t, 6, 'jobs', url, { concurrency: 50 })
  const names = [
    ...Array.from({ length: 300 }, () => `job-${randomUUID()}`), ...Array.from({ length: 130 }, (_, index) => `kind ${index}`)
  ]
  await queue.waitUntilReady()
  const queueApp = await observeNames(t, url, { onError: () => {} })
  const { monitoring } = queueApp
  await queue.addBulk(names.map((name, to) => ({ name, data: { to } })))
  await waitFor('the workers', async () => worker.outcomes.length === names.length)
  await waitFor('the history', async () => (await monitoring.task('jobs'))?.executions.success === names.length)
  const tasks = await monitoring.tasks()
  t.equal(tasks.length, 1 + 100)
  t.ok(tasks.every(({ name }) => /^jobs(?::kind \d+)?$/.test(name)))
  const { components } = await monitoring.health()
  t.match(JSON.stringify(components), /Jobs of 1 queue have more names than are shown, 100 of a queue and 5000 in all/)
  const listed = new Set(tasks.map(({ name }) => name))
  const { executions } = await listOf(queueApp, { taskName: 'jobs' })
  t.equal(executions.length, names.length)
  t.ok(executions.every(({ taskName }) => listed.has(taskName)))
})

t.test('if the event with the name was trimmed, the execution belongs to its queue and says that its name is missing', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url, { defaultJobOptions: { removeOnComplete: true } })
  await queue.addBulk([{ name: 'welcome', data: { to: 0 } }, { name: 'invoice', data: { to: 1 } }])
  await queue.trimEvents(0)
  const worker = startOwnersWorker(t, 6, 'mail', url)
  await waitFor('the workers', async () => worker.outcomes.length === 2)
  await queue.addBulk([{ name: 'welcome', data: { to: 2 } }, { name: 'invoice', data: { to: 3 } }])
  await waitFor('the workers', async () => worker.outcomes.length === 4)
  const queueApp = await observeNames(t, url)
  await finished(queueApp, 4)
  const { executions } = await listOf(queueApp, { order: 'oldest' })
  t.same(executions.map(({ taskName }) => taskName).sort(), ['mail', 'mail', 'mail:invoice', 'mail:welcome'])
  const unknown = executions.find(({ taskName }) => taskName === 'mail')!
  const detail = await queueApp.monitoring.execution(unknown.executionId)
  t.match(detail!.missing, /job_name/)
  t.equal(detail!.jobName, undefined)
})

t.test('names are still known after a restart, and with `names: false` each queue is one task', async t => {
  const url = await redisUrl(t)
  const backend = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  const worker = startOwnersWorker(t, 6, 'mail', url)
  await queue.addBulk([{ name: 'welcome', data: { to: 0 } }, { name: 'invoice', data: { to: 1 } }])
  const first = await observeNames(t, url, { backend })
  await finished(first, 2)
  await first.stop()
  await queue.obliterate()
  await queue.add('welcome', { to: 2 })
  await waitFor('the workers', async () => worker.outcomes.length === 3)
  const said: string[] = []
  const again = await observeNames(t, url, { backend, onError: error => { said.push(error.message) } })
  await finished(again, 3)
  t.match(said, [/^The queue mail was removed from its server, or the server was flushed, /])
  t.same((await again.monitoring.tasks()).map(({ name, executions: { success } }) => [name, success]), [
    ['mail', 3], ['mail:invoice', 1], ['mail:welcome', 2]
  ])
  const whole = await observeNames(t, url, { names: false })
  await finished(whole, 1)
  t.same((await whole.monitoring.tasks()).map(({ name }) => name), ['mail'])
})

t.test('users who may see one name see nothing of the others', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  const worker = startOwnersWorker(t, 6, 'mail', url, { concurrency: 1 })
  await queue.addBulk(Array.from({ length: 20 }, (_, to) => to % 2 === 0
    ? { name: 'invoice', data: { to: `open-${to}`, fail: to % 4 === 0 } }
    : { name: 'salary', data: { to: `secret-${to}`, fail: to % 3 === 0 } }))
  const queueApp = await observeNames(t, url)
  await finished(queueApp, 20)
  await worker.close()
  const hidden = await queue.add('salary', { to: 'secret-a' })
  const unseen = await queue.add('dismissal', { to: 'secret-b' })
  const shown = await queue.add('invoice', { to: 'open-a' })
  const app = fastify()
  await app.register(dashboardPlugin, {
    prefix: '/tasks', queueApp, access: 'host', scope: () => (task: string) => task === 'mail:invoice'
  })
  t.teardown(() => app.close())
  const call = async (path: string) => {
    const { statusCode, body } = await app.inject({ url: `/tasks/api${path}` })
    t.not(statusCode, 400, path)
    t.notMatch(body, /secret|salary|dismissal/, path)
    return { statusCode, body: JSON.parse(body) as { items?: Array<{ task_name: string }> } }
  }
  const lists = await Promise.all([
    '/executions', '/executions?status=pending', '/executions?task_name=mail', '/executions?search=secret', '/executions?search=salary',
    '/executions?task_name=mail%3Asalary', '/failures', '/failures?task_name=mail', '/tasks', '/queues', '/stats', '/schedules', '/health'
  ].map(call))
  t.equal(lists[0]!.body.items!.length, 11)
  t.ok(lists[0]!.body.items!.every(({ task_name: name }) => name === 'mail:invoice'))
  t.equal(lists[1]!.body.items!.length, 1)
  for (const index of [2, 3, 4, 5, 7]) t.same(lists[index]!.body.items, [])
  t.match(lists[10]!.body, { queue_size: null, executions: { pending: null } }, 'the number of waiting jobs of one name is unknown')
  t.equal((await call(`/executions/mail%3A${hidden.id}`)).statusCode, 404)
  t.equal((await call(`/executions/mail%3A${unseen.id}`)).statusCode, 404)
  t.equal((await call(`/executions/mail%3A${unseen.id}/why`)).statusCode, 404)
  t.equal((await call(`/executions/mail%3A${shown.id}`)).statusCode, 200)
  t.equal((await call('/tasks/mail%3Ainvoice')).statusCode, 200)
  t.equal((await call('/tasks/mail')).statusCode, 404)
})

t.test('under a prefix and behind basic auth, addresses of names with any characters lead to them', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  await queue.addBulk(NAMES.map((name, to) => ({ name, data: { to } })))
  const queueApp = await observeNames(t, url)
  const app = fastify()
  await app.register(dashboardPlugin, {
    prefix: '/ops/tasks', queueApp, auth: { username: 'ada', password: 'a long password of hers' }
  })
  t.teardown(() => app.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const authorization = `Basic ${Buffer.from('ada:a long password of hers').toString('base64')}`
  const call = async (path: string) => {
    const response = await fetch(`${base}/ops/tasks${path}`, { headers: { authorization } })
    return { status: response.status, body: await response.text() }
  }
  await call('/api/executions')
  for (const name of NAMES) {
    const task = encodeURIComponent(`mail:${name}`)
    const found = await call(`/api/tasks/${task}`)
    t.equal(found.status, 200, found.body)
    t.match(JSON.parse(found.body), { name: `mail:${name}`, part_of: 'mail', queue: 'mail', executions: { pending: null } })
    const listed = await call(`/api/executions?task_name=${task}`)
    t.same((JSON.parse(listed.body) as { items: Array<{ task_name: string }> }).items.map(each => each.task_name), [`mail:${name}`])
    t.equal((await call(`/tasks/${task}`)).status, 200, 'its page')
    t.equal((await fetch(`${base}/ops/tasks/api/tasks/${task}`)).status, 401)
  }
})
