import t from 'tap'
import { embeddedUrl } from '../support/servers/stores.ts'
import { testBadInput } from './bad-input.ts'

t.test('bad input gets a clear error and loses nothing on embedded', async t => {
  await testBadInput(t, await embeddedUrl(t))
})
