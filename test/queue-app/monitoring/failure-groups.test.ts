import t from 'tap'
import type { FailureGroup, FailureGroupQuery } from '../../../lib/backend/result-backend.ts'
import { createFailureGroups } from '../../../lib/queue-app/monitoring/failure-groups.ts'

const NOW = Date.UTC(2026, 10, 20, 9)
const DAY_MS = 86_400_000

const group = (errorGroup: string, firstSeenAt: number): FailureGroup => ({
  errorGroup, type: 'Error', message: 'm', frame: null, count: 1, firstSeenAt, lastSeenAt: NOW, tasks: [], lastExecutionId: 'e', trend: [],
  state: 'open', decision: null, isShared: false
})

t.test('a page continues after the previous one, and groups first seen within a day are new', async t => {
  const asked: FailureGroupQuery[] = []
  const read = createFailureGroups({
    async failureGroups(query) {
      asked.push(query)
      return {
        groups: [group('young', NOW - DAY_MS), group('old', NOW - DAY_MS - 1)], next: { lastSeenAt: 5, errorGroup: '日報' },
        total: { value: 9, relation: 'exact' }
      }
    }
  }, () => NOW)
  const page = await read({ taskName: 'a', from: 1, to: 2 })
  t.same(page.groups.map(({ errorGroup, isNew }) => [errorGroup, isNew]), [['young', true], ['old', false]])
  t.same(page.total, { value: 9, relation: 'exact' })
  await read({ taskName: 'a', from: 1, to: 2, limit: 7, cursor: page.nextCursor! })
  t.same(
    asked,
    [{ taskName: 'a', from: 1, to: 2, limit: 50 }, { taskName: 'a', from: 1, to: 2, limit: 7, after: { lastSeenAt: 5, errorGroup: '日報' } }]
  )
})

t.test('a group that also occurs in other tasks can be decided, except within a scope', async t => {
  const backend = {
    failureGroups: async () => ({
      groups: [{ ...group('shared', NOW), isShared: true }], next: null, total: { value: 1, relation: 'exact' as const }
    })
  }
  const covered = (taskName: string) => [taskName, `${taskName}:invoice`]
  for (const isScoped of [false, true]) {
    const { groups } = await createFailureGroups(backend, () => NOW, { isScoped, covered })({ taskName: 'mail' })
    t.equal(groups[0]!.isShared, isScoped)
  }
})

t.test('a cursor that is not ours is refused', async t => {
  const read = createFailureGroups({ failureGroups: async () => t.fail('must not be asked') as never }, () => NOW)
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const cursor of [
    'x', encoded({}), encoded([]), encoded(['5', 'a']), encoded([1e300, 'a']), encoded([5, '']), encoded([5, 'a\0']),
    encoded([5, 'x'.repeat(513)])
  ]) {
    await t.rejects(read({ cursor }), { code: 'INVALID_CURSOR' }, cursor)
  }
})
