import t from 'tap'
import { postgresUrl } from '../../support/stores.ts'
import { testCutOff, testHalfOpen } from './half-open.ts'

t.test('workers and reads find another connection to PostgreSQL when theirs fall silent', t => testHalfOpen(t, postgresUrl))
t.test('a process that is cut off from PostgreSQL does not count', t => testCutOff(t, postgresUrl))
