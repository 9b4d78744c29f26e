import { createPostgresBackend, Queue } from 'bullmq'
import pg from 'pg'
import t from 'tap'
import type { QueueApp } from '../../../lib/index.ts'
import { observe } from '../../support/observe.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

async function recorded(queueApp: QueueApp): Promise<string[]> {
  const { executions } = await queueApp.monitoring.executions({ status: 'success', limit: 200 })
  return executions.map(({ executionId }) => executionId.replace(/^emails:|@[\d-]+$/g, '')).sort()
}

t.test('after a restored backup, new events that reuse old numbers are all recorded, and none twice', async t => {
  const [url, backend] = [await postgresUrl(t), await redisUrl(t)]
  const queue = new Queue('emails', { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  t.teardown(() => queue.close())
  await queue.waitUntilReady()
  const owner = new pg.Client(url)
  await owner.connect()
  t.teardown(() => owner.end())
  await waitFor('the queue', async () => (await owner.query('SELECT FROM bullmq.meta WHERE queue = $1', ['emails'])).rows.length > 0)
  const finish = async (...ids: string[]): Promise<void> => {
    for (const jobId of ids)
      await owner.query(`SELECT bullmq.publish_event('emails', 'completed', $1::jsonb)`, [JSON.stringify({ jobId, returnvalue: '1' })])
  }
  const first = await observe(t, { broker: url }, { backend })
  await finish('a', 'b', 'c', 'd')
  await waitFor('the first ones', async () => (await recorded(first)).length === 4)
  await first.stop()

  // The backup is from before the last two events.
  await owner.query(`DELETE FROM bullmq.event WHERE data ->> 'jobId' IN ('c', 'd')`)
  await owner.query(`SELECT setval('bullmq.event_seq', (SELECT max(id) FROM bullmq.event))`)
  await finish('e', 'f', 'g', 'h')
  const second = await observe(t, { broker: url }, { backend })
  await waitFor('the last one', async () => (await recorded(second)).includes('h'))
  t.same(await recorded(second), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})
