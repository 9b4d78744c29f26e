import t from 'tap'
import { redisUrl } from '../../support/servers/stores.ts'
import { testScope } from './scope-matrix.ts'

t.test('an identity with a scope finds no trace of other tasks on redis', async t => {
  await testScope(t, () => redisUrl(t))
})
