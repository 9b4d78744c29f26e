import t from 'tap'
import { startRedis } from '../support/stores.ts'
import { testLedgerKills } from './ledger-kills.ts'

/**
 * The common setting: a crash of the process loses nothing that was acknowledged, one of the machine up to a second, which this does not
 * test.
 */
const EVERY_SECOND = { args: ['--appendfsync', 'everysec'] }

t.test('the ledger on Redis is complete, whoever dies', { timeout: 1_500_000 }, async t => {
  await testLedgerKills(t, await startRedis(t, EVERY_SECOND), await startRedis(t, EVERY_SECOND))
})
