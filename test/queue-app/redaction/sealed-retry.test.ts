import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp, type RedactOptions } from '../../../lib/index.ts'
import { dumpPostgres, dumpRedis } from '../../support/servers/dump-store.ts'
import { postgresUrl, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const TOKEN = 'tk-4f9a77c1'
const KEY = randomBytes(32).toString('base64')
const ARGS = [{ token: TOKEN, invoice: 'marker-7' }]
const LARGE = ['marker-large', 'x'.repeat(100_000)]

const stores = {
  redis: { url: redisUrl, dump: dumpRedis, forgetJobs: forgetRedisJobs },
  postgres: { url: postgresUrl, dump: dumpPostgres, forgetJobs: forgetPostgresJobs }
}

for (const [kind, { url, dump, forgetJobs }] of Object.entries(stores)) {
  t.test(`with a seal, a retry runs with real arguments that only the seal still holds, on ${kind}`, async t => {
    const [broker, backend] = [await url(t), await url(t)]
    const got: unknown[][] = []
    const open = (redact: RedactOptions) => start(t, broker, backend, redact, got)
    const paths = ['args.*.token']
    const first = await open({ paths, seal: { key: KEY } })
    const [hidden, large, whole] = await Promise.all([ARGS, LARGE, ['marker-whole']].map(args => failed(first, args)))
    await first.stop()
    await forgetJobs(broker)
    const kept = await dump(backend)
    for (const marker of ['marker-7', 'marker-large', 'marker-whole', '[redacted]']) t.ok(kept.includes(marker), marker)
    t.notOk(kept.includes(TOKEN), 'the result backend does not show it')
    t.equal(kept.match(/v1\.[0-9a-f]{16}\./g)?.length, 2, 'what is whole in the history has no seal')

    const without = await open({ paths })
    await t.rejects(without.operations.retryExecution(hidden!), { code: 'ARGUMENTS_NOT_KEPT', message: /key with the id [0-9a-f]{16}/ })
    await without.stop()

    const rotated = await open({ paths, seal: { key: randomBytes(32), earlierKeys: [KEY] } })
    t.match(await rotated.monitoring.execution(hidden!), { args: [{ token: '[redacted]', invoice: 'marker-7' }] }, 'nobody can read it')
    t.same((await rotated.monitoring.executions({ search: TOKEN })).executions, [], 'nor find it')
    got.length = 0
    for (const [id, args] of [[hidden!, ARGS], [large!, LARGE], [whole!, ['marker-whole']]] as const) {
      const { executionId } = await rotated.operations.retryExecution(id)
      await ended(rotated, executionId)
      t.strictSame(got.at(-1), args)
    }
    t.equal(got.length, 3)
  })
}

t.test('with redact.with, the arguments are sealed although the record does not show that they were changed', async t => {
  const [broker, backend] = [await redisUrl(t), await redisUrl(t)]
  const got: unknown[][] = []
  const redact: RedactOptions = {
    with: (field, value) => field === 'args' ? JSON.parse(JSON.stringify(value).replaceAll(TOKEN, 'somebody')) as unknown : value,
    seal: { key: KEY }
  }
  const queueApp = await start(t, broker, backend, redact, got)
  const original = await failed(queueApp, ARGS)
  await forgetRedisJobs(broker)
  t.match(await queueApp.monitoring.execution(original), { args: [{ token: 'somebody' }] })
  const { executionId } = await queueApp.operations.retryExecution(original)
  await ended(queueApp, executionId)
  t.strictSame(got.at(-1), ARGS)
})

async function start(t: Test, broker: string, backend: string, redact: RedactOptions, got: unknown[][]): Promise<QueueApp> {
  const queueApp = QueueApp.fromUrls({ broker, backend, redact })
  queueApp.task('bill', async (...args: unknown[]) => {
    got.push(args)
    throw new Error('no connection')
  })
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  return queueApp
}

async function failed(queueApp: QueueApp, args: readonly unknown[]): Promise<string> {
  const executionId = await queueApp.enqueue('bill', args)
  await ended(queueApp, executionId)
  return executionId
}

/** Waits for its record in the history. */
async function ended(queueApp: QueueApp, executionId: string): Promise<void> {
  await waitFor(`the record of ${executionId}`, async () =>
    (await queueApp.monitoring.executions({ status: 'failed' })).executions.some(execution => execution.executionId === executionId))
}

async function forgetRedisJobs(url: string): Promise<void> {
  const redis = new Redis(url)
  for (const key of await redis.keys('*:bill:*')) await redis.del(key)
  redis.disconnect()
}

async function forgetPostgresJobs(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('DELETE FROM tasks_queue.job')
  await client.end()
}
