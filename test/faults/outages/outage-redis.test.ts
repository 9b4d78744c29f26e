import t from 'tap'
import { startRedis } from '../../support/servers/stores.ts'
import { testOutages } from './outage.ts'

t.test('Redis outages are reported and survived', { timeout: 280_000 }, async t => {
  await testOutages(t, await startRedis(t), await startRedis(t))
})
