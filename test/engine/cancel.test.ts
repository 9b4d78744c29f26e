import t from 'tap'
import { testCancel } from '../contracts/engine-cancel.ts'
import { startEngine } from '../contracts/engine-work.ts'
import { onEveryStore } from '../support/servers/stores.ts'

t.test('executions are cancelled on each store', t => onEveryStore(t, async (t, url) => {
  const { engine } = await startEngine(t, url)
  await testCancel(t, engine)
}))
