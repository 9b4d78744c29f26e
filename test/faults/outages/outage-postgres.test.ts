import t from 'tap'
import { startPostgres } from '../../support/servers/stores.ts'
import { testOutages } from './outage.ts'

t.test('PostgreSQL outages are reported and survived', { timeout: 280_000 }, async t => {
  await testOutages(t, await startPostgres(t), await startPostgres(t))
})
