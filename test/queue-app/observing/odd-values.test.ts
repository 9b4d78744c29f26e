/** Jobs and scores that BullMQ does not write, but other code may. */
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import { observe } from '../../support/observe.ts'
import { OWNERS, connectionOf, openQueue } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

async function openServer(t: Test) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await openQueue(t, 6, 'sound', url).add('send', {})
  return { url, redis }
}

async function openDashboard(t: Test, url: string) {
  const queueApp = await observe(t, { broker: url }, { names: false, onError() {} })
  const app = fastify()
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  t.teardown(() => app.close())
  return async <Body>(path: string): Promise<Body> => {
    const answer = await app.inject(`/api${path}`)
    t.equal(answer.statusCode, 200, `${path} ${answer.statusCode < 300 ? '' : answer.body}`)
    return answer.json<Body>()
  }
}

t.test('fields of jobs that are not what BullMQ writes are shown as they are, and other jobs on the page are not affected', async t => {
  const { url, redis } = await openServer(t)
  const odd: Record<string, Record<string, string>> = {
    deep: { opts: `{"a":${nested(20_000)}}`, progress: nested(20_000), data: nested(400_000), stacktrace: `[${nested(300_000)}]` },
    objects: { stacktrace: '[{"toString":1,"valueOf":1}]', atm: '2' },
    text: { opts: 'no', progress: 'no', data: 'no', stacktrace: 'no' },
    proto: { opts: '{"__proto__":{"attempts":5},"attempts":"x"}', data: '{"__proto__":{"a":1}}' }
  }
  await redis.hset('bull:odd:meta', { 'opts.maxLenEvents': '10000', 'version': 'bullmq:6.7.0' })
  for (const [id, fields] of Object.entries(odd)) {
    await redis.hset(`bull:odd:${id}`, { name: 'send', data: '{}', opts: '{}', timestamp: '1000', delay: '0', priority: '0', ...fields })
    await redis.lpush('bull:odd:wait', id)
  }
  await redis.lpush('bull:odd:wait', 'none', 'meta')
  await redis.hset('bull:odd:none', { name: 'without a time' })
  const read = await openDashboard(t, url)
  const { items } = await read<ExecutionPage>('/executions?status=pending')
  t.same(items.map(each => each.execution_id).toSorted(), [...Object.keys(odd).map(id => `odd:${id}`), 'odd:none', 'sound:1'].toSorted())
  for (const id of Object.keys(odd)) await read(`/executions/odd:${id}/why`)
  const detail = async (id: string): Promise<ExecutionDetail> => await read<ExecutionDetail>(`/executions/odd:${id}`)
  t.match(await detail('deep'), { args: [/^\["\[{1000}/], progress: null })
  t.match(await detail('objects'), { error: { stack: '{"toString":1,"valueOf":1}' } })
  t.match(await detail('text'), { args: ['no'] })
  t.match(await detail('proto'), { max_attempts: 1 })
})

t.test('scores without a time, also infinite ones, are shown as the first or the last time', async t => {
  const { url, redis } = await openServer(t)
  for (const [index, score] of ['inf', '-inf', '1e300', '-5', '1.5', '1.7e18'].entries()) {
    const start = `bull:odd${index}:`
    await redis.hset(`${start}meta`, { 'opts.maxLenEvents': '10000', 'version': 'bullmq:6.7.0' })
    for (const set of ['delayed', 'prioritized', 'waiting-children', 'completed', 'failed', 'repeat']) {
      await redis.zadd(`${start}${set}`, score, `of-${set}`)
      await redis.hset(`${start}of-${set}`, { name: 'send', data: '{}', opts: '{}', timestamp: '1000', delay: '0', priority: '0' })
    }
    await redis.hset(`${start}repeat:of-repeat`, {
      name: 'send', pattern: '* * * * *', ic: '1', offset: '8640000000000001', startDate: '-8640000000000001', endDate: '9007199254740991'
    })
  }
  const read = await openDashboard(t, url)
  const { items } = await read<ExecutionPage>('/executions?status=pending&limit=100')
  t.equal(items.length, 6 * 3 + 1)
  for (const { execution_id: id } of items) {
    await read(`/executions/${id}`)
    await read(`/executions/${id}/why`)
  }
  t.equal((await read<Schedule[]>('/schedules?limit=100')).length, 6)
  for (const path of ['/schedules/agenda', '/tasks', '/queues', '/stats', '/executions', '/health']) await read(path)
})

t.test('keys of jobs and of schedulers that another tool has overwritten do not hide others', async t => {
  const { url, redis } = await openServer(t)
  const queue = openQueue(t, 6, 'odd', url)
  const flow = new OWNERS[6].FlowProducer({ connection: connectionOf(url) })
  t.teardown(() => flow.close())
  const children = [{ name: 'child', queueName: 'odd', data: {} }]
  await flow.add({ name: 'parent', queueName: 'odd', data: {}, opts: { jobId: 'parent' }, children })
  for (const id of ['nightly', 'weekly']) await queue.upsertJobScheduler(id, { pattern: '0 3 * * 1' }, { name: id })
  await redis.set('bull:odd:parent:dependencies', 'another tool')
  await redis.set('bull:odd:repeat:nightly', 'another tool')
  const read = await openDashboard(t, url)
  await read('/executions/odd:parent/why')
  await read('/executions/odd:parent/job')
  const schedules = await read<Schedule[]>('/schedules')
  t.same(schedules.map(each => each.schedule_id).toSorted(), ['odd:nightly', 'odd:weekly'])
})
