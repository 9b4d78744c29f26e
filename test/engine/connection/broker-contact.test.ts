import type { IQueueBackend } from 'bullmq'
import { Redis } from 'ioredis'
import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import { keepContact } from '../../../lib/engine/connection/broker-contact.ts'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** When the execution is due: late enough to find the worker waiting for it. */
const DUE_AFTER_MS = 2_000
/** The limit for a late start. BullMQ by itself waits 10 s. */
const LATE_MS = 6_000

t.test('a worker whose blocking wait is cut off still takes an execution soon after it is due', async t => {
  const server = await startRedis(t, { persistent: false })
  const admin = new Redis(server.url)
  t.teardown(() => admin.disconnect())
  const store = newStore(server.url) as RedisStore
  await store.start()
  const engine = createBullmqEngine(store)
  await engine.start()
  t.teardown(async () => {
    await engine.stop({ graceMs: 0 })
    await store.stop()
  })
  let ranAt: number | undefined
  engine.work({
    taskName: 'quiet', concurrency: 1, workerId: 'w', maxLosses: 1, timeoutMs: null,
    processor: { type: 'io', async run() { ranAt ??= Date.now() } },
    onFinished() {}, onAttemptFailed() {}, onError() {}
  })
  const waiting = async (): Promise<string | undefined> => {
    const clients = (await admin.client('LIST') as string).split('\n')
    return clients.find(client => client.includes('cmd=bzpopmin'))?.match(/\bid=(\d+)/)?.[1]
  }
  await waitFor('the worker to wait', waiting)
  const dueAt = Date.now() + DUE_AFTER_MS
  await engine.enqueue([{
    executionId: 'one', taskName: 'quiet', args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: DUE_AFTER_MS, priority: 0,
    scheduleId: null, retryOf: null
  }])
  await waitFor('the worker to take the marker', async () => await admin.exists(`${store.keyPrefix}:quiet:marker`) === 0)
  const client = await waitFor('the worker to wait for the due time', waiting)
  // As on a primary that becomes a replica.
  t.equal(await admin.client('UNBLOCK', client, 'ERROR'), 1)
  await waitFor('it to run', async () => ranAt !== undefined)
  t.ok(ranAt! - dueAt < LATE_MS, `${ranAt! - dueAt} ms late`)
})

t.test('after an error a worker requests a job before it waits again, and pauses while requests are refused', async t => {
  const calls: string[] = []
  let refuses: readonly string[] = []
  const call = <Result>(name: string, result: Result) => async (): Promise<Result> => {
    calls.push(name)
    if (refuses.includes(name)) throw new Error('READONLY You can\'t write against a read only replica.')
    return result
  }
  const backend = {
    waitForJob: call('wait', { member: '0', score: 0 }), moveToActive: call('ask', []), moveStalledJobsToWait: async () => []
  } as unknown as IQueueBackend
  const { abandoned } = keepContact(backend)
  t.teardown(() => abandoned.abort())

  t.same(await backend.waitForJob(1), { member: '0', score: 0 })
  refuses = ['wait', 'ask']
  await t.rejects(backend.waitForJob(1))
  const begun = performance.now()
  for (let time = 0; time < 3; time++) {
    t.equal(await backend.waitForJob(1), null, 'it does not wait')
    await t.rejects(backend.moveToActive('token'))
  }
  t.ok(performance.now() - begun > 50 + 100 + 200 - 10, 'each pause is longer: 50, 100 and 200 ms')
  refuses = []
  t.equal(await backend.waitForJob(1), null)
  await backend.moveToActive('token')
  t.same(await backend.waitForJob(1), { member: '0', score: 0 }, 'it waits again after a response')
  t.same(calls, ['wait', 'wait', 'ask', 'ask', 'ask', 'ask', 'wait'])
  refuses = ['wait']
  const again = performance.now()
  for (let time = 0; time < 3; time++) {
    await t.rejects(backend.waitForJob(1))
    await backend.moveToActive('token')
  }
  t.ok(performance.now() - again > 100 + 200 - 10, 'it also pauses if only the wait is refused')
})
