import type { Test } from 'tap'
import type { Store } from '../../../lib/stores/store.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import type { TestServer } from '../../support/servers/stores.ts'
import { freshBackend } from './fresh-backend.ts'
import { assertUnavailable } from './unavailable.ts'
import { until } from './until.ts'

/** A backend whose datastore is stopped and restarted while it is in use. */
export function outageContract(t: Test, open: (t: Test) => Promise<{ store: Store; server: TestServer }>): void {
  t.test('calls reject in time after the datastore was killed, and work again once it is back', async t => {
    const { store, server } = await open(t)
    const backend = await freshBackend(store)
    const execution = makeExecution()
    await backend.record([execution])
    await server.kill()
    await assertUnavailable(t, backend, () => 1_600)
    await server.start()
    await until(() => backend.totals().then(() => true, () => false))
    t.strictSame(await backend.find(execution.executionId), execution)
    t.equal(await backend.record([execution, makeExecution()]), 1)
    t.equal((await backend.totals()).success, 2)
  })

  t.test('reads reject within 1.5 s and writes within 10 s while the datastore hangs', { timeout: 60_000 }, async t => {
    const { store, server } = await open(t)
    const backend = await freshBackend(store)
    const execution = makeExecution()
    server.freeze()
    t.teardown(() => server.thaw())
    const writes = ['record', 'recordAttempts', 'saveWatermarks', 'forgetSchedule', 'moveSchedule', 'prune', 'deleteExecutions']
    await assertUnavailable(t, backend, name => writes.includes(name) ? 10_000 : 1_500)
    server.thaw()
    await until(() => backend.totals().then(() => true, () => false))
    await until(() => backend.record([execution]).then(() => true, () => false))
    t.equal(await backend.record([execution]), 0)
    t.strictSame(await backend.find(execution.executionId), execution)
  })
}
