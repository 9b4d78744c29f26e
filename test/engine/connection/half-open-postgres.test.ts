import t from 'tap'
import { postgresUrl } from '../../support/servers/stores.ts'
import { testCutOff, testHalfOpen } from './half-open.ts'

// Both tests mostly wait, so they run at the same time.
t.jobs = 2

t.test('workers and reads reconnect to PostgreSQL when their connections go silent', t => testHalfOpen(t, postgresUrl))
t.test('the workers of a process cut off from PostgreSQL are not counted as active', t => testCutOff(t, postgresUrl))
