import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { openQueuesOfOthers } from '../support/queues-of-others.ts'
import { postgresUrl, redisUrl, testNamespace } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

/** Job data by id, as other code or a manual edit of the datastore may leave it in a queue. */
const FOREIGN: Record<string, unknown> = {
  'an object': { foo: 1 }, 'nothing': null, 'a list': [1, 2], 'text': 'args', 'args as they are': { args: ['ana@example.com'] },
  'args that are no JSON': { args: '["ana@' }, 'args that are no list': { args: '{"to":"ana@example.com"}' }
}

t.test('a job that other code added fails once, and no handler is called with it', async t => {
  await t.test('the job fails once on Redis', async t => testForeignJobs(t, await redisUrl(t)))
  await t.test('the job fails once on PostgreSQL', async t => testForeignJobs(t, await postgresUrl(t)))
})

async function testForeignJobs(t: Test, url: string): Promise<void> {
  const namespace = testNamespace()
  const queueApp = QueueApp.fromUrls({ broker: url, namespace, onError() {} })
  t.teardown(() => queueApp.stop())
  const calls: unknown[][] = []
  queueApp.task('email:send', async (...args: unknown[]) => { calls.push(args) }, { retries: 5, concurrency: 3 })
  queueApp.task('later', async (...args: unknown[]) => { calls.push(args) })
  queueApp.task<[], void>('report', new URL('../engine/workers/cpu-task.ts', import.meta.url), { type: 'cpu', retries: 2 })
  await queueApp.start()

  const { store, queueOf } = await openQueuesOfOthers(t, url, namespace)
  const queues = [queueOf('email:send'), queueOf('report'), queueOf('later')] as const

  const ids = Object.keys(FOREIGN)
  for (const id of ids) await queues[0].add('x', FOREIGN[id], { jobId: id, attempts: 6 })
  if (store.kind === 'redis') {
    ids.push('cut off')
    const job = await queues[0].add('x', {}, { jobId: 'cut off', attempts: 6, delay: 3_600_000 })
    await store.client.hset(`${store.keyPrefix}:email%3asend:cut off`, 'data', '{"args":"[1')
    await job.promote()
  }
  await queues[1].add('y', { foo: 1 }, { jobId: 'for a process', attempts: 3 })
  await queues[2].add('z', { foo: 1 }, { jobId: 'not due', delay: 3_600_000 })

  const failed = await waitFor('all of these jobs to fail', async () => {
    const { executions } = await queueApp.monitoring.executions({ status: 'failed' })
    return executions.length === ids.length + 1 && executions
  })
  t.same(calls, [])
  t.same(new Set(failed.map(({ executionId }) => executionId)), new Set([...ids, 'for a process']))
  for (const { executionId, taskName, queue, attempt, error } of failed) {
    t.match({ taskName, queue, attempt, error }, executionId === 'for a process'
      ? {
        taskName: 'report', queue: 'report', attempt: 1,
        error: { type: 'FOREIGN_JOB', message: /^The job "y" was not added by enqueue\(\)/ }
      }
      : {
        taskName: 'email:send', queue: 'email%3asend', attempt: 1,
        error: { type: 'FOREIGN_JOB', message: /^The job "x" was not added by enqueue\(\)/ }
      },
    executionId)
  }
  t.match(await queueApp.result('an object'), { status: 'failed', result: null, resultProblem: null, error: { type: 'FOREIGN_JOB' } })
  t.match((await queueApp.monitoring.failureGroups({ limit: 10 })).groups, [{ count: ids.length + 1 }], 'one group')

  const id = await queueApp.enqueue('email:send', ['ana@example.com'])
  t.match(await queueApp.result(id, { waitMs: 20_000 }), { status: 'success' }, 'ours still run')
  t.same(calls, [['ana@example.com']])

  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  for (const path of [
    'executions', 'executions/not%20due', 'executions/an%20object', 'executions?search=foreign_job', 'tasks/later/executions', 'failures',
    'tasks', 'stats'
  ]) {
    const { statusCode, json } = await fastify.inject(`/tasks/api/${path}`)
    t.equal(statusCode, 200, path)
    if (path.startsWith('executions/'))
      t.match(json(), { task_name: path.includes('due') ? 'later' : 'email:send', args: null, max_attempts: path.includes('due') ? 1 : 6 })
  }
}
