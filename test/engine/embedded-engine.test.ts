import t from 'tap'
import { testEngine } from '../contracts/engine.ts'
import { embeddedUrl } from '../support/servers/stores.ts'

t.test('the engine keeps its contract on the embedded store', async t => testEngine(t, embeddedUrl))
