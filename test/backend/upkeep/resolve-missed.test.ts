import t from 'tap'
import { createResolveMissed } from '../../../lib/backend/upkeep/resolve-missed.ts'
import { createRetriedGroups } from '../../../lib/backend/upkeep/retried-groups.ts'
import type { FailureGroupQuery } from '../../../lib/backend/result-backend.ts'
import { makeExecution } from '../make-execution.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { decided, fakeGroup, fakeGroups, NO_LEASES, resolvedBy } from './fake-groups.ts'
import { openHistory } from './open-history.ts'

const upkeep = { leases: NO_LEASES, documents: createMemoryDocuments(), holder: 'a', onError() {} }

t.test('groups whose last successful retry went unnoticed are resolved, on each store', t => onEveryStore(t, async (t, url) => {
  const { store, backend } = await openHistory(t, url)
  const failure = (errorGroup: string) => makeExecution({ status: 'failed', errorGroup, finishedAt: Date.now() - 1_000 })
  const [good, half, again, reopened] = [failure('good'), failure('half'), failure('again'), failure('reopened')]
  const retries = [good, half, again, reopened].map(({ executionId }) => makeExecution({ retryOf: executionId }))
  await backend.record([good, half, failure('half'), again, reopened, ...retries])
  await backend.decideFailureGroup('reopened', { isResolved: false, by: 'ada', note: 'not good' })
  const { documents } = store
  const missed = createResolveMissed({ ...upkeep, backend, groups: createRetriedGroups(backend), leases: documents, documents })
  t.teardown(() => missed.stop())
  const states = async () =>
    Object.fromEntries((await backend.failureGroups({ limit: 9 })).groups.map(({ errorGroup, state }) => [errorGroup, state]))
  t.equal(await missed.runOnce(), 3, 'not the one that someone reopened')
  t.same(await states(), { good: 'resolved', half: 'open', again: 'resolved', reopened: 'open' })
  const { decision } = (await backend.failureGroups({ errorGroup: 'good', limit: 1 })).groups[0]!
  t.match(decision, { isAutomatic: true, by: null })

  // It finished before the decision and was recorded after it, because the process that had to record it died.
  const late = makeExecution({ status: 'failed', errorGroup: 'again', finishedAt: Date.now() - 60_000 })
  await backend.record([late])
  await missed.runOnce()
  t.equal((await states()).again, 'regressed', 'it was not retried')
  await backend.record([makeExecution({ retryOf: late.executionId })])
  await missed.runOnce()
  t.equal((await states()).again, 'resolved')
}))

t.test('each pass continues with the next groups, in whichever process it runs, and starts over after the last', async t => {
  const { backend, fake } = fakeGroups()
  const asked: unknown[] = []
  fake.failureGroups = async (query: FailureGroupQuery) => {
    asked.push(query)
    return { groups: [], next: (query.after === undefined ? { lastSeenAt: 5, errorGroup: 'g' } : null) as null }
  }
  const documents = createMemoryDocuments()
  const oneProcess = () => createResolveMissed({ ...upkeep, documents, backend, groups: createRetriedGroups(backend) })
  for (let i = 0; i < 3; i++) await oneProcess().runOnce()
  const first = { state: 'open', limit: 200 }
  t.same(asked, [first, { ...first, after: { lastSeenAt: 5, errorGroup: 'g' } }, first])
})

t.test('a group that cannot be read is reported, and the other groups are still resolved', async t => {
  const { backend, fake, decisions } = fakeGroups(
    fakeGroup('bad', { one: ['success'] }), fakeGroup('good', { two: ['success'] }),
    fakeGroup('kept', { two: ['success'] }, decided(false, 5))
  )
  const { list } = fake
  fake.list = async query => query.errorGroup === 'bad' ? Promise.reject(new Error('too large')) : list(query)
  const missed = createResolveMissed({ ...upkeep, backend, groups: createRetriedGroups(backend) })
  await t.rejects(missed.runOnce(), { message: 'too large' })
  t.same(decisions, [resolvedBy('good', 1)])
})

t.test('without the lease nothing is read', async t => {
  const { backend, calls } = fakeGroups(fakeGroup('g', { one: ['success'] }))
  const missed = createResolveMissed({
    ...upkeep, backend, groups: createRetriedGroups(backend), leases: { ...NO_LEASES, acquireLease: async () => false }
  })
  t.equal(await missed.runOnce(), null)
  t.same(calls, [])
})
