/** Runs of existing queues and changes of priorities, over HTTP and beside workers of both versions of BullMQ. */
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createManagedRedis } from '../../../lib/engine/observing/managing/manage-redis.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import type { Action } from '../../../lib/dashboard/actions.ts'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { TaskRun } from '../../../schemas/task.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, OWNERS, startOwnersWorker, connectionOf } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

async function openDashboard(t: Test, broker: string, { manage = true, ...options }: { manage?: boolean; requireReason?: Action[] } = {}) {
  const queueApp = await observe(t, { broker }, { manage, onError: error => t.fail(error.message) })
  const app = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', identify: () => 'ada', ...options })
  t.teardown(() => app.close())
  return (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/tasks/api${path}`, ...payload && { payload }, headers })
}

/** The whole content of a queue, with placeholders for ids and times. */
async function contentOf(redis: Redis, ids: readonly string[]) {
  const key = (kind: string) => `bull:emails:${kind}`
  const jobs = await Promise.all(ids.map(async id => {
    const { timestamp, opts, ...job } = await redis.hgetall(key(id))
    const { jobId, ...others } = JSON.parse(opts!) as Record<string, unknown>
    return { ...job, isNow: Math.abs(Date.now() - Number(timestamp)) < 60_000, opts: others, isNamed: jobId === id }
  }))
  const named = (id: string) => ids.includes(id) ? `job ${ids.indexOf(id)}` : id
  const lists = await Promise.all(['wait', 'paused'].map(async list => (await redis.lrange(key(list), 0, -1)).map(named)))
  const prioritized = (await redis.zrange(key('prioritized'), '0', '-1', 'WITHSCORES')).map(named)
  const delayed = (await redis.zrange(key('delayed'), '0', '-1')).map(named)
  const markers = await redis.zrange(key('marker'), '0', '-1')
  return { jobs, lists, prioritized, delayed, markers, counter: await redis.get(key('id')), pc: await redis.get(key('pc')) }
}

for (const major of [5, 6] as const) {
  t.test(`runs and priorities by this package leave a queue of BullMQ ${major} as its owner's add() and changePriority() do`, async t => {
    const broker = await redisUrl(t)
    const redis = new Redis(broker)
    t.teardown(() => redis.disconnect())
    const managed = createManagedRedis(() => ({
      start: async () => {}, stop: async () => {},
      run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
        redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
    }))
    const observed: ObservedQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server: undefined as never }
    for (const isPaused of [false, true]) {
      const contents = []
      for (const who of ['owner', 'us']) {
        await redis.flushdb()
        const queue = openQueue(t, major, 'emails', broker)
        await queue.waitUntilReady()
        await queue.add('send', { to: 'first' }, { jobId: 'first' })
        if (isPaused) await queue.pause()
        const ids = ['first']
        const dueIn = 3_600_000
        const runs = [{}, { priority: 7 }, { delay: dueIn }, { delay: dueIn, priority: 2 }]
        for (const [index, { priority = 0, delay = 0 }] of runs.entries()) {
          const jobId = `id-${index}`
          const opts = { ...priority > 0 && { priority }, ...delay > 0 && { delay } }
          if (who === 'owner') await queue.add('send', { to: index }, { ...opts, jobId })
          else {
            const data = JSON.stringify({ to: index })
            await managed.add(observed, { jobId, name: 'send', data, now: Date.now(), delayMs: delay, priority })
          }
          ids.push(jobId)
        }
        for (const [id, priority] of [['id-0', 3], ['id-1', 0], ['id-3', 5], ['first', 3]] as const) {
          if (who === 'owner') await (await queue.getJob(id))!.changePriority({ priority })
          else t.equal(await managed.changePriority(observed, id, priority), 'changed')
        }
        contents.push(await contentOf(redis, ids))
        if (who === 'us') t.equal((await queue.getJob('id-1'))!.data.to, 1)
      }
      t.same(contents[1], contents[0], isPaused ? 'while it is paused' : 'while it runs')
    }
  })

  t.test(`over HTTP, jobs are added to a queue of BullMQ ${major} and run with their name and data, once for each request`, async t => {
    const broker = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', broker)
    await queue.add('send', { to: 'first' })
    const call = await openDashboard(t, broker)
    const answer = await call('POST', '/tasks/emails/run', { args: [{ to: 'ada' }] }, { 'idempotency-key': '"one"' })
    t.equal(answer.statusCode, 202, answer.body)
    const { execution_id: id } = answer.json<TaskRun>()
    const again = await call('POST', '/tasks/emails/run', { args: [{ to: 'ada' }] }, { 'idempotency-key': '"one"' })
    t.same(again.json<TaskRun>(), { execution_id: id, task_name: 'emails' })
    t.match((await call('GET', `/executions/${encodeURIComponent(id)}`)).json<ExecutionDetail>(), {
      status: 'pending', args: [{ to: 'ada' }], job_name: 'send', priority: 0
    })
    const changed = await call('PATCH', `/executions/${encodeURIComponent(id)}`, { priority: 9 })
    t.equal(changed.statusCode, 200, changed.body)
    t.equal(changed.json<ExecutionDetail>().priority, 9)
    const due = new Date(Date.now() + 60_000).toISOString()
    t.match((await call('PATCH', `/executions/${encodeURIComponent(id)}`, { due_at: due })).json<Problem>(), { code: 'INVALID_INPUT' })
    t.match((await call('POST', '/tasks/emails/run', { args: [1, 2] })).json<Problem>(), { code: 'INVALID_INPUT', detail: /one item/ })
    t.equal((await call('POST', '/tasks/nothing/run', {})).statusCode, 404)

    await queue.add('digest', { to: 'all' })
    await waitFor('the second name', async () => (await call('GET', '/tasks/emails%3Adigest')).statusCode === 200)
    t.match((await call('POST', '/tasks/emails/run', {})).json<Problem>(), { status: 409, detail: /run the task of one of them/ })
    // Its priority is the lowest, so it runs last, whether or not it is due before the worker starts.
    const delayed = await call('POST', '/tasks/emails%3Adigest/run', { delay_ms: 300, priority: 10 })
    t.equal(delayed.statusCode, 202, delayed.body)
    t.match((await queue.getJob(delayed.json<TaskRun>().execution_id.replace('emails:', '')))!.opts, { delay: 300, priority: 10 })
    const flows = new OWNERS[major].FlowProducer({ connection: connectionOf(broker) })
    t.teardown(() => flows.close())
    const child = await flows.add({
      name: 'send', queueName: 'emails', data: {}, children: [{ name: 'send', queueName: 'emails', data: {}, opts: { delay: 60_000 } }]
    }).then(({ children }) => children![0]!.job)
    const inFlow = await call('PATCH', `/executions/${encodeURIComponent(`emails:${child.id}`)}`, { priority: 1 })
    t.match(inFlow.json<Problem>(), { status: 409, code: 'NOT_CHANGEABLE', detail: /part of a BullMQ flow/ })

    const worker = startOwnersWorker(t, major, 'emails', broker, { concurrency: 1 })
    await waitFor('the jobs', async () => worker.outcomes.length === 4)
    t.same(worker.outcomes.map(({ name, jobId }) => [name, `emails:${jobId}` === id]), [
      ['send', false], ['digest', false], ['send', true], ['digest', false]
    ])
    const log = (await call('GET', '/audit')).json<AuditPage>().items.filter(({ outcome }) => outcome === 'done')
    t.same(log.map(({ action, actor }) => [action, actor]).reverse(), [
      ['tasks:run', 'ada'], ['executions:update', 'ada'], ['tasks:run', 'ada']
    ])
  })
}

t.test('a run uses the name of the waiting jobs, even if they were never read and their events are gone', async t => {
  const cases: ReadonlyArray<readonly [names: readonly string[], answer: RegExp | null]> = [
    [['send'], null],
    [Array.from({ length: 120 }, () => 'send'), null],
    [['send', 'digest'], /run the task of one of them, such as "emails:/],
    [[...Array.from({ length: 100 }, () => 'digest'), ...Array.from({ length: 60 }, () => 'send')], /run the task of one of them/],
    [['order-12345'], /have no name to use again/],
    [['order-12345', 'send'], /have several names/],
    [['x'.repeat(2_000)], /have no name to use again/],
    [[], /none has been seen/]
  ]
  for (const [names, refused] of cases) {
    const broker = await redisUrl(t)
    const queue = openQueue(t, 6, 'emails', broker)
    await queue.waitUntilReady()
    if (names.length === 0) await queue.pause()
    await queue.addBulk(names.map(name => ({ name, data: {} })))
    const redis = new Redis(broker)
    await redis.del('bull:emails:events')
    redis.disconnect()
    const call = await openDashboard(t, broker)
    // The second request comes after the first has noted a name.
    for (const key of ['"one"', '"two"']) {
      const answer = await call('POST', '/tasks/emails/run', {}, { 'idempotency-key': key })
      const said = `${names.length} jobs, ${names.at(-1)?.slice(0, 20)}: ${answer.body}`
      if (refused !== null) t.match(answer.json<Problem>(), { status: 409, detail: refused }, said)
      else t.equal((await queue.getJob(answer.json<TaskRun>().execution_id.replace('emails:', '')))?.name, 'send', said)
    }
  }
})

t.test('nothing is added without `manage`, or without a reason that `requireReason` demands', async t => {
  const broker = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', broker)
  const job = await queue.add('send', {})
  const observing = await openDashboard(t, broker, { manage: false })
  const address = `/executions/${encodeURIComponent(`emails:${job.id}`)}`
  t.match((await observing('POST', '/tasks/emails/run', {})).json<Problem>(), { status: 409, code: 'OBSERVED_ONLY' })
  t.match((await observing('PATCH', address, { priority: 1 })).json<Problem>(), { status: 409, code: 'OBSERVED_ONLY' })
  const managing = await openDashboard(t, broker, { requireReason: ['tasks:run', 'executions:update'] })
  t.match((await managing('POST', '/tasks/emails/run', {})).json<Problem>(), { status: 400, code: 'REASON_REQUIRED' })
  t.match((await managing('PATCH', address, { priority: 1 })).json<Problem>(), { status: 400, code: 'REASON_REQUIRED' })
  t.equal(await queue.count(), 1)
})

t.test('a job can be added with null as data, as its owner could', async t => {
  const broker = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', broker)
  await queue.add('send', {}, { jobId: 'first' })
  const call = await openDashboard(t, broker)
  const data = new Map<string, unknown>()
  for (const args of [[], [null], [{}], ['text'], [0]]) {
    const { execution_id: id } = (await call('POST', '/tasks/emails/run', { args })).json<TaskRun>()
    data.set(JSON.stringify(args), (await queue.getJob(id.replace('emails:', '')))!.data)
  }
  t.same(Object.fromEntries(data), { '[]': {}, '[null]': null, '[{}]': {}, '["text"]': 'text', '[0]': 0 })
})

t.test('within a scope, the refusal of a run mentions no hidden job names', async t => {
  const broker = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', broker)
  for (const name of ['hidden', 'send', 'digest']) await queue.add(name, {})
  const queueApp = await observe(t, { broker }, { manage: true, onError: error => t.fail(error.message) })
  await waitFor('its names', async () => await queueApp.monitoring.task('emails:digest') !== null)
  const run = (isVisible: (taskName: string) => boolean) => queueApp.within(isVisible).operations.runTask('emails').catch(String)
  t.match(await run(() => true), /such as "emails:\w+"/)
  t.match(await run(name => !name.endsWith(':hidden')), /such as "emails:(send|digest)"/)
  t.notMatch(await run(name => name === 'emails'), /hidden|send|digest/)
})
