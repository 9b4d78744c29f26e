import t from 'tap'
import { redisUrl } from '../../support/servers/stores.ts'
import { killOptions, testKills } from './schedule-kills.ts'

t.setTimeout(300_000)

t.test('no due run is lost or repeated by repeated kills on Redis', async t => testKills(t, await redisUrl(t), killOptions))
