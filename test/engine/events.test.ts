import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { RedisStore, SqlStore } from '../../lib/stores/store.ts'
import { enqueueAll, startEngine, work } from '../contracts/engine-work.ts'
import { onEveryStore } from '../support/servers/stores.ts'

const SECRET = 'hidden by redaction'
const EXECUTIONS = 300
const RESULT_BYTES = 50_000
/** One node of a Redis stream, or an empty table with its index. */
const MAX_EVENTS_BYTES = 24 * 1024

t.test("the broker's events stay small and contain no results, errors or progress", async t => {
  await onEveryStore(t, async (t, url, kind) => {
    const { engine, store } = await startEngine(t, url)
    const taskName = 'secretive'
    const ids: string[] = []
    while (ids.length < EXECUTIONS) {
      const first = ids.length
      ids.push(...await enqueueAll(engine, taskName, Array.from({ length: 50 }, (_, index) => ({ args: [first + index] }))))
    }
    const worker = work(t, engine, {
      taskName,
      concurrency: 5,
      async run({ args: [index] }) {
        if (index === 0) throw new Error(SECRET)
        return { index, text: `${SECRET} ${'x'.repeat(RESULT_BYTES)}` }
      }
    })
    const chatty = work(t, engine, { async run(run) { await run.progress(SECRET) } })
    const executions = await Promise.all(ids.map(id => worker.finished(id)))
    const told = await chatty.finished((await enqueueAll(engine, chatty.taskName, [{}]))[0]!)

    t.equal(told.progress, SECRET)
    t.match(await engine.find([worker.taskName], ids[0]!), { status: 'failed', error: { message: SECRET } })
    t.match(await engine.find([worker.taskName], ids[1]!), { status: 'success', result: { index: 1 } })
    t.equal(executions.filter(({ status }) => status === 'success').length, EXECUTIONS - 1)
    for (const name of [worker.taskName, chatty.taskName]) {
      const { bytes, text } = kind === 'redis'
        ? await eventsOnRedis(url, `${(store as RedisStore).keyPrefix}:${engine.queueOf(name)}:events`)
        : await eventsOnSql(t, store as SqlStore)
      t.notMatch(text, SECRET)
      t.ok(bytes < MAX_EVENTS_BYTES, `${bytes} bytes`)
    }
  })
})

async function eventsOnRedis(url: string, key: string): Promise<{ bytes: number, text: string }> {
  const redis = new Redis(url)
  try {
    return { bytes: await redis.memory('USAGE', key) ?? 0, text: JSON.stringify(await redis.xrange(key, '-', '+')) }
  } finally {
    redis.disconnect()
  }
}

async function eventsOnSql(t: Test, store: SqlStore): Promise<{ bytes: number, text: string }> {
  const table = `${store.schema}_queue.event`
  const { rows } = await store.query<{ bytes: string }>('SELECT pg_total_relation_size($1) AS bytes', [table])
  const events = await store.query<object>(`SELECT * FROM ${table}`)
  t.equal(events.rows.length, 0)
  return { bytes: Number(rows[0]!.bytes), text: JSON.stringify(events.rows) }
}
