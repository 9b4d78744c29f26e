import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createStore } from '../../../lib/stores/create-store.ts'
import { aclRules } from '../../../lib/stores/redis/checks/needed-commands.ts'
import { resultBackendContract } from '../../contracts/result-backend.ts'
import { newStore, testLostServer, testStore } from '../../contracts/store.ts'
import { testEndToEnd } from '../../end-to-end/end-to-end.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { testNamespace } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'

const nodes = await startRedisCluster(t)

// Chance decides which node holds the keys of a test, and a third node would show nothing new.
for (const { url, port } of isSoak ? nodes : nodes.slice(1))
  t.test(`the contract holds on the node with port ${port}`, t => testStore(t, async () => url))

t.test('calls fail fast while a cluster is down or hangs', t => testLostServer(t, startCluster, 1_700))

t.test('the result backend keeps its contract on a cluster', async t => resultBackendContract(t, async t => {
  const store = createStore(nodes[0]!.url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}))

t.test('the dashboard shows what the handlers did, before and after a kill, on a cluster', t => testEndToEnd(t, nodes[1]!.url))

t.test('a database other than 0 is refused on a cluster', async t => {
  const store = newStore(`${nodes[0]!.url}/1`)
  t.teardown(() => store.stop())
  await t.rejects(store.start(), { code: 'STORE_UNSUITABLE', message: /only database 0/ })
})

t.test('a cluster can have a password, and no error reveals it', async t => {
  const [node] = await startRedisCluster(t, { password: 'right-secret' })
  const store = newStore(node!.url)
  await store.start()
  t.teardown(() => store.stop())
  await store.documents.put('fruits', 'apple', 1)
  t.equal((await store.documents.get('fruits', 'apple'))?.value, 1)

  const refused = newStore(node!.url.replace('right', 'wrong'))
  t.teardown(() => refused.stop())
  const error = await refused.start().catch((error: unknown) => error)
  t.match(error, { code: 'STORE_UNREACHABLE', message: /wrong user name or password/ })
  t.notMatch(inspect(error, { depth: 9, showHidden: true }), /wrong-secret/)
})

t.test('a user with the documented rights can start on every node, if it may run CLUSTER or INFO', async t => {
  const asUser = async (more: string) => {
    for (const { url } of nodes) {
      const admin = new Redis(url)
      await admin.call(
        'ACL', 'SETUSER', 'few', 'reset', 'on', '>secret', ...aclRules('broker', 'tasks').split(' '), ...more.split(' ').filter(Boolean)
      )
      admin.disconnect()
    }
    const stores = nodes.map(({ url }) => newStore(url.replace('redis://', 'redis://few:secret@'), 'tasks'))
    t.teardown(() => Promise.all(stores.map(store => store.stop())))
    return await Promise.allSettled(stores.map(async store => {
      await store.start()
      await store.documents.put('fruits', 'apple', 1)
    }))
  }
  t.same((await asUser('+cluster +info')).map(({ status }) => status), ['fulfilled', 'fulfilled', 'fulfilled'])
  const refused = (await asUser('')).filter(each => each.status === 'rejected')
  t.equal(refused.length, 2, 'not the node that holds the keys')
  const message = /a node of a cluster whose user may run neither INFO nor CLUSTER.*ACL SETUSER <its name> \+info \+cluster/
  for (const { reason } of refused) t.match(reason, { code: 'STORE_UNSUITABLE', message })
})

/** All nodes of a cluster, used like one server. */
async function startCluster(t: Test): Promise<TestServer> {
  const nodes = await startRedisCluster(t)
  const onAll = (change: (node: TestServer) => Promise<void>) => async () => { await Promise.all(nodes.map(change)) }
  return {
    ...nodes[0]!,
    start: onAll(node => node.start()),
    stop: onAll(node => node.stop()),
    kill: onAll(node => node.kill()),
    freeze() { for (const node of nodes) node.freeze() },
    thaw() { for (const node of nodes) node.thaw() }
  }
}
