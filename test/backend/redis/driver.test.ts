import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { packId } from '../../../lib/backend/redis/packed-id.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { outageContract, resultBackendContract } from '../../contracts/result-backend.ts'
import { makeExecution } from '../make-execution.ts'
import { redisUrl, startRedis, testNamespace } from '../../support/servers/stores.ts'

async function openStore(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}

t.test('attempts expire unless their execution finishes, and roll-ups of minutes expire', async t => {
  const store = await openStore(t, await redisUrl(t)) as RedisStore
  const backend = createResultBackend(store)
  await backend.start()
  const attempt = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null }
  const [finished, unfinished, late] = [makeExecution({ attempt: 2 }), makeExecution(), makeExecution()]
  await backend.recordAttempts([finished, unfinished].map(({ executionId, taskName }) => ({ executionId, taskName, attempt })))
  await backend.record([finished, late])
  await backend.recordAttempts([{ executionId: late.executionId, taskName: late.taskName, attempt }])
  const expiry = (key: string | Buffer) => store.client.ttl(Buffer.concat([Buffer.from(`${store.keyPrefix}:~`), Buffer.from(key)]))
  const attemptsOf = (executionId: string) => expiry(Buffer.concat([Buffer.from('attempts:'), packId(executionId)]))
  t.ok(await attemptsOf(unfinished.executionId) > 29 * 86_400)
  t.equal(await attemptsOf(finished.executionId), -1)
  t.equal(await attemptsOf(late.executionId), -1)
  const minute = await expiry(`minute:${Math.floor(finished.finishedAt / 60_000)}`)
  t.ok(minute > 47 * 3_600 && minute <= 48 * 3_600 + 60)
  for (const key of await store.client.keys('*')) t.ok(key.startsWith(`${store.keyPrefix}:~`), 'every key has the hash tag')
})

resultBackendContract(t, async t => openStore(t, await redisUrl(t)))
outageContract(t, async t => {
  const server = await startRedis(t)
  return { store: await openStore(t, server.url), server }
})
