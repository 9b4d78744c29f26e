import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import type { SqlStore } from '../../../lib/stores/store.ts'
import { writesContract } from '../../contracts/result-backend.ts'
import { makeExecution } from '../make-execution.ts'
import { testNamespace } from '../../support/servers/stores.ts'

async function openStore(t: Test, url: string) {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  return store
}

t.test('pruning removes expired roll-ups and attempts of unfinished executions, and keeps all-time counters', async t => {
  const store = await openStore(t, 'embedded:') as SqlStore
  const backend = createResultBackend(store)
  await backend.start()
  const table = (name: string) => `"${store.schema}".${name}`
  const attempt = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null }
  const [finished, unfinished, late] = [makeExecution({ attempt: 2 }), makeExecution(), makeExecution()]
  await backend.recordAttempts([finished, unfinished].map(({ executionId, taskName }) => ({ executionId, taskName, attempt })))
  await backend.record([finished, late])
  await backend.recordAttempts([{ executionId: late.executionId, taskName: late.taskName, attempt }])

  const days = 31 * 86_400_000
  await store.query(`UPDATE ${table('execution_attempts')} SET expires_at = expires_at - ${days}`)
  await store.query(`UPDATE ${table('execution_rollups')} SET start = start - ${days / 60_000} WHERE span = 'minute'`)
  const restarted = createResultBackend(store)
  await restarted.record([makeExecution()])
  const everything = { maxAgeMs: days, maxCount: 100 }
  const now = Date.now()
  t.strictSame(await restarted.prune({ success: everything, failed: everything },
    { nowMs: now, keepAfterMs: now, brokerHasAfterMs: Infinity, limit: 10 }), { removed: 0, more: false })
  t.strictSame(await restarted.attemptsOf(unfinished.executionId), [])
  t.equal((await restarted.attemptsOf(finished.executionId)).length, 1)
  t.equal((await restarted.attemptsOf(late.executionId)).length, 1)
  const { rows } = await store.query<{ minutes: number }>(
    `SELECT count(*)::int AS minutes FROM ${table('execution_rollups')} WHERE span = 'minute' AND task_name = ''`
  )
  t.equal(rows[0]!.minutes, 1, 'only the minute of the last record is left')
  t.equal((await restarted.totals()).success, 3)
})

writesContract(t, t => openStore(t, 'embedded:'))
