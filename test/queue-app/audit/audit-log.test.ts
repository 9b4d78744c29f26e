import t, { type Test } from 'tap'
import { createAuditLog, MAX_REFUSALS_PER_MINUTE } from '../../../lib/queue-app/audit/audit-log.ts'
import type { AuditEntry, AuditOutcome, AuditQuery, WriteDescription } from '../../../lib/queue-app/audit/audit-entry.ts'
import type { AuditRecordQuery, AuditStore } from '../../../lib/stores/audit/audit.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { onEveryStore, testNamespace } from '../../support/servers/stores.ts'

const LIMITS = { maxAgeMs: 1e12, maxCount: { write: 10_000, refusal: 2_000 } }
const DONE: AuditOutcome = { outcome: 'done', status: 200, code: null, after: { schedule_id: 's-1' } }
const REFUSED: AuditOutcome = { outcome: 'refused', status: 403, code: 'FORBIDDEN', after: null }

function write(fields: Partial<WriteDescription> = {}): WriteDescription {
  return {
    actor: 'ana', address: '10.0.0.7', action: 'schedules:delete', resource: { scheduleId: 's-1' }, method: 'DELETE',
    path: '/api/schedules/s-1', requestId: 'req-1', reason: null, before: { enabled: true }, ...fields
  }
}

async function openStore(t: Test, url: string): Promise<AuditStore> {
  const store = createStore(url, { namespace: testNamespace(), role: 'result backend', onError: error => t.fail(error.message) })
  await store.start()
  t.teardown(() => store.stop())
  return store.audit
}

t.test('a write is recorded before it is made, and its outcome afterwards', async t => {
  await onEveryStore(t, async (t, url) => {
    let ahead = 0
    const log = createAuditLog({
      store: await openStore(t, url), limits: LIMITS, now: async () => Date.now() + ahead, onError: error => t.fail(error.message)
    })
    const entryId = await log.begin(write())
    t.match(await log.list({}), { entries: [{ entryId, outcome: 'in_progress', after: null }], nextCursor: null, complete: true })
    ahead = 120_000
    t.match(await log.list({}), { entries: [{ outcome: 'unknown' }] }, 'a process that died leaves an unknown outcome')
    await log.settle(entryId, { ...DONE, resource: { taskName: 'report', executionId: 'e-2' } })
    t.match(await log.list({}), {
      entries: [{
        ...write(), entryId, outcome: 'done', status: 200, after: { schedule_id: 's-1' }, madeExecutionId: 'e-2',
        resource: { scheduleId: 's-1', taskName: 'report', executionId: 'e-2' }, truncated: []
      }]
    })
  })
})

t.test('filters find every matching entry, page by page', async t => {
  await onEveryStore(t, async (t, url) => {
    const log = createAuditLog({
      store: await openStore(t, url), limits: LIMITS, now: async () => Date.now(), onError: error => t.fail(error.message)
    })
    const count = 1_200
    for (let start = 0; start < count; start += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => log.begin(write({
        actor: (start + index) % 300 === 0 ? 'ben' : 'ana', resource: { executionId: `e-${start + index}` }, action: 'executions:retry'
      }))))
    }
    // A scan may end early on a busy machine, and the cursor continues it.
    const all = async (query: AuditQuery): Promise<AuditEntry[]> => {
      const { entries, nextCursor } = await log.list(query)
      return nextCursor === null ? entries : [...entries, ...await all({ ...query, cursor: nextCursor })]
    }
    t.same((await all({ actor: 'ben', limit: 3 })).map(({ resource }) => resource.executionId), ['e-900', 'e-600', 'e-300', 'e-0'])
    t.equal((await all({ executionId: 'e-77' })).length, 1)
    t.equal((await all({ action: 'schedules:delete' })).length, 0)
    await t.rejects(log.list({ cursor: 'invented' }), { code: 'INVALID_CURSOR' })
  })
})

t.test('without a filter, no more entries are read than the page needs', async t => {
  const asked: number[] = []
  const records = Array.from({ length: 7 }, (_, index) => ({
    id: `00000000-0000-7000-8000-00000000000${9 - index}`, at: 100 - index, entry: JSON.stringify(write()), outcome: null
  }))
  const store = {
    list: async ({ after, limit }: AuditRecordQuery) => {
      asked.push(limit)
      return records.filter(({ at }) => after === undefined || at < after.at).slice(0, limit)
    }
  } as AuditStore
  const log = createAuditLog({ store, limits: LIMITS, now: async () => 100, onError: error => t.fail(error.message) })
  const found: number[] = []
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page = await log.list({ limit: 3, ...cursor !== undefined && { cursor } })
    found.push(...page.entries.map(({ at }) => at))
    cursor = page.nextCursor
  }
  t.same(found, [100, 99, 98, 97, 96, 95, 94])
  t.same(asked, [4, 4, 4])
})

t.test('a flood of refusals is counted instead of being listed', async t => {
  await onEveryStore(t, async (t, url) => {
    const log = createAuditLog({
      store: await openStore(t, url), limits: LIMITS, now: async () => Date.now(), onError: error => t.fail(error.message)
    })
    const flood = MAX_REFUSALS_PER_MINUTE * 2
    for (let sent = 0; sent < flood; sent++) await log.refuse(write({ actor: null, before: null }), REFUSED)
    await log.begin(write())
    const { entries } = await log.list({ limit: 200 })
    const refused = entries.filter(({ outcome }) => outcome === 'refused')
    // The minute may change while they are sent.
    t.ok(refused.length >= MAX_REFUSALS_PER_MINUTE && refused.length <= flood)
    t.equal(refused.length + entries.reduce((sum, { notListed }) => sum + notListed!, 0), flood)
  })
})

t.test('without its entry, a write is not made', async t => {
  const failing: AuditStore = {
    append: async () => { throw new Error('Command timed out') },
    settle: async () => { throw new Error('Command timed out') },
    list: async () => { throw new Error('Command timed out') },
    prune: async () => 0
  }
  const errors: Error[] = []
  const log = createAuditLog({ store: failing, limits: LIMITS, now: async () => 0, onError: error => { errors.push(error) } })
  await t.rejects(log.begin(write()), { code: 'BACKEND_UNAVAILABLE' })
  await t.rejects(log.list({}), { code: 'BACKEND_UNAVAILABLE' })
  await log.settle('an entry', DONE)
  await log.refuse(write(), REFUSED)
  t.equal(errors.length, 2, 'a failed write that no caller waits for is reported')
})
