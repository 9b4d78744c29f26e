/** Jobs of existing queues that do not tell when they were added. */
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import type { Stats } from '../../../schemas/stats.ts'
import { observe } from '../../support/observe.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR_MS = 3_600_000

async function openQueueOfOthers(t: Test) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await redis.hset('bull:plain:meta', { 'opts.maxLenEvents': '10000', 'version': 'bullmq:6.7.0' })
  const put = async (id: string, fields: Record<string, string>): Promise<void> => { await redis.hset(`bull:plain:${id}`, fields) }
  return { url, redis, put }
}

async function openDashboard(t: Test, url: string) {
  const queueApp = await observe(t, { broker: url }, { names: false, onError(error) { t.comment(error.message) } })
  const app = fastify()
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  t.teardown(() => app.close())
  return async <Body>(path: string): Promise<Body> => {
    const answer = await app.inject(`/api${path}`)
    t.equal(answer.statusCode, 200, `${path} ${answer.statusCode < 300 ? '' : answer.body}`)
    return answer.json<Body>()
  }
}

t.test('jobs without the time at which they were added are listed with the best time that is known', async t => {
  const { url, redis, put } = await openQueueOfOthers(t)
  const now = Date.now()
  const whole = { name: 'send', data: '{"to":"a"}', opts: '{}', delay: '0', priority: '0' }
  await put('waiting', whole)
  await put('minimal', { name: 'send', data: '{}' })
  await put('odd', { ...whole, timestamp: 'yesterday' })
  await redis.lpush('bull:plain:wait', 'waiting', 'minimal', 'odd', 'meta', 'gone')
  await put('urgent', { ...whole, priority: '3' })
  await redis.zadd('bull:plain:prioritized', 3 * 0x1_0000_0000, 'urgent')
  await put('later', { ...whole, delay: String(HOUR_MS) })
  await redis.zadd('bull:plain:delayed', (now + HOUR_MS) * 0x1000, 'later')
  await put('running', { ...whole, processedOn: String(now - 5_000), atm: '0', ats: '1' })
  await redis.lpush('bull:plain:active', 'running')
  await put('done', { ...whole, processedOn: String(now - 9_000), finishedOn: String(now - 8_000), atm: '1', returnvalue: '7' })
  await redis.zadd('bull:plain:completed', now - 8_000, 'done')
  const read = await openDashboard(t, url)

  const list = async (query: string) => (await read<ExecutionPage>(`/executions?${query}`)).items
  const pending = await list('status=pending')
  t.same(pending.map(each => each.execution_id).toSorted(), ['later', 'minimal', 'odd', 'urgent', 'waiting'].map(id => `plain:${id}`))
  const running = await list('status=running')
  t.same(running.map(each => [each.execution_id, each.submitted_at]), [['plain:running', new Date(now - 5_000).toISOString()]])
  const times = new Map(pending.map(each => [each.execution_id, each.submitted_at]))
  t.equal(times.get('plain:later'), new Date(now).toISOString(), 'the time at which it is due, less its delay')
  for (const id of ['minimal', 'odd', 'urgent', 'waiting']) {
    const at = Date.parse(times.get(`plain:${id}`)!)
    t.ok(at >= now && at <= Date.now(), `${id} has the time at which it was first seen`)
    const detail = await read<ExecutionDetail>(`/executions/plain:${id}`)
    t.match(detail, { submitted_at: times.get(`plain:${id}`), missing: ['submitted_at'], wait_ms: null, args: [Object] })
    await read(`/executions/plain:${id}/why`)
  }
  t.match(await read<ExecutionDetail>('/executions/plain:running'), { missing: ['submitted_at'], wait_ms: null, args: [{ to: 'a' }] })
  const [first, second] = [await list('status=pending&limit=2&order=oldest'), await list('status=pending&order=oldest')]
  t.same(first.map(each => each.execution_id), second.slice(0, 2).map(each => each.execution_id), 'the order stays')
  const stats = await read<Stats>('/stats')
  t.ok((stats.oldest_pending_ms ?? -1) >= 0 && stats.oldest_pending_ms! < HOUR_MS, `${stats.oldest_pending_ms}`)

  const [done] = await waitFor('the history', async () => {
    const found = await list('status=success')
    return found.length > 0 && found
  }, 20_000)
  t.match(done, { execution_id: `plain:done@${now - 8_000}`, submitted_at: new Date(now - 9_000).toISOString(), wait_ms: null })
  t.match(await read<ExecutionDetail>(`/executions/${done!.execution_id}`), { result: 7, missing: ['submitted_at'] })
})

t.test('a job that does not tell when it finished is recorded once, with the time at which its queue lists it', async t => {
  const { url, redis, put } = await openQueueOfOthers(t)
  const at = Date.now() - 8_000
  const times = { timestamp: String(at - 2_000), atm: '1', ats: '1' }
  const whole = { name: 'send', data: '{"to":"a"}', opts: '{}', delay: '0', priority: '0', ...times }
  await put('done', { ...whole, processedOn: String(at - 1_000), returnvalue: '7' })
  await put('odd', { ...whole, finishedOn: 'today' })
  await put('minimal', { name: 'send', data: '{}' })
  await put('told', { ...whole, finishedOn: String(at) })
  for (const id of ['done', 'odd', 'minimal', 'told']) await redis.zadd('bull:plain:completed', at, id)
  const error = { failedReason: 'no such address', stacktrace: '["Error: no such address"]' }
  await put('broken', { ...whole, processedOn: String(at - 1_000), ...error })
  await redis.zadd('bull:plain:failed', at, 'broken')
  // The events of this one tell that it finished, a little later than the list does.
  await put('event', whole)
  await redis.zadd('bull:plain:completed', at, 'event')
  await redis.xadd('bull:plain:events', `${at + 300}-0`, 'event', 'completed', 'jobId', 'event', 'returnvalue', '1', 'prev', 'active')
  const read = await openDashboard(t, url)

  const all = ['broken', 'done', 'event', 'minimal', 'odd', 'told']
  let found: ExecutionPage['items'] = []
  const items = await waitFor(() => `the history, which has ${found.map(each => each.execution_id).join(', ')}`, async () => {
    found = (await read<ExecutionPage>('/executions?task_name=plain')).items
    return found.length >= all.length && found
  }, 20_000)
  t.same(items.map(each => each.execution_id).toSorted(), all.map(id => `plain:${id}@${at}`))
  t.ok(items.every(each => each.finished_at === new Date(at).toISOString()))
  const done = await read<ExecutionDetail>(`/executions/plain:done@${at}`)
  t.match(done, { status: 'success', result: 7, duration_ms: 1_000, args: [{ to: 'a' }] })
  t.match(await read<ExecutionDetail>(`/executions/plain:broken@${at}`), { status: 'failed', error: { message: 'no such address' } })
  t.match(await read<ExecutionDetail>(`/executions/plain:minimal@${at}`),
    { submitted_at: new Date(at).toISOString(), missing: ['submitted_at'], args: [{}] })
  t.match(await read<ExecutionDetail>('/executions/plain:done'), { execution_id: `plain:done@${at}`, result: 7 }, 'by the id of the job')
  // A job that finishes later makes the dashboard compare all of them again.
  await put('later', { ...whole, finishedOn: String(Date.now()) })
  await redis.zadd('bull:plain:completed', Date.now(), 'later')
  await redis.xadd('bull:plain:events', '*', 'event', 'completed', 'jobId', 'later', 'returnvalue', '1', 'prev', 'active')
  await waitFor('the later one', async () => (await read<ExecutionPage>('/executions?task_name=plain')).items.length > all.length)
  t.match(await read<Stats>('/stats'), { executions: { success: all.length, failed: 1 } })
})
