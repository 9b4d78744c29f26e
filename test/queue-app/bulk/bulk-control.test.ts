import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { BulkOperation } from '../../../schemas/bulk.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import type { BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import { waitFor } from '../../support/wait-for.ts'
import { FLAKY, openBulk } from './bulk-app.ts'
import { ORDER } from './bulk-order.ts'
import { startRunner } from './start-runner.ts'

t.test('suspend, resume, abort and undo work, and refusals name the state', t => onEveryStore(t, async (t, url) => {
  const { post, change, until, items, fail, queueApp } = await openBulk(t, url)
  await fail(30)
  await queueApp.operations.pauseQueue(FLAKY)
  const started = await post({ action: 'retry', filter: { task_name: FLAKY }, dry_run: false, rate: 10 })
  t.equal(started.statusCode, 202, started.body)
  const { operation_id: id } = started.json<BulkOperation>()
  t.match((await change(id, 'suspend')).json(), { state: 'suspended', changed_by: 'ada' })
  t.match((await change(id, 'undo')).json<Problem>(), { status: 409, code: 'BULK_STATE', detail: /suspended/ })
  t.match((await change(id, 'resume')).json(), { state: 'running' })
  t.match((await until(id, 'done')).progress, { items: 30, done: 30 })
  t.match((await change(id, 'abort')).json<Problem>(), { status: 409, code: 'BULK_STATE', detail: /done/ })
  t.match((await change(id, 'undo')).json(), { state: 'undoing' })
  t.match((await until(id, 'undone')).progress, { items: 30, done: 0, undone: 30 })
  t.ok((await items(id)).every(item => item.outcome === 'undone' && item.made_execution_id === null))
  const again = (await post({ action: 'retry', filter: { task_name: FLAKY }, dry_run: false })).json<BulkOperation>()
  t.match((await until(again.operation_id, 'done')).progress, { done: 30 }, 'what was taken back can be retried')

  const cancel = (await post({ action: 'cancel', filter: { task_name: FLAKY }, dry_run: false, reason: 'x' })).json<BulkOperation>()
  t.match((await until(cancel.operation_id, 'done')).progress, { items: 30, done: 30 })
  t.match((await change(cancel.operation_id, 'undo')).json<Problem>(), { status: 409, code: 'BULK_STATE' })
  const resolve = (await post({ action: 'resolve', filter: { task_name: FLAKY }, dry_run: false })).json<BulkOperation>()
  t.match((await until(resolve.operation_id, 'done')).progress, { items: 1, done: 1 })
  const remove = (await post({ action: 'delete', filter: { task_name: FLAKY, status: 'failed' }, dry_run: false })).json<BulkOperation>()
  t.match((await until(remove.operation_id, 'done')).progress, { items: 30, done: 30 })
}))

t.test('a suspended operation continues as soon as it is resumed, and ends as soon as it is aborted', async t => {
  const orders = { one: { ...ORDER, wanted: 'suspend' as BulkOrder['wanted'] } }
  const steps: Array<{ wanted: string; at: number }> = []
  const runner = startRunner(t, {
    open: new Set(['one']),
    records: { ordersOf: async () => [{ ...orders.one }] },
    async step(_job, { wanted }) {
      await sleep(5)
      steps.push({ wanted, at: performance.now() })
      return { is: wanted === 'suspend' ? 'idle' : wanted === 'run' ? 'busy' : 'over', items: 0 }
    }
  })
  await waitFor('the operation to be seen', async () => steps.length > 0)
  for (const wanted of ['run', 'suspend', 'abort'] as const) {
    const changedAt = performance.now()
    orders.one = { ...orders.one, wanted }
    runner.notice()
    await waitFor(`it to ${wanted}`, async () => steps.at(-1)!.wanted === wanted)
    t.ok(steps.find(step => step.wanted === wanted && step.at >= changedAt)!.at - changedAt < 1_000, `${wanted} within a second`)
  }
})
