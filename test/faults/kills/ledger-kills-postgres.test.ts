import t from 'tap'
import { startPostgres } from '../../support/servers/stores.ts'
import { testLedgerKills } from './ledger-kills.ts'

t.test('the ledger on PostgreSQL is complete after kills, crashes and outages', { timeout: 1_500_000 }, async t => {
  await testLedgerKills(t, await startPostgres(t), await startPostgres(t))
})
