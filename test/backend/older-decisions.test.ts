import t from 'tap'
import { createResultBackend } from '../../lib/backend/create-result-backend.ts'
import type { FailureGroup, ResultBackend } from '../../lib/backend/result-backend.ts'
import { ledgerTables } from '../../lib/backend/postgres/schema.ts'
import { ledgerKeys } from '../../lib/backend/redis/schema.ts'
import { createStore } from '../../lib/stores/create-store.ts'
import type { RedisStore, SqlStore } from '../../lib/stores/store.ts'
import { onEveryStore } from '../support/servers/stores.ts'
import { makeExecution } from './make-execution.ts'

const ALONE = { isResolved: true, isAutomatic: true, by: null, note: null }

t.test('a decision that a person makes in an older version does not count as automatic', t => onEveryStore(t, async (t, url, kind) => {
  const store = createStore(url, { namespace: 'tasks', role: 'result backend', onError: error => t.fail(error.message) })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  const decideInOlderVersion = kind === 'redis' ? decidesOnRedis(store as RedisStore) : decidesInSql(store as SqlStore)
  const now = Date.now()

  for (const name of ['resolved', 'reopened']) await backend.record([failure(name, now - 9_000), failure(name, now - 8_000)])
  const alone = await backend.decideFailureGroup('resolved', ALONE)
  t.match(alone, { state: 'resolved', decision: { isAutomatic: true, by: null } })
  await backend.record([failure('resolved', now - 8_500)])
  t.equal((await groupOf(backend, 'resolved')).state, 'regressed', 'one more failure, no matter when it finished')

  await decideInOlderVersion('resolved', { isResolved: true, by: 'Ada', at: alone!.decision!.at + 5 })
  t.match(await groupOf(backend, 'resolved'), { state: 'resolved', count: 3, decision: { isAutomatic: false, by: 'Ada' } })
  t.match(await statesOf(backend), { resolved: ['resolved'], regressed: [] })
  await backend.record([failure('resolved', now - 8_600)])
  t.match(await groupOf(backend, 'resolved'), { state: 'resolved', count: 4 }, 'it failed before Ada decided, and was recorded late')
  const noted = await backend.decideFailureGroup('resolved', { isResolved: true, by: 'Bob', note: 'why' })
  t.match(noted, { state: 'resolved', decision: { by: 'Bob', note: 'why', resolvedThrough: alone!.decision!.at + 4 } })
  await backend.decideFailureGroup('resolved', { isResolved: false, by: 'Bob', note: null })
  t.match(await backend.decideFailureGroup('resolved', ALONE), { state: 'resolved', decision: { isAutomatic: true } })

  const again = await backend.decideFailureGroup('reopened', ALONE)
  await decideInOlderVersion('reopened', { isResolved: false, by: 'Ada', at: again!.decision!.at + 5 })
  t.match(await groupOf(backend, 'reopened'), { state: 'open', decision: { isResolved: false, isAutomatic: false, by: 'Ada' } })
  t.notOk('operationId' in (await groupOf(backend, 'reopened')).decision!, 'it may have been a bulk operation')

  await backend.record([failure('in bulk', now - 9_000)])
  const inBulk = await backend.decideFailureGroup('in bulk', { isResolved: true, by: 'Ada', note: null, operationId: 'one' })
  t.equal(inBulk!.decision!.operationId, 'one')
  await decideInOlderVersion('in bulk', { isResolved: false, by: 'Ada', at: inBulk!.decision!.at + 5 })
  t.notOk('operationId' in (await groupOf(backend, 'in bulk')).decision!, 'nor is the earlier operation shown')
  const byHand = await backend.decideFailureGroup('in bulk', { isResolved: true, by: 'Ada', note: null })
  t.equal(byHand!.decision!.operationId, null)
}))

function failure(errorGroup: string, finishedAt: number) {
  return makeExecution({ status: 'failed', errorGroup, finishedAt })
}

async function groupOf(backend: ResultBackend, errorGroup: string): Promise<FailureGroup> {
  return (await backend.failureGroups({ errorGroup, limit: 1 })).groups[0]!
}

/** The groups that a list finds for each state. */
async function statesOf(backend: ResultBackend) {
  const names = async (state: 'resolved' | 'regressed') =>
    (await backend.failureGroups({ state, limit: 10 })).groups.map(({ errorGroup }) => errorGroup)
  return { resolved: await names('resolved'), regressed: await names('regressed') }
}

interface OlderDecision { readonly isResolved: boolean; readonly by: string; readonly at: number }
type Decide = (errorGroup: string, decision: OlderDecision) => Promise<unknown>

/** What the version without failure counts in its decisions wrote when a person decided about an open group. */
function decidesOnRedis(store: RedisStore): Decide {
  return async (errorGroup, { isResolved, by, at }) => {
    const key = ledgerKeys(store).group(errorGroup)
    if (isResolved) await store.client.hset(key, 'resolvedThrough', String(at - 1))
    else await store.client.hdel(key, 'resolvedThrough')
    await store.client.hdel(key, 'decidedBy', 'note')
    await store.client.hset(key, 'decidedAt', String(at), 'decidedBy', by)
  }
}

function decidesInSql(store: SqlStore): Decide {
  return (errorGroup, { isResolved, by, at }) => store.query(
    `UPDATE ${ledgerTables(store).failureGroups} SET resolved_through = $2::bigint, decided_at = $3::bigint, decided_by = $4::text,
       note = NULL WHERE error_group = $1::text`,
    [errorGroup, isResolved ? at - 1 : null, at, by]
  )
}
