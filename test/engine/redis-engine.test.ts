import t from 'tap'
import { testEngine } from '../contracts/engine.ts'
import { testOutage } from '../contracts/engine-outage.ts'
import { redisUrl, startRedis } from '../support/stores.ts'

t.test('the engine on Redis', async t => testEngine(t, redisUrl))
t.test('Redis that goes away', async t => testOutage(t, startRedis))
