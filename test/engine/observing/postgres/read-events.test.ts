/** Events of queues on PostgreSQL, which get their numbers before they are committed. */
import type pg from 'pg'
import t, { type Test } from 'tap'
import { createJobStories } from '../../../../lib/engine/observing/events/job-stories.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { createObservedPostgres } from '../../../../lib/engine/observing/postgres/postgres-server.ts'
import { createReadDatabase } from '../../../../lib/stores/postgres/observing/read-database.ts'
import { parsePostgresSource } from '../../../../lib/stores/postgres/source/postgres-source.ts'
import { MINUTE_MS } from '../../../../lib/time/units.ts'
import { connectPostgres } from '../../../support/servers/postgres-client.ts'
import { postgresUrl, startPostgres } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** As BullMQ creates them, as far as they are read for events. */
async function createEvents(client: pg.Client, schema: string): Promise<void> {
  await client.query(`
    CREATE SCHEMA ${schema};
    CREATE SEQUENCE ${schema}.event_seq;
    CREATE TABLE ${schema}.meta (queue text NOT NULL, field text NOT NULL, value text, PRIMARY KEY (queue, field));
    CREATE TABLE ${schema}.job (queue text NOT NULL, id text NOT NULL, name text NOT NULL, PRIMARY KEY (queue, id));
    CREATE TABLE ${schema}.scheduler (queue text NOT NULL, scheduler_id text NOT NULL, name text NOT NULL,
      PRIMARY KEY (queue, scheduler_id));
    CREATE TABLE ${schema}.event (queue text NOT NULL, id bigint NOT NULL DEFAULT nextval('${schema}.event_seq'), event text NOT NULL,
      data jsonb NOT NULL DEFAULT '{}', created_at_ms bigint NOT NULL, PRIMARY KEY (queue, id))`)
}

async function publish(client: pg.Client, schema: string, jobId: string, more: object = {}): Promise<void> {
  const event = 'failedReason' in more ? 'failed' : 'completed'
  await client.query(`INSERT INTO ${schema}.event (queue, event, data, created_at_ms)
    VALUES ('emails', '${event}', $1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`, [JSON.stringify({ jobId, ...more })])
}

interface Reader {
  /** Reads the new events of a schema, and returns the ids of their jobs. */
  (schema: string): Promise<string[]>
  /** Reads again from the beginning. */
  restart(): void
}

async function openServer(t: Test, url: string): Promise<ObservedServer> {
  const server = createObservedPostgres(createReadDatabase(parsePostgresSource({ url }, 'postgres:', 'broker'), () => {}))
  t.teardown(() => server.stop())
  await server.start()
  return server
}

async function openReader(t: Test, url: string): Promise<Reader> {
  const server = await openServer(t, url)
  const after = new Map<string, string>()
  const read = async (prefix: string): Promise<string[]> => {
    const queue = { taskName: prefix, name: 'emails', prefix }
    const events = (await server.partFor(queue).events.read([{ queue, after: after.get(prefix) ?? '0-0' }], 100)).get(prefix) ?? []
    after.set(prefix, events.at(-1)?.id ?? after.get(prefix) ?? '0-0')
    return events.map(({ fields }) => fields.jobId!)
  }
  return Object.assign(read, { restart() { after.clear() } })
}

/** Advances the clock that measures how long something takes. */
function passTime(t: Test): (ms: number) => void {
  const now = performance.now.bind(performance)
  let passed = 0
  performance.now = () => now() + passed
  t.teardown(() => { performance.now = now })
  return ms => { passed += ms }
}

t.test('after a minute, reading no longer waits for an open transaction, even if another schema is read during that minute', async t => {
  const url = await postgresUrl(t)
  const [stuck, client] = [await connectPostgres(t, url), await connectPostgres(t, url)]
  for (const schema of ['first', 'second']) await createEvents(client, schema)
  const read = await openReader(t, url)
  const pass = passTime(t)
  await stuck.query('BEGIN')
  await publish(stuck, 'second', 'stuck')
  await publish(client, 'second', '2')
  for (let round = 0; round < 4; round++) {
    await publish(client, 'first', `1.${round}`)
    t.same(await read('first'), [`1.${round}`])
    await t.rejects(read('second'), { message: /An open transaction has written events/ })
    pass(MINUTE_MS / 4)
  }
  await publish(client, 'first', '1.4')
  t.same(await read('first'), ['1.4'])
  t.same(await read('second'), ['2'])
})

t.test('no event of a transaction that commits late is lost after the tables of BullMQ were recreated', async t => {
  const url = await postgresUrl(t)
  const [slow, client] = [await connectPostgres(t, url), await connectPostgres(t, url)]
  await createEvents(client, 'bullmq')
  const read = await openReader(t, url)
  for (const jobId of ['1', '2', '3', '4', '5']) await publish(client, 'bullmq', jobId)
  t.same(await read('bullmq'), ['1', '2', '3', '4', '5'])
  await client.query('DROP SCHEMA bullmq CASCADE')
  await createEvents(client, 'bullmq')
  read.restart()
  await slow.query('BEGIN')
  await publish(slow, 'bullmq', 'slow')
  await publish(client, 'bullmq', 'fast')
  const reading = read('bullmq')
  setTimeout(() => { void slow.query('COMMIT') }, 300)
  t.same(await reading, ['slow', 'fast'])
})

t.test('no event that the primary commits late is lost on a hot standby', async t => {
  const primary = await startPostgres(t)
  const [slow, client] = [await connectPostgres(t, primary.url), await connectPostgres(t, primary.url)]
  await createEvents(client, 'bullmq')
  const standby = await startPostgres(t, { standbyOf: primary.url })
  const read = await openReader(t, standby.url)
  await slow.query('BEGIN')
  await publish(slow, 'bullmq', 'slow')
  await publish(client, 'bullmq', 'fast')
  const onStandby = await connectPostgres(t, standby.url)
  await waitFor('the standby to have the first event', async () => (await onStandby.query('SELECT FROM bullmq.event')).rows.length === 1)
  const found: string[] = []
  setTimeout(() => { void slow.query('COMMIT') }, 400)
  await waitFor('both events', async () => {
    found.push(...await read('bullmq').catch(() => []))
    return found.length === 2 || found.includes('fast') && (await onStandby.query('SELECT FROM bullmq.event')).rows.length === 2
  })
  found.push(...await read('bullmq'))
  t.same(found, ['slow', 'fast'])
})

t.test('from an event that is too large, the important fields are read, but not the result', async t => {
  const url = await postgresUrl(t)
  const client = await connectPostgres(t, url)
  await createEvents(client, 'bullmq')
  const large = 'x'.repeat(2 * 2 ** 20)
  await publish(client, 'bullmq', 'failed', { failedReason: large, prev: 'active' })
  await publish(client, 'bullmq', 'completed', { returnvalue: JSON.stringify(large) })
  await publish(client, 'bullmq', 'small', { returnvalue: '1' })
  const { events } = await openServer(t, url)
  const queue = { taskName: 'emails', name: 'emails', prefix: 'bullmq' }
  const found = (await events.read([{ queue, after: '0-0' }], 100)).get('emails')!
  t.ok(found.every(({ size }) => size < 100_000))
  const stories = createJobStories()
  const [failed, completed, small] = found.map(event => stories.tell(queue, event)!.rebuild())
  t.match(failed, { status: 'failed', error: { message: /^x+/ }, truncated: ['/error/message'] })
  t.match(completed, { result: null, truncated: ['/result'], resultProblem: 'result is too large to be read' })
  t.match(small, { result: 1, truncated: [] })
})

t.test('reads are never serializable, whatever the default of the database, so they cannot make transactions of owners fail', async t => {
  const url = await postgresUrl(t)
  const client = await connectPostgres(t, url)
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation TO serializable`)
  const database = createReadDatabase(parsePostgresSource({ url }, 'postgres:', 'broker'), () => {})
  t.teardown(() => database.stop())
  await database.start()
  t.same(await database.read('SHOW transaction_isolation'), [{ transaction_isolation: 'read committed' }])
  t.same(await database.read('SHOW transaction_read_only'), [{ transaction_read_only: 'on' }])
})

t.test('a queue without events causes no gap in another queue whose old events were removed after they had been read', async t => {
  const url = await postgresUrl(t)
  const client = await connectPostgres(t, url)
  await createEvents(client, 'shared')
  const { events } = (await openServer(t, url)).partFor({ name: 'emails', prefix: 'shared' })
  const [emails, busy, empty] = ['emails', 'busy', 'empty'].map(name => ({ taskName: name, name, prefix: 'shared' }))
  await publish(client, 'shared', '1')
  const [first] = (await events.read([{ queue: emails!, after: '0-0' }], 100)).get('emails')!
  // BullMQ counts the event numbers of all queues when it decides which events to remove.
  await client.query(`INSERT INTO shared.meta VALUES ('emails', 'opts.maxLenEvents', '10')`)
  await client.query(`INSERT INTO shared.event (queue, event, created_at_ms)
    SELECT 'busy', 'completed', (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM generate_series(1, 30)`)
  const unread = await events.read([{ queue: emails!, after: first!.id }, { queue: busy!, after: '0-0' }], 100)
  t.equal(unread.has('emails'), false)
  await client.query(`DELETE FROM shared.event WHERE queue = 'emails'`)
  await publish(client, 'shared', '2')
  t.equal((await events.stream(emails!, first!.id))!.isCut, undefined)
  for (const after of ['0-0', first!.id]) {
    t.equal(await events.stream(empty!, after), null)
    t.equal((await events.stream(emails!, first!.id))!.isCut, undefined, after)
  }
})
