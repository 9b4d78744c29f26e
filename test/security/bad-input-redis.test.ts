import t from 'tap'
import { redisUrl } from '../support/servers/stores.ts'
import { testBadInput } from './bad-input.ts'

t.test('bad input gets a clear error and loses nothing on redis', async t => {
  await testBadInput(t, await redisUrl(t))
})
