import t from 'tap'
import { testEngine } from '../contracts/engine.ts'
import { testOutage } from '../contracts/engine-outage.ts'
import { postgresUrl, startPostgres } from '../support/stores.ts'

t.test('the engine on PostgreSQL', async t => testEngine(t, postgresUrl))
t.test('PostgreSQL that goes away', async t => testOutage(t, startPostgres))
