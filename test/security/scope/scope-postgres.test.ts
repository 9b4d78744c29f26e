import t from 'tap'
import { postgresUrl } from '../../support/servers/stores.ts'
import { testScope } from './scope-matrix.ts'

t.test('an identity with a scope finds no trace of other tasks on postgres', async t => {
  await testScope(t, () => postgresUrl(t))
})
