import t from 'tap'
import { createResultBackend } from '../../../../lib/backend/create-result-backend.ts'
import type { FinishedPosition, ResultBackend, RetentionPolicy } from '../../../../lib/backend/result-backend.ts'
import { DAY_MS, HOUR_MS } from '../../../../lib/time/units.ts'
import { makeExecution } from '../../make-execution.ts'
import { startRedis } from '../../../support/servers/stores.ts'
import { openRedisBackend, openRedisStore } from '../open-backend.ts'

/**
 * Every fourth of the 1,200 failed: 0, 4, … 1,196. The policy keeps the last ten, 1,160 to 1,196, so 1,156 is the last failure removed. The
 * successes removed are older: 60 hours are 600 executions, so they come before 600.
 */
const LAST_FAILED_REMOVED = 1_156
const NEVER = { maxAgeMs: Infinity, maxCount: Infinity }

t.test('pruning by age and count removes the oldest with everything that belongs to them, and keeps counters', async t => {
  const { store, backend, keys } = await openRedisBackend(t)
  const now = Date.now()
  const executions = Array.from({ length: 1_200 }, (_, i) => makeExecution({
    finishedAt: now - (1_200 - i) * HOUR_MS / 10,
    status: i % 4 === 0 ? 'failed' : 'success',
    attempt: 2,
    taskName: `task ${i % 3}`,
    scheduleId: i % 2 ? `schedule \ud800 ${i % 5}` : null,
    workerId: i < 300 ? 'gone' : 'here',
    durationMs: i % 7 === 0 ? null : i * 37 % 50_000,
    args: ['x'.repeat(i % 3 * 400)]
  }))
  const attempt = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null }
  await backend.recordAttempts(executions.map(({ executionId, taskName }) => ({ executionId, taskName, attempt })))
  for (let i = 0; i < executions.length; i += 400) await backend.record(executions.slice(i, i + 400))
  const [totals, taskTotals] = [await backend.totals(), await backend.taskTotals()]
  t.equal((await backend.kept()).prunedBefore, null)

  const policy: RetentionPolicy = { success: { maxAgeMs: 60 * HOUR_MS, maxCount: Infinity }, failed: { maxAgeMs: Infinity, maxCount: 10 } }
  const bounds = { nowMs: now, keepAfterMs: now - HOUR_MS, brokerHasAfterMs: Infinity, limit: 300 }
  const first = await backend.prune(policy, bounds)
  t.strictSame(first, { removed: 300, more: true })
  let removed = first.removed
  for (let more = true; more;) {
    const step = await backend.prune(policy, bounds)
    removed += step.removed
    more = step.more
    t.ok(step.removed <= 300)
  }
  const left = executions.filter((each, i) => each.status === 'success' ? each.finishedAt >= now - 60 * HOUR_MS : i >= 1_160)
  t.equal(removed, executions.length - left.length)
  t.strictSame(await backend.prune(policy, bounds), { removed: 0, more: false })

  const success = left.filter(each => each.status === 'success')
  const failed = left.filter(each => each.status === 'failed')
  t.strictSame(await backend.kept(), {
    success: { count: success.length, oldestFinishedAt: success[0]!.finishedAt },
    failed: { count: 10, oldestFinishedAt: failed[0]!.finishedAt },
    prunedBefore: executions[LAST_FAILED_REMOVED]!.finishedAt
  })
  const gone = executions.filter(each => !left.includes(each))
  t.equal((await backend.missing(gone.slice(0, 1_000).map(each => each.executionId))).length, Math.min(1_000, gone.length))
  for (const query of [
    {}, { taskName: 'task 1' }, { scheduleId: 'schedule \ud800 3' }, { errorGroup: 'abc123' }, { workerId: 'here' }, { minDurationMs: 250 }
  ]) {
    const expected = left.filter(each =>
      Object.entries(query).every(([field, value]) =>
        field === 'minDurationMs' ? each.durationMs !== null && each.durationMs >= 250 : each[field as 'taskName'] === value))
    const failedOnly = 'errorGroup' in query ? expected.filter(each => each.status === 'failed') : expected
    t.strictSame(await idsOf(backend, query), failedOnly.map(each => each.executionId))
  }
  t.strictSame([await backend.totals(), await backend.taskTotals()], [totals, taskTotals])
  t.equal(await store.client.hlen(keys.executions), left.length)
  t.equal(await store.client.hlen(keys.payloads), left.filter(each => String(each.args).length > 512).length)
  t.equal((await store.client.keys('*~attempts:*')).length, left.length)
  t.equal(await store.client.exists(keys.worker('gone')), 0, 'a worker with nothing left has no days left')

  await backend.prune({ success: { maxAgeMs: 0, maxCount: 0 }, failed: { maxAgeMs: 0, maxCount: 0 } },
    { ...bounds, keepAfterMs: now + 1, brokerHasAfterMs: Infinity, limit: 10_000 })
  t.equal((await store.client.keys('*~by*')).length + (await store.client.keys('*~schedule-tasks*')).length, 0)
})

t.test('what finished within the last hour stays, whatever the policy says', async t => {
  const { backend } = await openRedisBackend(t)
  const now = Date.now()
  const executions = [2 * HOUR_MS, HOUR_MS, HOUR_MS - 1].map(age => makeExecution({ finishedAt: now - age }))
  await backend.record(executions)
  const nothing = { maxAgeMs: 0, maxCount: 0 }
  t.strictSame(await backend.prune({ success: nothing, failed: nothing },
    { nowMs: now, keepAfterMs: now - HOUR_MS, brokerHasAfterMs: Infinity, limit: 100 }), { removed: 2, more: false })
  const ids = executions.map(each => each.executionId)
  t.strictSame(await backend.missing(ids), ids.slice(0, 2))
})

t.test('concurrent pruning removes what is over the policy once', async t => {
  const { store, backend } = await openRedisBackend(t)
  const now = Date.now()
  const executions = Array.from({ length: 2_000 }, (_, i) => makeExecution({ finishedAt: now - DAY_MS + i }))
  for (let i = 0; i < executions.length; i += 500) await backend.record(executions.slice(i, i + 500))
  const processes = [backend, createResultBackend(store), createResultBackend(store)]
  const policy = { success: { ...NEVER, maxCount: 500 }, failed: NEVER }
  let removed = 0
  for (let more = true; more;) {
    const steps = await Promise.all(processes.map(
      each => each.prune(policy, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: Infinity, limit: 400 }
      )))
    removed += steps.reduce((sum, step) => sum + step.removed, 0)
    more = steps.some(step => step.more)
  }
  t.equal(removed, 1_500)
  t.equal((await backend.kept()).success.count, 500)
  t.equal((await backend.kept()).success.oldestFinishedAt, executions[1_500]!.finishedAt)
})

t.test('pruning 90,000 of 100,000 executions uses scripts that take milliseconds each', async t => {
  // Its own server, so that command statistics count nothing else.
  const store = await openRedisStore(t, (await startRedis(t, { persistent: false })).url)
  const backend = createResultBackend(store)
  await backend.start()
  const now = Date.now()
  const count = 100_000
  for (let first = 0; first < count; first += 500) {
    await backend.record(Array.from({ length: 500 }, (_, i) => makeExecution({
      finishedAt: now - DAY_MS + first + i,
      status: i % 50 === 0 ? 'failed' : 'success',
      taskName: `task ${i % 20}`,
      scheduleId: i % 10 === 0 ? `schedule ${i % 20}` : null,
      durationMs: i * 37 % 50_000
    })))
  }
  const removedAtOnce: number[] = []
  const call = store.client.callBuffer.bind(store.client)
  Object.assign(store.client, { callBuffer: async (command: string, ...parameters: Array<string | number | Buffer>) => {
    const answer = await call(command, ...parameters)
    // The positions of the removed executions.
    if (Array.isArray(answer) && answer.every(each => typeof each === 'number')) removedAtOnce.push(answer.length)
    return answer
  } })
  await store.client.config('RESETSTAT')
  const policy: RetentionPolicy = { success: { ...NEVER, maxCount: 9_000 }, failed: { ...NEVER, maxCount: 1_000 } }
  let removed = 0
  for (let more = true; more;) {
    const step = await backend.prune(policy, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: Infinity, limit: 1_000 })
    t.ok(step.removed <= 1_000)
    removed += step.removed
    more = step.more
  }
  t.equal(removed, 90_000)
  const [, calls, perCall] = /cmdstat_evalsha:calls=(\d+),.*usec_per_call=([\d.]+)/.exec(await store.client.info('commandstats')) ?? []
  t.comment(`${calls} scripts, ${perCall} µs each`)
  t.equal(removedAtOnce.reduce((sum, each) => sum + each, 0), 90_000)
  t.ok(Math.max(...removedAtOnce) <= 250, 'at most 250 per script')
  t.ok(Number(calls) >= removedAtOnce.length)
  t.ok(Number(perCall) < 50_000, `${perCall} µs`)
})

/** Starting with the oldest. A busy machine may end a page early. */
async function idsOf(backend: ResultBackend, query: object): Promise<string[]> {
  const ids: string[] = []
  for (let after: FinishedPosition | undefined, isLast = false; !isLast;) {
    const { executions, next } = await backend.list({ ...query, order: 'oldest', limit: 1_000, ...after && { after } })
    ids.push(...executions.map(each => each.executionId))
    isLast = next === null
    after = next ?? undefined
  }
  return ids
}
