import t from 'tap'
import { startRedis } from '../../support/servers/stores.ts'
import { testLedgerKills } from './ledger-kills.ts'

// With `appendfsync everysec`, a crash can lose two seconds of acknowledged writes while the disk is slow. The default here is `always`.
t.test('the ledger on Redis is complete after kills, crashes and outages', { timeout: 1_500_000 }, async t => {
  await testLedgerKills(t, await startRedis(t), await startRedis(t))
})
