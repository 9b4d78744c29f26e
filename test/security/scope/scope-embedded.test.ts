import t from 'tap'
import { embeddedUrl } from '../../support/servers/stores.ts'
import { testScope } from './scope-matrix.ts'

t.test('an identity with a scope finds no trace of other tasks on embedded', async t => {
  await testScope(t, () => embeddedUrl(t), true)
})
