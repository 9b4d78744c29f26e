import t from 'tap'
import { postgresUrl } from '../support/stores.ts'
import { killOptions, testKills } from './schedule-kills.ts'

t.setTimeout(300_000)

t.test('schedules on PostgreSQL, with a process killed again and again', async t => testKills(t, await postgresUrl(t), killOptions))
