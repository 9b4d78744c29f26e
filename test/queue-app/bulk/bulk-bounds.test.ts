import t from 'tap'
import { requireTasks } from '../../../lib/dashboard/resources/bulk/touched-tasks-reader.ts'
import { createBulk } from '../../../lib/queue-app/bulk/create-bulk.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/bulk-matches.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { ORDER } from './bulk-order.ts'

t.test('large arguments are enqueued in several calls', async t => {
  const calls: number[] = []
  const retries = new Map<string, string>()
  const actions = createBulkActions({
    engine: { requestIdsOf: async () => retries },
    async enqueue(requests: Array<{ executionId: string }>) {
      calls.push(requests.length)
      for (const { executionId } of requests) retries.set(executionId, 'one')
    },
    backend: {
      missing: async (ids: string[]) => ids,
      findMany: async (ids: string[]) => ids.map(executionId => ({ executionId, taskName: 'a', status: 'failed' }))
    },
    argumentsOf: async () => ['x'.repeat(3 * 2 ** 20)], policyOf: async () => ({})
  } as unknown as Parameters<typeof createBulkActions>[0])
  const items = Array.from({ length: 9 }, (_, index) => [`id${index}`, 0] as const)
  const settled = await actions.settle({ operationId: 'one', order: ORDER, taskNames: ['a'], async stillHeld() {} }, items)
  t.same(calls, [3, 3, 3])
  t.ok(settled.every(([, , outcome]) => outcome === 'done'))
})

t.test('a dry run does not wait for a slow count or sample, and an unavailable store fails it', async t => {
  let count = (): Promise<unknown> => new Promise(() => {})
  let sample = (): Promise<unknown> => new Promise(() => {})
  const { preview } = createBulk({
    matches: { count: () => count(), sample: () => sample() }, now: async () => 5
  } as unknown as Parameters<typeof createBulk>[0])
  const request = { action: 'retry' as const, filter: {}, taskNames: ['a'], tasksLeftOut: 0 }
  t.match(await preview(request), { count: { value: 0, relation: 'at_least' }, sample: [], token: String })
  count = async () => ({ value: 7, relation: 'exact' })
  t.match(await preview(request), { count: { value: 7, relation: 'exact' }, sample: [] })
  sample = async () => []
  count = async () => { throw new Error('away') }
  await t.rejects(preview(request), /away/)
})

t.test('a dry run looks up each execution that is named once', async t => {
  const asked: string[] = []
  const matches = createBulkMatches({
    async find(executionId: string) {
      asked.push(executionId)
      return { executionId, taskName: 'a', status: 'failed', finishedAt: Number(executionId), args: [] }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const { preview } = createBulk({ matches, now: async () => 9 } as unknown as Parameters<typeof createBulk>[0])
  const answer = await preview({ action: 'retry', filter: { executionIds: ['3', '5', '9'] }, taskNames: ['a'], tasksLeftOut: 0 })
  t.same(answer.count, { value: 2, relation: 'exact' }, 'one is newer')
  t.same(answer.sample.map(({ executionId }) => executionId), ['5', '3'], 'newest first')
  t.same(asked, ['3', '5', '9'])
})

t.test('no task is left out because the broker is unavailable', async t => {
  const { taskNames } = createBulk({
    taskNames: async () => { throw new Error('away') }, backend: { taskTotals: async () => new Map([['a', {}]]) }
  } as unknown as Parameters<typeof createBulk>[0])
  await t.rejects(taskNames({ action: 'retry', filter: {} }), /away/)
})

t.test('to undo a resolution is to reopen', async t => {
  const mayResolve = async (action: string) => action !== 'failures:reopen'
  await t.resolves(requireTasks(mayResolve, 'resolve', ['a'], false))
  await t.rejects(requireTasks(mayResolve, 'resolve', ['a'], true), { code: 'FORBIDDEN', message: /failures:reopen/ })
  await t.resolves(requireTasks(mayResolve, 'retry', ['a'], true))
})
