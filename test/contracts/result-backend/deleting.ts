import type { Test } from 'tap'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import type { FinishedStatus } from '../../../lib/execution.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'
import { allTimeOf, assertIsAll, FIRST_ATTEMPT, keptHistory } from './pruning.ts'

const STATUSES: readonly FinishedStatus[] = ['success', 'failed', 'cancelled']

/** Executions that a person deletes are gone from everything except all-time numbers. */
export function deletingContract(t: Test, openStore: OpenStore): void {
  t.test('deleting executions removes all their parts, and all-time numbers stay', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const executions = Array.from({ length: 36 }, (_, i) => makeExecution({
      finishedAt: nowMs - HOUR_MS + i, taskName: i % 2 === 0 ? 'a' : '日報', scheduleId: i % 4 === 0 ? 's1' : i % 4 === 1 ? 's2:x' : null,
      workerId: 'w', attempt: 2, args: [{ number: i, text: i % 6 === 0 ? 'x'.repeat(2_000) : '' }], status: STATUSES[i % 3]!,
      errorGroup: i % 3 === 1 ? 'g' : null, retryOf: i === 10 ? 'original' : null
    }))
    await backend.recordAttempts(executions.map(({ executionId, taskName }) => ({ executionId, taskName, attempt: FIRST_ATTEMPT })))
    await backend.record(executions)
    const before = await allTimeOf(backend, nowMs)
    const deleted = executions.filter((_, i) => i % 5 === 0)
    const ids = deleted.map(each => each.executionId)
    t.strictSame(await backend.deleteExecutions([]), [])
    t.strictSame(await backend.deleteExecutions(['unknown', '']), [])

    t.strictSame((await backend.deleteExecutions([...ids, 'unknown', ids[0]!])).toSorted(), ids.toSorted())
    t.strictSame(await backend.deleteExecutions(ids), [], 'deleting them again does nothing')

    const kept = executions.filter(each => !deleted.includes(each))
    await assertIsAll(backend, kept)
    for (const id of ids) t.strictSame([await backend.find(id), await backend.attemptsOf(id)], [null, []])
    t.strictSame(await backend.retriesOf('original'), [])
    t.strictSame(await backend.kept(), keptHistory(kept, null), 'retention removed nothing')
    t.strictSame(await allTimeOf(backend, nowMs), before)
  })

  t.test('a deleted execution neither counts as missing nor is recorded again, until the broker can no longer have it', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const old = makeExecution({ finishedAt: nowMs - 30 * DAY_MS })
    const fresh = makeExecution({ finishedAt: nowMs + HOUR_MS / 2 })
    await backend.record([old, fresh])
    const ids = [old.executionId, fresh.executionId]
    t.equal((await backend.deleteExecutions(ids)).length, 2)
    const assertRemembered = async (expected: readonly string[]) => {
      t.strictSame((await backend.missing(ids)).toSorted(), ids.filter(id => !expected.includes(id)).toSorted())
    }
    await assertRemembered(ids)
    t.equal(await backend.record([old, fresh]), 0)
    t.equal((await backend.totals()).success, 2)
    await retain(backend, nowMs - 1_000)
    await assertRemembered(ids)
    await retain(backend, nowMs + HOUR_MS / 4)
    await assertRemembered([fresh.executionId])
    await retain(backend, nowMs + HOUR_MS)
    await assertRemembered([])
  })

  t.test('deleting during retention, recording and another deletion counts each execution once', async t => {
    const backend = await freshBackend(await openStore(t))
    const nowMs = Date.now()
    const executions = Array.from({ length: 500 }, (_, i) => makeExecution({
      finishedAt: nowMs - HOUR_MS - i, status: i % 2 === 0 ? 'success' : 'failed', errorGroup: i % 2 === 0 ? null : 'g', scheduleId: 's'
    }))
    await backend.record(executions)
    const ids = executions.map(each => each.executionId)
    const limits = { maxAgeMs: HOUR_MS, maxCount: 1_000 }
    const [first, second] = await Promise.all([
      backend.deleteExecutions(ids.slice(0, 300)), backend.deleteExecutions(ids.slice(100, 400).reverse()),
      backend.prune({ success: limits, failed: limits }, { nowMs, keepAfterMs: nowMs, brokerHasAfterMs: -Infinity, limit: 200 }),
      ...[0, 100, 200, 300, 400].map(start => backend.record(executions.slice(start, start + 100)))
    ])
    t.equal(new Set([...first, ...second]).size, first.length + second.length, 'each was deleted by only one of the two calls')
    const { executions: left } = await backend.list({ order: 'newest', limit: 1_000 })
    const { success, failed } = await backend.kept()
    t.equal(success.count + failed.count, left.length)
    t.match(await backend.totals(), { success: 250, failed: 250 })
    t.equal(await backend.record(executions), 0)
  })
}

/** A retention pass that removes no executions and only forgets ids of deleted ones. */
async function retain(backend: ResultBackend, brokerHasAfterMs: number): Promise<void> {
  const all = { maxAgeMs: 3_650 * DAY_MS, maxCount: 1_000 }
  await backend.prune({ success: all, failed: all }, { nowMs: Date.now(), keepAfterMs: Date.now(), brokerHasAfterMs, limit: 10 })
}
