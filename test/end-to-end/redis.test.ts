import t from 'tap'
import { redisUrl } from '../support/servers/stores.ts'
import { testEndToEnd } from './end-to-end.ts'

t.test('the dashboard shows what the handlers did, before and after a kill, on redis', async t => {
  await testEndToEnd(t, await redisUrl(t))
})
