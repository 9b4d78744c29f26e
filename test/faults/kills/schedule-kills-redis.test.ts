import t from 'tap'
import { redisUrl } from '../../support/servers/stores.ts'
import { killOptions, testKills } from './schedule-kills.ts'

t.setTimeout(300_000)

t.test('repeated kills lose or repeat no due run on Redis', async t => testKills(t, await redisUrl(t), killOptions))
