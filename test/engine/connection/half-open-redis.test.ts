import t from 'tap'
import { redisUrl } from '../../support/stores.ts'
import { testCutOff, testHalfOpen } from './half-open.ts'

t.test('workers and reads find another connection to Redis when theirs fall silent', t => testHalfOpen(t, redisUrl))
t.test('a process that is cut off from Redis does not count', t => testCutOff(t, redisUrl))
