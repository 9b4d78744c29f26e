import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import { QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import { onEveryStore, redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const FITS = ['x'.repeat(199_000), { token: null }]
const TOO_LARGE = ['x'.repeat(201_000)]

t.test('a retry runs with arguments up to retention.failed.argsBytes that the broker lost', t => onEveryStore(t, async (t, backend) => {
  const broker = await redisUrl(t)
  const got: unknown[][] = []
  const open = async (options: QueueAppOptions) => {
    const queueApp = QueueApp.fromUrls({ broker, backend, retention: { failed: { argsBytes: 200_000 } }, ...options })
    queueApp.task('bill', (...args: unknown[]) => {
      got.push(args)
      if (got.length <= 2) throw new Error('no connection')
    })
    await queueApp.start()
    t.teardown(() => queueApp.stop())
    return queueApp
  }
  const first = await open({ redact: { paths: ['args.*.password'], seal: { key: randomBytes(32) } } })
  const [fits, tooLarge] = [await first.enqueue('bill', FITS), await first.enqueue('bill', TOO_LARGE)]
  await waitFor('their failures', async () => (await first.monitoring.executions({ status: 'failed' })).executions.length === 2)
  t.strictSame((await first.monitoring.execution(fits))?.truncated, [])
  t.strictSame((await first.monitoring.execution(tooLarge))?.truncated, ['/args'])

  const redis = new Redis(broker)
  t.teardown(() => { redis.disconnect() })
  const jobs = await redis.keys('*:bill:*')
  await redis.del(jobs.filter(key => /[0-9a-f-]{36}$/.test(key)))
  // Only one process at a time may open the embedded store.
  await first.stop()
  const without = await open({ redact: { seal: { key: randomBytes(32) } } })
  await t.rejects(without.operations.retryExecution(tooLarge), { code: 'ARGUMENTS_NOT_KEPT' }, 'its seal needs the key of the first')
  await without.operations.retryExecution(fits)
  await waitFor('the retry', async () => got.length === 3)
  t.strictSame(got[2], FITS, 'they were whole in the history, so nothing was sealed')
}))
