import t from 'tap'
import { postgresUrl } from '../support/servers/stores.ts'
import { testBadInput } from './bad-input.ts'

t.test('bad input gets a clear error and loses nothing on postgres', async t => {
  await testBadInput(t, await postgresUrl(t))
})
