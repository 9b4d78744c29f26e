/** Several schemas of one PostgreSQL database, each with queues of BullMQ. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresBackend, Queue } from 'bullmq'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { observe } from '../../support/observe.ts'
import { createRole } from '../../support/servers/postgres-role.ts'
import { connectPostgres } from '../../support/servers/postgres-client.ts'
import { postgresUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

async function openOwner(t: Test, url: string, schema: string, name = 'emails'): Promise<Queue> {
  const connection = { connectionString: url, migrate: true, schema } as never
  const queue = new Queue(name, { connection }, createPostgresBackend as never)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  await queue.add('send', {})
  // Waits until the queue has written its metadata, by which it is found.
  await queue.getVersion()
  return queue
}

async function createLike(client: pg.Client, schema: string, column: string): Promise<void> {
  const tables = ['job', 'meta', 'event', 'scheduler', 'job_log', 'rate_limit', 'dedup']
  await client.query([`CREATE SCHEMA ${schema}`, ...tables.map(name => `CREATE TABLE ${schema}.${name} (${column} text)`)].join(';'))
}

t.test('the queues of a named schema are found, whatever other schemas exist', async t => {
  const url = await postgresUrl(t)
  await openOwner(t, url, 'tenant')
  const admin = await connectPostgres(t, url)
  for (let index = 0; index < 100; index++) await createLike(admin, `s${index}`, 'queue')
  await createLike(admin, 'another_tool', 'id')
  await createLike(admin, 'locked', 'queue')
  await admin.query('BEGIN; LOCK TABLE locked.meta')
  const queueApp = await observe(t, { broker: url, prefix: 'tenant' }, { onError: error => { t.fail(error.message) } })
  t.match(await queueApp.monitoring.tasks(), [{ name: 'emails' }])
  t.match(await queueApp.monitoring.health(), { status: 'healthy' })
  await admin.query('ROLLBACK')
})

t.test('a schema that the user may not read is reported with the missing rights, even if another one can be read', async t => {
  const url = await postgresUrl(t)
  for (const schema of ['bullmq', 'tenant']) await openOwner(t, url, schema)
  const admin = await connectPostgres(t, url)
  const { role, asRole } = await createRole(t, url)
  await admin.query(`GRANT USAGE ON SCHEMA tenant TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA tenant TO ${role}`)
  await t.rejects(observe(t, { broker: asRole }, { onError() {} }), {
    code: 'STORE_UNSUITABLE', message: /GRANT USAGE ON SCHEMA "bullmq" TO/
  })
  const queueApp = await observe(t, [
    { broker: asRole, label: 'one' }, { broker: asRole, prefix: 'tenant', label: 'other' }
  ], { onError() {} })
  t.match(await queueApp.monitoring.tasks(), [{ name: 'other/emails' }])
  t.match(await queueApp.monitoring.health(), { components: {
    broker: { healthy: false, message: /may not read the tables of BullMQ under the prefix "bullmq"\. Run GRANT USAGE ON SCHEMA "bullmq" TO/ }
  } })
})

t.test('while the tables of one schema are locked or gone, the other schemas are shown and recorded', async t => {
  const url = await postgresUrl(t)
  const [queue] = [await openOwner(t, url, 'first'), await openOwner(t, url, 'second')]
  const queueApp = await observe(t, [
    { broker: url, prefix: 'first', label: 'first' }, { broker: url, prefix: 'second', label: 'second' }
  ], { onError() {} })
  const { monitoring } = queueApp
  const areBothShown = async () => (await monitoring.queues()).map(({ name }) => name).join() === 'first/emails,second/emails'
  await waitFor('both', areBothShown)
  const admin = await connectPostgres(t, url)
  const finish = (jobId: string) => admin.query(
    `SELECT first.publish_event('emails', 'completed', $1::jsonb)`, [JSON.stringify({ jobId, returnvalue: '1' })]
  )
  const isShown = async (pending: number): Promise<boolean> => {
    const queues = await monitoring.queues()
    return queues.length === 1 && queues[0]!.name === 'first/emails' && queues[0]!.pending === pending
  }
  const isRecorded = async (jobId: string): Promise<boolean> => {
    const { executions } = await monitoring.executions({ status: 'success' })
    return executions.some(({ executionId }) => executionId.startsWith(`first/emails:${jobId}@`))
  }

  const locking = await connectPostgres(t, url)
  await locking.query('BEGIN; LOCK TABLE second.job, second.event')
  await queue.add('send', {})
  await finish('while-locked')
  await waitFor('the other schema alone', () => isShown(2))
  await waitFor('the finishes in the other schema', () => isRecorded('while-locked'))
  await locking.query('ROLLBACK')
  await waitFor('both again', areBothShown)

  await admin.query('DROP SCHEMA second CASCADE')
  await queue.add('send', {})
  await finish('while-gone')
  await waitFor('the other schema alone', () => isShown(3))
  await waitFor('the finishes in the other schema', () => isRecorded('while-gone'))
})

const LOOKED_AGAIN = 2

for (const count of [1, 3, 6]) {
  const what = count === 1 ? 'a locked schema leaves' : `${count} locked schemas leave`
  t.test(`${what} connections for the others, however many people read at once`, async t => {
    const url = await postgresUrl(t)
    const locked = Array.from({ length: count }, (_, index) => `locked${index}`)
    for (const schema of ['first', ...locked]) await openOwner(t, url, schema)
    const { monitoring } = await observe(
      t, ['first', ...locked].map(prefix => ({ broker: url, prefix, label: prefix })), { onError() {} }
    )
    t.equal((await monitoring.queues()).length, count + 1)
    const locking = await connectPostgres(t, url)
    await locking.query(`BEGIN; LOCK TABLE ${locked.map(schema => `${schema}.job, ${schema}.event, ${schema}.meta`).join()}`)
    const look = async (): Promise<string> => {
      const [queues, { executions }] = await Promise.all([
        monitoring.queues(), monitoring.executions({ status: 'pending', taskName: 'first/emails' })
      ])
      return `${queues.map(({ name }) => name).join()} ${executions.length}`
    }
    const looks = Array.from({ length: 12 }, async (_, index) => {
      await sleep(index * 100)
      return await look()
    })
    const together = Array.from({ length: 12 }, async () => {
      await sleep(2_000)
      return await look()
    })
    // A busy machine misses a deadline now and then, so each may look again. If locked schemas took all connections, that would fail too.
    const again = (each: Promise<string>, tries: number): Promise<string> =>
      each.catch((error: Error) => tries > 0 ? again(look(), tries - 1) : error.message)
    const seen = await Promise.all([...looks, ...together].map(each => again(each, LOOKED_AGAIN)))
    t.same(seen, seen.map(() => 'first/emails 1'))
    await locking.query('ROLLBACK')
    await waitFor('all', async () => (await monitoring.queues()).length === count + 1)
  })
}
