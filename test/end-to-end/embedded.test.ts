import t from 'tap'
import { embeddedUrl } from '../support/servers/stores.ts'
import { testEndToEnd } from './end-to-end.ts'

t.test('the dashboard shows what the handlers did, before and after a kill, on embedded', async t => {
  await testEndToEnd(t, await embeddedUrl(t))
})
