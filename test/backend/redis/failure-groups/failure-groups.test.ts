import t from 'tap'
import { MAX_GROUPS } from '../../../../lib/backend/counting/failure-hours.ts'
import type { FailureGroupPosition } from '../../../../lib/backend/result-backend.ts'
import { HOUR_MS } from '../../../../lib/time/units.ts'
import { makeExecution } from '../../make-execution.ts'
import { openRedisBackend } from '../open-backend.ts'

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const failure = (errorGroup: string, finishedAt: number, taskName = 'a') => makeExecution({
  status: 'failed', errorGroup, finishedAt, taskName,
  error: { type: 'Error', message: `${errorGroup} at ${finishedAt}`, stack: 'Error: x\n    at send (/app/src/mail.js:3:1)' }
})

t.test('a group has its latest occurrence, counts and trend, in whatever order failures are recorded', async t => {
  const { backend } = await openRedisBackend(t)
  const all = [
    failure('g', HOUR - 5), failure('g', HOUR - 30 * HOUR_MS, 'b'), failure('g', HOUR - 3 * HOUR_MS), failure('other', HOUR - 9),
    failure('g', HOUR - 6, 'b')
  ]
  for (const each of all) await backend.record([each])
  await backend.record(all)
  const { groups, next, total } = await backend.failureGroups({ limit: 10 })
  t.strictSame([next, total], [null, { value: 2, relation: 'exact' }])
  // The trend ends with the current hour, which may have begun since HOUR was computed.
  const passed = Math.floor(Date.now() / HOUR_MS) - HOUR / HOUR_MS
  const trend = Array.from({ length: 24 }, (_, i) => i === 22 - passed ? 2 : i === 20 - passed ? 1 : 0)
  t.strictSame(groups[0], {
    errorGroup: 'g', type: 'Error', message: `g at ${HOUR - 5}`, frame: 'send@src/mail.js', count: 4, firstSeenAt: HOUR - 30 * HOUR_MS,
    lastSeenAt: HOUR - 5, state: 'open', decision: null, isShared: false,
    tasks: [{ taskName: 'a', count: 2 }, { taskName: 'b', count: 2 }], lastExecutionId: all[0]!.executionId, trend
  })
})

t.test('a time range counts by the hour, and a task filter counts only that task', async t => {
  const { backend } = await openRedisBackend(t)
  await backend.record([
    failure('g', HOUR - 1), failure('g', HOUR - 1, 'b'), failure('g', HOUR - 2 * HOUR_MS), failure('g', HOUR - 800 * HOUR_MS),
    failure('old', HOUR - 50 * HOUR_MS), failure('b only', HOUR - 2, 'b')
  ])
  const counts = async (query: object) =>
    (await backend.failureGroups({ limit: 10, ...query })).groups.map(each => [each.errorGroup, each.count])
  t.strictSame(await counts({ from: HOUR - HOUR_MS }), [['g', 2], ['b only', 1]])
  t.strictSame(await counts({ from: HOUR - 2 * HOUR_MS, to: HOUR - HOUR_MS }), [['g', 1]])
  t.strictSame(await counts({ to: HOUR - HOUR_MS }), [['g', 2], ['old', 1]])
  t.strictSame(await counts({ from: HOUR - 900 * HOUR_MS }), [['g', 4], ['b only', 1], ['old', 1]])
  t.strictSame(await counts({ taskName: 'b' }), [['g', 1], ['b only', 1]])
  t.strictSame(await counts({ taskName: 'a', from: HOUR - 3 * HOUR_MS }), [['g', 2]])
  t.strictSame(await counts({ taskName: 'never' }), [])
})

t.test('pages together return every group once, even if many were last seen in the same millisecond', async t => {
  const { backend } = await openRedisBackend(t)
  const names = Array.from({ length: 25 }, (_, i) => `group ${i}`)
  await backend.record(names.map((name, i) => failure(name, HOUR - Math.floor(i / 10), i % 2 ? 'a' : 'b')))
  for (const taskName of [undefined, 'a']) {
    const seen: string[] = []
    let after: FailureGroupPosition | null | undefined
    do {
      const page = await backend.failureGroups({ limit: 3, ...(taskName && { taskName }), ...(after && { after }) })
      seen.push(...page.groups.map(each => each.errorGroup))
      after = page.next
    } while (after)
    const expected = names.filter((_, i) => taskName === undefined || i % 2)
    t.strictSame([...seen].sort(), [...expected].sort())
  }
})

t.test('beyond the limit, the groups last seen longest ago are removed', async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  for (let first = 0; first < MAX_GROUPS + 500; first += 500) {
    await backend.record(Array.from({ length: 500 }, (_, i) => failure(`g${first + i}`, HOUR - HOUR_MS + first + i)))
  }
  t.equal((await backend.failureGroups({ limit: 1 })).total.value, MAX_GROUPS)
  t.strictSame([await store.client.exists(keys.group('g499')), await store.client.exists(keys.group('g500'))], [0, 1])
  const allTime = { maxAgeMs: Infinity, maxCount: Infinity }
  const bounds = { nowMs: Date.now() + 91 * 24 * HOUR_MS, keepAfterMs: 0, brokerHasAfterMs: Infinity, limit: 10 }
  await backend.prune({ success: allTime, failed: allTime }, bounds)
  t.equal((await backend.failureGroups({ limit: 1 })).total.value, MAX_GROUPS)
  for (let i = 0; i < 60; i++) await backend.prune({ success: allTime, failed: { ...allTime, maxAgeMs: HOUR_MS } }, bounds)
  t.equal(
    (await backend.failureGroups({ limit: 1 })).total.value, 0,
    'also groups not seen for 90 days, unless failed executions are kept longer'
  )
})
