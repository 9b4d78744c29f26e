import t from 'tap'
import { redisUrl } from '../../support/servers/stores.ts'
import { testCutOff, testHalfOpen } from './half-open.ts'

// Both tests mostly wait, so they run at the same time.
t.jobs = 2

t.test('workers and reads reconnect to Redis when their connections go silent', t => testHalfOpen(t, redisUrl))
t.test('the workers of a process cut off from Redis are not counted as active', t => testCutOff(t, redisUrl))
