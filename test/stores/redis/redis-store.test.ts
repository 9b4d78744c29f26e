import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import t from 'tap'
import { Redis } from 'ioredis'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { SERVER_PATIENCE_MS } from '../../../lib/time/budgets.ts'
import { newStore, testBlockedStart, testLostServer, testStore } from '../../contracts/store.ts'
import { blockProcess } from '../../support/block-process.ts'
import { redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('Redis keeps the contract of stores', async t => testStore(t, redisUrl))

t.test('calls fail fast while Redis is down or hangs', async t => testLostServer(t, startRedis, 1_700))

t.test('a process that is blocked while it starts is connected later', async t => testBlockedStart(t, redisUrl))

t.test('a response that arrives while the process is blocked is not too late', async t => {
  const store = newStore(await redisUrl(t)) as RedisStore
  t.teardown(() => store.stop())
  await store.start()
  const responses = [store.client.set('key', 'value'), store.client.pipeline().get('key').exec()]
  await setImmediate()
  blockProcess(SERVER_PATIENCE_MS + 500)
  t.same(await Promise.all(responses), ['OK', [[null, 'value']]])
})

t.test('stop() also stops duplicates of its clients, which would keep reconnecting', async t => {
  const server = await startRedis(t)
  const store = newStore(server.url) as RedisStore
  await store.start()
  const duplicate = (store.patientClient as Redis).duplicate()
  duplicate.on('error', () => {})
  await duplicate.connect()
  await server.kill()
  await waitFor('it to look for the server', async () => duplicate.status === 'reconnecting')
  await store.stop()
  let attempts = 0
  duplicate.on('connecting', () => { attempts++ })
  // Otherwise it would try at least once a second.
  await sleep(2_500)
  t.equal(attempts, 0)
})

t.test('an eviction policy that drops executions causes a warning', async t => {
  const server = await startRedis(t)
  const redis = new Redis(server.url)
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  redis.disconnect()
  const warnings: string[] = []
  const store = createStore(server.url, { namespace: 'tasks', role: 'broker', onError: error => warnings.push(error.message) })
  await store.start()
  await store.stop()
  t.match(warnings[0], /allkeys-lru.*noeviction/)
})

t.test('no error reveals a refused password', async t => {
  const server = await startRedis(t, { password: 'right' })
  const store = newStore(server.url.replace('right', 'wrong-secret'))
  t.teardown(() => store.stop())
  const error = await store.start().catch((error: unknown) => error)
  t.match(error, { code: 'STORE_UNREACHABLE', message: /wrong user name or password/ })
  t.notMatch(inspect(error, { depth: 9, showHidden: true }), /wrong-secret/)
})

t.test('no error reveals a password that was changed while the server runs', async t => {
  const server = await startRedis(t, { password: 'right-secret' })
  const errors: Error[] = []
  const store = createStore(server.url, { namespace: 'tasks', role: 'broker', onError: error => errors.push(error) })
  await store.start()
  t.teardown(() => store.stop())
  const admin = new Redis(server.url)
  await admin.config('SET', 'requirepass', 'another')
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'no', 'TYPE', 'normal').catch(() => {})
  admin.disconnect()
  await waitFor('the refusal', async () => errors.find(({ message }) => /WRONGPASS|NOAUTH/.test(message)))
  t.notMatch(inspect(errors, { depth: 9, showHidden: true }), /right-secret/)
})
