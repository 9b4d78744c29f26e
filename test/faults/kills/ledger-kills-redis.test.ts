import t from 'tap'
import { startRedis } from '../../support/servers/stores.ts'
import { testLedgerKills } from './ledger-kills.ts'

/**
 * The usual setting: a crash of the process loses nothing acknowledged. A crash of the machine may lose a second, which is not tested here.
 */
const EVERY_SECOND = { args: ['--appendfsync', 'everysec'] }

t.test('the ledger on Redis is complete after kills, crashes and outages', { timeout: 1_500_000 }, async t => {
  await testLedgerKills(t, await startRedis(t, EVERY_SECOND), await startRedis(t, EVERY_SECOND))
})
