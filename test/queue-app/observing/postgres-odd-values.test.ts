/** Jobs on PostgreSQL with values that BullMQ does not write, but other code may. */
import { createPostgresBackend, Queue } from 'bullmq'
import fastify from 'fastify'
import pg from 'pg'
import t from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import { observe } from '../../support/observe.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

t.test('values that nest deep or are long are left out, and other jobs on the page are not affected', async t => {
  const url = await postgresUrl(t)
  const queue = new Queue('emails', { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  t.teardown(() => queue.close())
  for (const jobId of ['deep', 'long', 'sound', 'done']) await queue.add('send', {}, { jobId })
  const owner = new pg.Client(url)
  await owner.connect()
  t.teardown(() => owner.end())
  const set = (id: string, columns: string, ...values: string[]) =>
    owner.query(`UPDATE bullmq.job SET ${columns} WHERE queue = 'emails' AND id = $1`, [id, ...values])
  const deep = ['opts = $2, progress = $3, stacktrace = $4', `{"a":${nested(3_000)}}`, nested(3_000), `[${nested(3_000)}]`] as const
  await set('deep', ...deep)
  const long = 'x'.repeat(100_000)
  await set('long', 'processed_by = $2, scheduler_id = $2', long)
  const at = Date.now() - 1_000
  const finished = `state = 'failed', finished_at_ms = $5, processed_at_ms = $5, processed_by = $6`
  await set('done', `${deep[0]}, ${finished}`, ...deep.slice(1), String(at), long)

  const queueApp = await observe(t, { broker: url }, { names: false, onError() {} })
  const app = fastify()
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  t.teardown(() => app.close())
  const read = async <Body>(path: string): Promise<Body> => {
    const answer = await app.inject(`/api${path}`)
    t.equal(answer.statusCode, 200, `${path} ${answer.statusCode < 300 ? '' : answer.body.slice(0, 300)}`)
    return answer.json<Body>()
  }
  const { items } = await read<ExecutionPage>('/executions?status=pending')
  t.same(items.map(each => each.execution_id).toSorted(), ['deep', 'long', 'sound'].map(id => `emails:${id}`))
  t.match(await read<ExecutionDetail>('/executions/emails:deep'), { progress: null, max_attempts: 1 })
  t.match(await read<ExecutionDetail>('/executions/emails:long'), { schedule_id: null, truncated: ['/worker_id', '/schedule_id'] })
  const done = await waitFor('the history', async () => (await read<ExecutionPage>('/executions?status=failed')).items[0], 20_000)
  t.match(await read<ExecutionDetail>(`/executions/${done.execution_id}`), { worker_id: null, truncated: ['/worker_id'] })
})

t.test('finished jobs that do not tell when they finished do not keep others out of the history', async t => {
  const url = await postgresUrl(t)
  const queue = new Queue('emails', { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  t.teardown(() => queue.close())
  const timeless = Array.from({ length: 150 }, (_, index) => `timeless-${index}`)
  await queue.addBulk([...timeless, 'sound'].map(jobId => ({ name: 'send', data: {}, opts: { jobId } })))
  const owner = new pg.Client(url)
  await owner.connect()
  t.teardown(() => owner.end())
  await owner.query(`UPDATE bullmq.job SET state = 'completed', finished_at_ms = CASE WHEN id = 'sound' THEN $1::bigint END`, [Date.now()])
  const errors: string[] = []
  const { monitoring } = await observe(t, { broker: url }, { names: false, onError: error => errors.push(error.message) })
  const { executions } = await waitFor('the history', async () => {
    const page = await monitoring.executions({ status: 'success' })
    return page.executions.length > 0 && page
  }, 30_000)
  t.match(executions, [{ executionId: /^emails:sound@/ }])
  t.same(errors, [])
})
