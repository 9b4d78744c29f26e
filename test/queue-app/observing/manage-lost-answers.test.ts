/** Changes on PostgreSQL whose response is lost. Redis is covered in manage-edges.test.ts. */
import { createPostgresBackend, Queue } from 'bullmq'
import t from 'tap'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { observe } from '../../support/observe.ts'
import { connectPostgres } from '../../support/servers/postgres-client.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('a cancellation whose response is lost is in the history if it was made, and unconfirmed if it may still be made', async t => {
  const url = await postgresUrl(t)
  const proxy = await startTcpProxy(t, url)
  const queue = new Queue('emails', { connection: { connectionString: url, migrate: true } }, createPostgresBackend as never)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  const [job, other] = [await queue.add('send', { to: 1 }), await queue.add('send', { to: 2 })]
  const { monitoring, operations } = await observe(t, { broker: proxy.url }, { manage: true, onError() {} })
  await waitFor('the queue', async () => (await monitoring.queue('emails'))?.pending === 2)
  proxy.loseAnswers(/FOR UPDATE NOWAIT/, 1)
  const cancelled = await operations.cancelExecution(`emails:${job.id}`, { reason: 'typo' })
  t.equal(proxy.lostAnswers, 1)
  t.match(await monitoring.execution(cancelled.executionId), {
    status: 'cancelled', args: [{ to: 1 }], cancellation: { reason: 'typo' }
  })
  t.equal(await queue.getJob(job.id!), undefined)

  const owner = await connectPostgres(t, url)
  await owner.query('BEGIN; LOCK TABLE bullmq.dedup')
  await t.rejects(operations.cancelExecution(`emails:${other.id}`), { code: /^(?:UNCONFIRMED|BROKER_UNAVAILABLE)$/ })
  await owner.query('ROLLBACK')
})
