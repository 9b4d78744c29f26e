import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createBullmqEngine } from '../../../lib/engine/bullmq-engine.ts'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { newStore } from '../../contracts/store.ts'
import { redisUrl } from '../../support/servers/stores.ts'

t.test('an execution is unconfirmed if the client resolves without a response to its command', async t => {
  const store = newStore(await redisUrl(t)) as RedisStore
  await store.start()
  const engine = createBullmqEngine(store)
  t.teardown(async () => {
    await engine.stop()
    await store.stop()
  })
  await engine.start()
  const request = {
    executionId: randomUUID(), taskName: 'count', args: [], maxAttempts: 1, backoff: fixedDelay(1), delayMs: 0, priority: 0,
    scheduleId: null, retryOf: null
  }
  const pipeline = store.client.pipeline.bind(store.client)
  store.client.pipeline = (...commands: Parameters<typeof pipeline>) => Object.assign(pipeline(...commands), { exec: async () => [] })
  await t.rejects(engine.enqueue([request]), { code: 'UNCONFIRMED', unconfirmedIds: [request.executionId] })
  store.client.pipeline = pipeline
  await engine.enqueue([request])
  t.equal((await engine.find(['count'], request.executionId))?.executionId, request.executionId)
})
