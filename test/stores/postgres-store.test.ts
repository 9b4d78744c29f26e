import t from 'tap'
import { newStore, testLostServer, testStore } from '../contracts/store.ts'
import { postgresUrl, startPostgres } from '../support/stores.ts'

t.test('PostgreSQL', async t => testStore(t, postgresUrl))

t.test('PostgreSQL when it goes away', async t => testLostServer(t, startPostgres, 3_100))

t.test('several processes can start on an empty database at once', async t => {
  const url = await postgresUrl(t)
  const stores = Array.from({ length: 4 }, () => newStore(url, 'shared'))
  await Promise.all(stores.map(store => store.start()))
  await Promise.all(stores.map(store => store.stop()))
})
