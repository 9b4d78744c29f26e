import t from 'tap'
import { requireTasks } from '../../../lib/dashboard/resources/bulk/touched-tasks-reader.ts'
import { createBulk } from '../../../lib/queue-app/bulk/create-bulk.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/matching/bulk-matches.ts'
import { resolveFilter } from '../../../lib/queue-app/bulk/matching/bulk-filter.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { createBulkRecords } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { actingOn } from './bulk-order.ts'

t.test('large arguments are enqueued in several calls', async t => {
  const calls: number[] = []
  const retries = new Map<string, string>()
  const actions = createBulkActions({
    engine: { requestIdsOf: async () => retries, gentleBatch: 100 },
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
  const settled = await actions.settle(actingOn('retry'), items)
  t.same(calls, [3, 3, 3])
  t.ok(settled.every(([, , outcome]) => outcome === 'done'))
})

t.test('a dry run does not wait for a slow count or sample, and an unavailable store fails it', async t => {
  let count = (): Promise<unknown> => new Promise(() => {})
  let sample = (): Promise<unknown> => new Promise(() => {})
  const { preview } = createBulk({
    matches: { count: () => count(), sample: () => sample(), named: async () => null }, now: async () => 5
  } as unknown as Parameters<typeof createBulk>[0])
  const request = { action: 'retry' as const, filter: {}, taskNames: ['a'], tasksLeftOut: 0 }
  t.match(await preview(request), { count: { value: 0, relation: 'at_least' }, sample: [], token: String })
  count = async () => ({ value: 7, relation: 'exact' })
  t.match(await preview(request), { count: { value: 7, relation: 'exact' }, sample: [] })
  sample = async () => []
  count = async () => { throw new Error('away') }
  await t.rejects(preview(request), /away/)
})

t.test('a dry run looks up each named execution once, and reads no payloads', async t => {
  const asked: unknown[] = []
  const matches = createBulkMatches({
    backend: {
      async findMany(executionIds: string[], options: unknown) {
        asked.push([executionIds, options])
        return executionIds.map(executionId => ({ executionId, taskName: 'a', status: 'failed', finishedAt: Number(executionId) }))
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const { preview } = createBulk({ matches, now: async () => 9 } as unknown as Parameters<typeof createBulk>[0])
  const answer = await preview({ action: 'retry', filter: { executionIds: ['3', '5', '9'] }, taskNames: ['a', 'b'], tasksLeftOut: 0 })
  t.same(answer.count, { value: 3, relation: 'exact' }, 'including one that is newer by the clock of its worker')
  t.equal(answer.taskCount, 1, 'all are of one task')
  t.same(answer.sample.map(({ executionId }) => executionId), ['9', '5', '3'], 'newest first')
  t.same(asked, [[['3', '5', '9'], { payloads: false }]])
})

t.test('an operation says so if looking up its executions takes too long', async t => {
  const records = createBulkRecords(createMemoryDocuments())
  let named: () => Promise<{ executions: unknown[]; unread: string[] }> = () => new Promise(() => {})
  const { create, list } = createBulk({
    records, matches: { count: async () => (await named()).executions.length, named: () => named() }, now: async () => 5,
    runner: { notice() {}, waitingFor: () => null }
  } as unknown as Parameters<typeof createBulk>[0])
  const start = {
    action: 'retry' as const, filter: { executionIds: ['a', 'b'] }, taskNames: ['one', 'two'], tasksLeftOut: 0, executionsLeftOut: 3
  }
  const slow = { executionCount: 2, areExecutionsChecked: false, count: { value: 0, relation: 'at_least' }, taskCount: 2 }
  t.match(await create(start), { ...slow, executionsLeftOut: 3, filter: { executionIds: ['a', 'b'] } })
  t.match((await list()).items, [slow])
  named = async () => ({ executions: [{ executionId: 'b', taskName: 'two' }], unread: [] })
  t.match(await create(start), {
    executionCount: 1, areExecutionsChecked: true, count: { value: 1, relation: 'exact' }, taskCount: 1, taskNames: ['two'],
    filter: { executionIds: ['b'] }
  }, 'one of them matches')
  t.match(await create({ ...start, filter: {} }), { executionCount: null, areExecutionsChecked: null })
})

t.test('a search reads the arguments of a few named executions at a time', async t => {
  const reads = { light: [] as number[], whole: [] as number[], broker: 0, mostAtOnce: 0, atOnce: 0 }
  const execution = (executionId: string) => ({
    executionId, taskName: 'a', status: Number(executionId) % 2 === 0 ? 'failed' : 'pending', submittedAt: 1, error: null, progress: null,
    finishedAt: Number(executionId) % 2 === 0 ? Number(executionId) : null, args: ['x'], scheduleId: null, workerId: null, errorGroup: null
  })
  const matches = createBulkMatches({
    backend: {
      async findMany(ids: string[], { payloads = true } = {}) {
        reads[payloads ? 'whole' : 'light'].push(ids.length)
        return ids.map(execution).filter(({ finishedAt }) => finishedAt !== null)
      }
    },
    engine: {
      async findMany(_names: string[], ids: string[]) {
        reads.broker++
        return ids.map(execution)
      },
      async find(_names: string[], id: string) {
        reads.mostAtOnce = Math.max(reads.mostAtOnce, ++reads.atOnce)
        await new Promise(resolve => setImmediate(resolve))
        reads.atOnce--
        return execution(id)
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const executionIds = Array.from({ length: 200 }, (_, index) => String(index))
  const filter = resolveFilter({ action: 'retry', filter: { search: 'x' } }, 0)
  const wanted = { filter, before: 1_000, taskNames: ['a'], isAllTasks: true }
  t.equal((await matches.count({ ...wanted, action: 'retry', executionIds })).value, 100)
  t.same(reads.light, [200], 'one read for all')
  t.equal(reads.broker, 1, 'the broker is asked once, for what the history does not have')
  t.ok(Math.max(...reads.whole) <= 10 && reads.whole.length === 10)
  t.equal((await matches.count({ ...wanted, action: 'cancel', executionIds })).value, 100)
  t.ok(reads.mostAtOnce <= 2)
})

t.test('no task is left out because the broker is unavailable', async t => {
  const { taskNames } = createBulk({
    taskNames: async () => { throw new Error('away') }, backend: { taskTotals: async () => new Map([['a', {}]]) }
  } as unknown as Parameters<typeof createBulk>[0])
  await t.rejects(taskNames({ action: 'retry', filter: {} }), /away/)
})

t.test('undoing a resolution requires the right to reopen', async t => {
  const mayResolve = async (action: string) => action !== 'failures:reopen'
  await t.resolves(requireTasks(mayResolve, 'resolve', ['a'], false))
  await t.rejects(requireTasks(mayResolve, 'resolve', ['a'], true), { code: 'FORBIDDEN', message: /failures:reopen/ })
  await t.resolves(requireTasks(mayResolve, 'retry', ['a'], true))
})
