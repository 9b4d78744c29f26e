import t from 'tap'
import { postgresUrl } from '../../support/servers/stores.ts'
import { killOptions, testKills } from './schedule-kills.ts'

t.setTimeout(300_000)

t.test('repeated kills lose or repeat no due run on PostgreSQL', async t => testKills(t, await postgresUrl(t), killOptions))
