import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { StoreOptions } from '../../../lib/stores/store.ts'
import { closedPort } from '../../support/servers/closed-port.ts'
import { startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const primary = await startRedis(t, { persistent: false })
const replica = await startRedis(t, { persistent: false, args: ['--replicaof', '127.0.0.1', String(primary.port)] })
const operator = new Redis(replica.url)
t.teardown(() => operator.disconnect())
await waitFor('the replica to follow', async () => /master_link_status:up/.test(await operator.info('replication')))

const READ_ONLY = /^The (?:broker|result backend) at redis:\S+ cannot be used: it is a read-only replica: use the address of the primary$/

t.test('start() refuses a read-only replica and says that the primary is needed', async t => {
  for (const role of ['broker', 'result backend'] as const)
    t.match(await startError(t, replica.url, role), { code: 'STORE_UNSUITABLE', message: READ_ONLY }, role)
})

t.test('a queue app whose backend is a read-only replica says so too', async t => {
  const queueApp = QueueApp.fromUrls({ broker: primary.url, backend: replica.url, namespace: testNamespace(), onError() {} })
  t.teardown(() => queueApp.stop())
  await t.rejects(queueApp.start(), { code: 'STORE_UNSUITABLE', message: READ_ONLY })
})

t.test('start() names a replica that lost its primary and serves no data', async t => {
  const lost = await startRedis(t, { persistent: false })
  const its = new Redis(lost.url)
  t.teardown(() => its.disconnect())
  await its.config('SET', 'replica-serve-stale-data', 'no')
  await its.replicaof('127.0.0.1', String(await closedPort(t)))
  for (const role of ['broker', 'result backend'] as const)
    t.match(await startError(t, lost.url, role), { code: 'STORE_UNSUITABLE', message: READ_ONLY }, role)
})

t.test('start() names a replica for a user who may not run INFO', async t => {
  await operator.call('ACL', 'SETUSER', 'plain', 'on', '>secret', 'allkeys', '+@all', '-info')
  const url = replica.url.replace('redis://', 'redis://plain:secret@')
  t.match(await startError(t, url, 'broker'), { code: 'STORE_UNSUITABLE', message: READ_ONLY })
})

t.test('a replica that was promoted starts', async t => {
  await operator.replicaof('NO', 'ONE')
  t.equal(await startError(t, replica.url, 'broker'), null)
})

async function startError(t: Test, url: string, role: StoreOptions['role']): Promise<Error | null> {
  const store = createStore(url, { namespace: testNamespace(), role, onError: error => { t.fail(error.message) } })
  try {
    await store.start()
    return null
  } catch (error) {
    return error as Error
  } finally {
    await store.stop()
  }
}
