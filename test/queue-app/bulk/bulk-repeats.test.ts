import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { Engine } from '../../../lib/engine/engine.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { createDeleteExecutions } from '../../../lib/queue-app/operations/delete-execution.ts'
import { retryIdOf } from '../../../lib/queue-app/operations/retry-id.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { startEngine } from '../../contracts/engine-work.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { actingOn } from './bulk-order.ts'

const COUNT = 30

/*
 * A process can be frozen right after it checked that it holds the lease. The broker and the history do not check leases, so its changes
 * are still made, but late, and to the same items as those of the process that took over.
 */
t.test('a batch that a process does late, after another process has done it, has no effect', t => onEveryStore(t, async (t, url) => {
  const { engine, store } = await startEngine(t, url)
  const backend = createResultBackend(store)
  await backend.start()
  const deleteExecutions = createDeleteExecutions({ engine, backend })

  /** A process. With `frozenUntil`, it is frozen at each write until then. */
  function aProcess(frozenUntil?: Promise<unknown>) {
    const late = <Arguments extends unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        await frozenUntil
        return work(...given)
      }
    return createBulkActions({
      engine: { ...engine, cancel: late(engine.cancel) } satisfies Engine, enqueue: late(engine.enqueue), backend,
      deleteExecutions: late(deleteExecutions), argumentsOf: async ({ args }) => args ?? [],
      policyOf: async () => ({ retries: 0, backoff: { type: 'fixed', delayMs: 0 } } as never)
    })
  }
  async function bothDo(action: 'retry' | 'cancel' | 'delete', ids: readonly string[]) {
    const items = ids.map(id => [id, 0] as const)
    let wake = (): void => {}
    const frozen = aProcess(new Promise<void>(resolve => { wake = resolve })).settle(actingOn(action), items)
    const second = await aProcess().settle(actingOn(action, { isFirstAttempt: false }), items)
    wake()
    return { second, late: await frozen.catch(() => null) }
  }

  const originals = Array.from({ length: COUNT }, () =>
    makeExecution({ executionId: randomUUID(), taskName: 'a', queue: 'a', status: 'failed' }))
  const ids = originals.map(each => each.executionId)
  await backend.record(originals)
  const retried = await bothDo('retry', ids)
  for (const outcomes of Object.values(retried)) t.ok(outcomes?.every(([, , outcome]) => outcome === 'done'))
  t.same((await engine.counts(['a'])).get('a'), { pending: COUNT, running: 0 }, 'each is retried once')
  t.equal((await engine.requestIdsOf('a', ids.map(retryIdOf))).size, COUNT)

  const cancelled = await bothDo('cancel', ids.map(retryIdOf))
  for (const outcomes of Object.values(cancelled)) t.ok(outcomes?.every(([, , outcome]) => outcome === 'done'))
  t.same((await engine.counts(['a'])).get('a'), { pending: 0, running: 0 })
  const { executions } = await backend.list({ status: 'cancelled', order: 'newest', limit: 100 })
  t.same(executions.map(each => each.executionId).sort(), ids.map(retryIdOf).sort(), 'each is recorded once')

  const before = await backend.totals()
  const deleted = await bothDo('delete', ids)
  t.ok(deleted.second.every(([, , outcome]) => outcome === 'done'))
  t.same(await backend.findMany(ids), [])
  t.same(await backend.totals(), before, 'nothing is counted twice')
}))
