import t from 'tap'
import type { FailureGroup, ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { Execution } from '../../../lib/execution.ts'
import type { AuditEntry } from '../../../lib/queue-app/audit/audit-entry.ts'
import type { Acting } from '../../../lib/queue-app/bulk/acting.ts'
import type { BulkDetail, BulkReads, BulkStart, BulkWrites } from '../../../lib/queue-app/bulk/bulk.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { createScope } from '../../../lib/queue-app/scope/scope.ts'
import { isEntryInScope } from '../../../lib/queue-app/scope/scoped-audit.ts'
import { bulkWithinScope } from '../../../lib/queue-app/scope/scoped-bulk.ts'
import { createScopedFailureGroups } from '../../../lib/queue-app/scope/scoped-failure-groups.ts'

const scope = createScope(name => name !== 'secret')
const RESOLVED = { isResolved: true, isAutomatic: false, at: 2_000, by: 'ana', note: null, resolvedThrough: 1_999 }

function groupOf(group: Partial<FailureGroup>): FailureGroup {
  return {
    errorGroup: 'g', type: 'Error', message: 'no', frame: null, count: 1, firstSeenAt: 1, lastSeenAt: 1, tasks: [], lastExecutionId: 'e',
    trend: [], state: 'open', decision: null, isShared: false, ...group
  }
}

function pageOf(groups: FailureGroup[]) {
  return { groups, next: null, total: { value: groups.length, relation: 'exact' as const } }
}

t.test('a group that other tasks have joined since it was planned is neither resolved nor reopened', async t => {
  const decided: string[] = []
  let standing: FailureGroup[] = []
  const backend = {
    failureGroups: async ({ taskNames }) =>
      pageOf(standing.map(group => ({ ...group, isShared: taskNames !== undefined && group.isShared }))),
    async decideFailureGroup(errorGroup, { isResolved, by, note }) {
      decided.push(errorGroup)
      return { ...standing[0]!, state: isResolved ? 'resolved' : 'open', decision: { ...RESOLVED, isResolved, by, note, at: 4_000 } }
    }
  } satisfies Pick<ResultBackend, 'failureGroups' | 'decideFailureGroup'>
  const actions = createBulkActions({ backend, engine: { gentleBatch: 100 } } as unknown as Parameters<typeof createBulkActions>[0])
  const acting = {
    operationId: 'o', taskNames: ['mine'], stillHeld: async () => {},
    order: {
      action: 'resolve', isAllTasks: false, createdAt: 1_000, before: 1_000, by: 'ana', reason: null, changedAt: 3_000, changedBy: 'bo'
    }
  } as unknown as Acting
  const settle = async (as = acting) => (await actions.settle(as, [['g', -1]]))[0]

  standing = [groupOf({ isShared: true })]
  t.strictSame(await settle(), ['g', -1, 'skipped', 'FAILURE_GROUP_NOT_FOUND'])
  standing = []
  t.strictSame(await settle(), ['g', -1, 'skipped', 'FAILURE_GROUP_NOT_FOUND'])
  standing = [groupOf({ isShared: true, state: 'resolved', decision: RESOLVED })]
  t.strictSame(await settle(), ['g', -1, 'done'], 'an earlier attempt had resolved it')
  t.strictSame(await actions.undo(acting, [['g', -1, 'done']]), [['g', -1, 'done', 'FAILURE_GROUP_NOT_FOUND']])
  t.strictSame(decided, [])

  standing = [groupOf({})]
  t.strictSame(await settle(), ['g', -1, 'done'])
  standing = [groupOf({ isShared: true })]
  t.strictSame(await settle({ ...acting, order: { ...acting.order, isAllTasks: true } }), ['g', -1, 'done'])
  standing = [groupOf({ state: 'resolved', decision: RESOLVED })]
  t.strictSame(await actions.undo(acting, [['g', -1, 'done']]), [['g', -1, 'undone']])
  t.equal(decided.length, 3)
})

t.test('an audit entry is hidden unless all of its tasks are known', async t => {
  const entry = (action: string, after: unknown, taskName?: string) => isEntryInScope(
    { action, resource: { ...taskName !== undefined && { taskName } }, before: null, after } as unknown as AuditEntry, scope
  )
  const tasks = (count: number) => ({ tasks: Array.from({ length: count }, (_, index) => ({ name: `task ${index}` })) })
  t.ok(entry('failures:resolve', tasks(19)))
  t.notOk(entry('failures:resolve', tasks(20)), 'there may be more')

  const operation = { action: 'retry', filter: { task_name: 'mine' }, task_count: 1 }
  t.ok(entry('bulk:create', operation, 'mine'))
  t.notOk(entry('bulk:create', operation, 'secret'))
  t.notOk(entry('bulk:create', { ...operation, action: 'resolve' }, 'mine'))
  t.notOk(entry('bulk:create', { ...operation, task_count: 7 }, 'mine'))
  t.notOk(entry('bulk:create', null, 'mine'))
})

t.test('bulk operations within a scope reveal no names or numbers of hidden tasks', async t => {
  const standing = { operationId: 'o', taskNames: ['mine'], taskCount: 1, tasksLeftOut: 3 } as unknown as BulkDetail
  const created: BulkStart[] = []
  const bulk = {
    taskNames: async ({ filter }) => filter.taskName === undefined ? ['mine', 'secret'] : [filter.taskName],
    list: async () => ({ items: [standing], nextCursor: null, total: 1 }),
    find: async id => id === 'o' ? standing : id === 'hidden' ? { ...standing, taskNames: ['mine', 'secret'] } : null,
    suspend: async () => standing,
    create: async start => { created.push(start); return standing }
  } satisfies Partial<BulkReads & BulkWrites>
  const scoped = bulkWithinScope(bulk as unknown as BulkReads & BulkWrites, scope)
  const touched = (taskName?: string) => scoped.taskNames({ action: 'retry', filter: taskName === undefined ? {} : { taskName } })
  t.strictSame(await Promise.all([touched(), touched('mine'), touched('secret'), touched('made-up')]), [['mine'], ['mine'], [], []])

  t.equal((await scoped.find('o'))?.tasksLeftOut, 0)
  t.equal((await scoped.list()).items[0]?.tasksLeftOut, 0)
  t.equal((await scoped.suspend('o')).tasksLeftOut, 0)

  const start: BulkStart = { action: 'retry', filter: {}, taskNames: ['mine'], tasksLeftOut: 0 }
  await t.rejects(scoped.create(start, { id: 'hidden', isRepeated: true }), { code: 'IDEMPOTENCY_KEY_REUSED' })
  t.equal((await scoped.create(start, { id: 'o', isRepeated: true })).operationId, 'o')
  t.equal(created.length, 0)
  await scoped.create(start, { id: 'new', isRepeated: true })
  await scoped.create({ ...start, taskNames: ['secret'] }, { id: 'other', isRepeated: false })
  t.match(created, [{ taskNames: ['mine'], isNarrowed: true }, { taskNames: [], isNarrowed: true }], 'the second start can match nothing')
})

t.test('a list of failures that could not be read completely does not claim to be at its end', async t => {
  let slowFrom = 0
  const shared = Array.from({ length: 40 }, (_, index) => groupOf({ errorGroup: `g${index}`, lastSeenAt: 1_000 - index, isShared: true }))
  const { list } = createScopedFailureGroups({
    failureGroups: async () => pageOf(shared),
    decideFailureGroup: async () => null,
    find: async () => null,
    async list({ errorGroup }: { errorGroup?: string }) {
      const index = Number(errorGroup!.slice(1))
      if (index >= slowFrom) await new Promise(resolve => setTimeout(resolve, 1_000))
      const execution = { executionId: `e${index}`, finishedAt: 1_000 - index, error: null } as unknown as Execution
      return { executions: [execution], next: null, total: { value: 1, relation: 'exact' } }
    }
  } as unknown as ResultBackend, async () => ['mine'])
  const after = { lastSeenAt: 991, errorGroup: 'g9' }
  await t.rejects(list({ limit: 50, after }), { code: 'BACKEND_UNAVAILABLE' }, 'what comes next is unknown')
  slowFrom = 15
  const page = await list({ limit: 50 })
  t.strictSame(page.groups.map(({ errorGroup }) => errorGroup), shared.slice(0, 25).map(({ errorGroup }) => errorGroup))
  t.strictSame(page.next, { lastSeenAt: 976, errorGroup: 'g24' })
  t.equal(page.total.relation, 'at_least')
  slowFrom = 40
  const whole = await list({ limit: 50 })
  t.strictSame([whole.groups.length, whole.next, whole.total], [40, null, { value: 40, relation: 'exact' }])
})
