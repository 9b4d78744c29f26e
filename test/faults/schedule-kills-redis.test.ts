import t from 'tap'
import { redisUrl } from '../support/stores.ts'
import { killOptions, testKills } from './schedule-kills.ts'

t.setTimeout(300_000)

t.test('schedules on Redis, with a process killed again and again', async t => testKills(t, await redisUrl(t), killOptions))
