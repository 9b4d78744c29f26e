import { createPostgresBackend, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { ObserveOptions, QueueApp } from '../../../lib/index.ts'
import type { JobFacts, RelatedJob } from '../../../lib/engine/observing/relations/job-facts.ts'
import { observe } from '../../support/observe.ts'
import { openFlow, openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { postgresUrl, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const EARLIER_RIGHTS = '+exists +get +hexists +hget +hmget +hstrlen +llen +lpos +lrange +pttl +scard +scan +time +type +xinfo|stream ' +
  '+xread +zcard +zcount +zrange +zrangebyscore +zrevrange +zrevrangebyscore +zscore +ping +info'

async function observeFlows(t: Test, source: Parameters<typeof QueueApp.fromQueues>[0], options: ObserveOptions = {}): Promise<QueueApp> {
  return await observe(t, source, { names: false, onError: error => t.fail(error.message), ...options })
}

async function factsOf({ monitoring }: Pick<QueueApp, 'monitoring'>, executionId: string): Promise<JobFacts> {
  const found = await monitoring.jobOf(executionId)
  if (!found?.facts) throw new Error(`${executionId} has no facts`)
  return found.facts
}

function shown({ executionId, status, isRemoved, taskName }: RelatedJob): unknown[] {
  return [executionId?.replace(/@[\d-]+$/, '@'), status, isRemoved ? 'removed' : 'there', taskName]
}

for (const major of [5, 6] as const) {
  t.test(`a flow of BullMQ ${major} is linked both ways, and its children have their states`, async t => {
    const url = await redisUrl(t)
    const flow = openFlow(t, major, url)
    const resize = openQueue(t, major, 'resize', url)
    openQueue(t, major, 'publish', url)
    const { job, children } = await flow.add({
      name: 'album', queueName: 'publish', data: {}, children: [
        { name: 'small', queueName: 'resize', data: { to: 1 }, opts: { jobId: 'small' } },
        { name: 'bad', queueName: 'resize', data: { fail: true }, opts: { jobId: 'bad', ignoreDependencyOnFailure: true } },
        { name: 'gone', queueName: 'resize', data: { to: 2 }, opts: { jobId: 'gone', removeOnComplete: true } },
        { name: 'late', queueName: 'resize', data: { to: 3 }, opts: { jobId: 'late', delay: 600_000 } },
        { name: 'other', queueName: 'elsewhere', data: {}, opts: { jobId: 'x' } }
      ]
    })
    const queueApp = await observeFlows(t, { broker: url, queues: ['publish', 'resize'] })
    const parentId = `publish:${job.id}`
    const worker = startOwnersWorker(t, major, 'resize', url)
    await waitFor('its children', async () => worker.outcomes.length === 3)
    await waitFor('their history', async () => (await queueApp.monitoring.executions({ taskName: 'resize' })).executions
      .filter(({ finishedAt }) => finishedAt !== null).length === 3)

    const facts = await factsOf(queueApp, parentId)
    t.same(facts.children!.map(shown), [
      ['resize:bad@', 'failed', 'there', 'resize'],
      [undefined, 'unfinished', 'there', null],
      ['resize:late', 'unfinished', 'there', 'resize'],
      ['resize:gone@', 'success', 'removed', 'resize'],
      ['resize:small@', 'success', 'there', 'resize']
    ])
    t.equal(facts.children![1]!.key, 'bull:elsewhere:x', 'a queue that is not observed is named')
    t.match(facts, { childrenLeft: 0, parent: null, deduplication: null, trace: null, jobName: 'album' })
    for (const { executionId } of facts.children!.filter(child => child.executionId !== null))
      t.ok(await queueApp.monitoring.execution(executionId!), `${executionId} is there`)

    const child = facts.children!.find(({ executionId }) => executionId?.startsWith('resize:small'))!
    t.same(shown((await factsOf(queueApp, child.executionId!)).parent!), [parentId, 'unfinished', 'there', 'publish'])
    t.match(await queueApp.monitoring.jobOf(facts.children!.find(({ isRemoved }) => isRemoved)!.executionId!), {
      taskName: 'resize', facts: null
    }, 'nothing is guessed of a job that was removed')
    t.equal(children!.length, 5)
    await resize.remove('late')
    t.equal((await factsOf(queueApp, parentId)).children!.length, 4)
  })
}

t.test('with many children, some are listed and the others counted, and the child that made its parent fail comes first', async t => {
  const url = await redisUrl(t)
  const flow = openFlow(t, 6, url)
  openQueue(t, 6, 'parts', url)
  openQueue(t, 6, 'whole', url)
  const { job } = await flow.add({
    name: 'whole', queueName: 'whole', data: {}, children: [
      ...Array.from({ length: 300 }, (_, index) => ({ name: 'part', queueName: 'parts', data: { to: index } })),
      { name: 'part', queueName: 'parts', data: { fail: true }, opts: { jobId: 'bad', failParentOnFailure: true, priority: 1 } }
    ]
  })
  const queueApp = await observeFlows(t, { broker: url })
  const before = await factsOf(queueApp, `whole:${job.id}`)
  t.match([before.children!.length, before.childrenLeft], [50, 251])
  const worker = startOwnersWorker(t, 6, 'parts', url)
  await waitFor('its children', async () => worker.outcomes.length === 301)
  const [parent] = await waitFor('the parent', async () => {
    const { executions } = await queueApp.monitoring.executions({ taskName: 'whole' })
    return executions.length === 1 && executions
  })
  const after = await factsOf(queueApp, parent!.executionId)
  t.match([after.children!.length, after.childrenLeft], [50, 251])
  t.same(shown(after.children![0]!), ['parts:bad@', 'failed', 'there', 'parts'])
})

t.test('within a scope, hidden parents, hidden children and queues that are not observed leave no trace', async t => {
  const url = await redisUrl(t)
  const flow = openFlow(t, 6, url)
  for (const name of ['publish', 'resize', 'secret']) openQueue(t, 6, name, url)
  const { job, children } = await flow.add({
    name: 'album', queueName: 'publish', data: {}, children: [
      { name: 'small', queueName: 'resize', data: {} }, { name: 'hidden', queueName: 'secret', data: {} },
      { name: 'other', queueName: 'elsewhere', data: {} }
    ]
  })
  const queueApp = await observeFlows(t, { broker: url, queues: ['publish', 'resize', 'secret'] })
  const scoped = queueApp.within(name => name !== 'secret')
  const facts = await factsOf(scoped, `publish:${job.id}`)
  t.same(facts.children!.map(shown), [[`resize:${children![0]!.job.id}`, 'unfinished', 'there', 'resize']])
  t.equal(facts.childrenLeft, 0)
  t.equal(await scoped.monitoring.jobOf(`secret:${children![1]!.job.id}`), null)
  const ofChildren = queueApp.within(name => name === 'resize')
  t.equal((await factsOf(ofChildren, `resize:${children![0]!.job.id}`)).parent, null)
})

t.test('a deduplication key shows its holder and its lifetime, without redacted values, and a trace shows its ids', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'mail', url)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const holder = await queue.add('send', { to: 'ana@example.com' }, {
    deduplication: { id: 'to-ana@example.com', ttl: 60_000 }, telemetry: { metadata: JSON.stringify({ traceparent }) }
  })
  const plain = await queue.add('send', {}, {
    deduplication: { id: 'plain' }, telemetry: { metadata: '{"traceparent":"00-<script>-1-01"}' }
  })
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await redis.set('bull:mail:de:plain', 'another')
  const queueApp = await observeFlows(t, queue, { redact: { paths: ['args.*.to'] } })
  const facts = await factsOf(queueApp, `mail:${holder.id}`)
  t.match(facts, {
    deduplication: { id: 'to-[redacted]', isHeld: true },
    trace: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  })
  const left = facts.deduplication!.heldUntil! - Date.now()
  t.ok(left > 30_000 && left <= 61_000, `${left} ms`)
  t.match(await factsOf(queueApp, `mail:${plain.id}`), {
    deduplication: { id: 'plain', isHeld: false, heldUntil: null }, trace: null
  })
})

t.test('a user with the rights of an earlier version sees the parent and the key, and the children are unknown', async t => {
  const server = await startRedis(t)
  const flow = openFlow(t, 5, server.url)
  const queue = openQueue(t, 5, 'mail', server.url)
  const { job, children } = await flow.add({
    name: 'all', queueName: 'mail', data: {}, children: [{ name: 'one', queueName: 'mail', data: {} }]
  })
  const held = await queue.add('one', {}, { deduplication: { id: 'one' } })
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  await redis.call('ACL', 'SETUSER', 'few', 'on', '>secret', '~bull:*', '-@all', ...EARLIER_RIGHTS.split(' '))
  const queueApp = await observeFlows(t, { broker: server.url.replace('redis://', 'redis://few:secret@') })
  t.match(await factsOf(queueApp, `mail:${job.id}`), { children: null, childrenLeft: null })
  t.match(await factsOf(queueApp, `mail:${children![0]!.job.id}`), { children: null, parent: { executionId: `mail:${job.id}` } })
  t.match(await factsOf(queueApp, `mail:${held.id}`), { deduplication: { id: 'one', isHeld: true, heldUntil: null } })
})

t.test('if HRANDFIELD is refused, as before Redis 6.2, finished children are counted and the others are listed', async t => {
  const server = await startRedis(t)
  const flow = openFlow(t, 6, server.url)
  for (const name of ['publish', 'resize']) openQueue(t, 6, name, server.url)
  const { job } = await flow.add({
    name: 'album', queueName: 'publish', data: {}, children: [
      { name: 'small', queueName: 'resize', data: {} },
      { name: 'bad', queueName: 'resize', data: { fail: true }, opts: { ignoreDependencyOnFailure: true } },
      { name: 'late', queueName: 'resize', data: {}, opts: { jobId: 'late', delay: 600_000 } }
    ]
  })
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  await redis.call('ACL', 'SETUSER', 'few', 'on', '>secret', '~bull:*', '-@all', ...EARLIER_RIGHTS.split(' '), '+hlen', '+sscan')
  const queueApp = await observeFlows(t, { broker: server.url.replace('redis://', 'redis://few:secret@') })
  const before = await factsOf(queueApp, `publish:${job.id}`)
  t.match([before.children!.length, before.childrenLeft], [3, 0])
  const worker = startOwnersWorker(t, 6, 'resize', server.url)
  await waitFor('two children', async () => worker.outcomes.length === 2)
  const after = await factsOf(queueApp, `publish:${job.id}`)
  t.same(after.children!.map(shown), [['resize:late', 'unfinished', 'there', 'resize']])
  t.equal(after.childrenLeft, 2)
})

t.test('on PostgreSQL, flows and deduplication keys are read too', async t => {
  const url = await postgresUrl(t)
  const queues = ['publish', 'resize'].map(name => openQueue(t, 6, name, url))
  for (const queue of queues) await queue.waitUntilReady()
  const flow = openFlow(t, 6, url)
  const { job } = await flow.add({
    name: 'album', queueName: 'publish', data: {}, children: [
      { name: 'small', queueName: 'resize', data: {}, opts: { jobId: 'small' } },
      { name: 'gone', queueName: 'resize', data: {}, opts: { jobId: 'gone', removeOnComplete: true } },
      { name: 'late', queueName: 'resize', data: {}, opts: { jobId: 'late', delay: 600_000 } },
      { name: 'other', queueName: 'elsewhere', data: {}, opts: { jobId: 'x' } }
    ]
  })
  const queueApp = await observeFlows(t, { broker: url, queues: ['publish', 'resize'] })
  let done = 0
  const connection = { connectionString: url } as never
  const worker = new Worker('resize', async () => 'large'.repeat(1000), { connection }, createPostgresBackend as never)
  worker.on('completed', () => { done++ })
  t.teardown(() => worker.close())
  await waitFor('its children', async () => done === 2)
  await waitFor('their history', async () => (await queueApp.monitoring.executions({ status: 'success' })).executions.length === 2)
  const facts = await factsOf(queueApp, `publish:${job.id}`)
  t.same(facts.children!.map(shown), [
    [undefined, 'unfinished', 'there', null],
    ['resize:late', 'unfinished', 'there', 'resize'],
    ['resize:gone@', 'success', 'removed', 'resize'],
    ['resize:small@', 'success', 'there', 'resize']
  ])
  t.match(facts, { childrenLeft: 0, parent: null, deduplication: null })
  const holder = await queues[1]!.add('small', {}, { delay: 600_000, deduplication: { id: 'late-1', ttl: 60_000 } })
  const { deduplication } = await factsOf(queueApp, `resize:${holder.id}`)
  t.match(deduplication, { id: 'late-1', isHeld: true })
  t.ok(deduplication!.heldUntil! > Date.now(), 'it ends later')
  const child = facts.children!.at(-1)!
  t.same(shown((await factsOf(queueApp, child.executionId!)).parent!), [`publish:${job.id}`, 'unfinished', 'there', 'publish'])
})
