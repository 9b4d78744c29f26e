import t from 'tap'
import { newStore, testStore } from '../contracts/store.ts'
import { postgresUrl, startPostgres } from '../support/stores.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('PostgreSQL', async t => testStore(t, postgresUrl))

t.test('a server that is gone makes statements fail fast, and is used again when it is back', async t => {
  const server = await startPostgres(t)
  const store = newStore(server.url)
  await store.start()
  t.teardown(() => store.stop())
  await server.kill()
  const start = Date.now()
  await t.rejects(store.ping())
  await t.rejects(store.documents.get('c', 'a'))
  t.ok(Date.now() - start < 3_100)
  await server.start()
  t.ok(await waitFor('a ping', () => store.ping().catch(() => null)))
})

t.test('a server that hangs makes statements fail within 1.5 s', async t => {
  const server = await startPostgres(t)
  const store = newStore(server.url)
  await store.start()
  t.teardown(() => store.stop())
  server.freeze()
  t.teardown(server.thaw)
  const start = Date.now()
  await Promise.all([t.rejects(store.ping()), t.rejects(store.documents.get('c', 'a'))])
  t.ok(Date.now() - start < 1_900)
})

t.test('several processes can start on an empty database at once', async t => {
  const url = await postgresUrl(t)
  const stores = Array.from({ length: 4 }, () => newStore(url, 'shared'))
  await Promise.all(stores.map(store => store.start()))
  await Promise.all(stores.map(store => store.stop()))
})
