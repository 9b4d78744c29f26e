import type { Test } from 'tap'
import type { FailureGroup, FailureGroupPosition, FailureGroupQuery, ResultBackend } from '../../../lib/backend/result-backend.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'

const BY_ADA = { isResolved: true, by: 'Ada', note: null }
const REOPENED = { isResolved: false, by: 'Bob', note: null }
const YEAR_MS = 365 * 24 * HOUR_MS

/** People resolve and reopen failure groups. */
export function failureDecisionsContract(t: Test, openStore: OpenStore): void {
  t.test('a group is resolved, regresses with the next failure, and is resolved again; this never changes its counts', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('g', -10), failure('g', -5)])
    const before = await read(backend, 'g')
    t.match(before, { state: 'open', decision: null, count: 2 })

    const askedAt = Date.now()
    const resolved = await backend.decideFailureGroup('g', { isResolved: true, by: 'Ada', note: 'fixed in 1.2' })
    t.match(resolved, { state: 'resolved', decision: { isResolved: true, by: 'Ada', note: 'fixed in 1.2' } })
    t.ok(Math.abs(resolved!.decision!.at - askedAt) < 10_000, 'the time is that of the store')
    t.strictSame({ ...resolved, state: 'open', decision: null }, before, 'nothing else changes')
    t.strictSame(await read(backend, 'g'), resolved)

    await backend.record([failure('g', 0, resolved!.decision!.at - 2)])
    t.match(await read(backend, 'g'), { state: 'resolved', count: 3 }, 'it failed before the decision, and was recorded late')
    await backend.record([failure('g', 0, resolved!.decision!.at + 1)])
    t.match(await read(backend, 'g'), { state: 'regressed', decision: resolved!.decision!, count: 4 })

    t.match(await backend.decideFailureGroup('g', { ...BY_ADA, by: 'Bob' }), {
      state: 'resolved', decision: { by: 'Bob', note: null }, count: 4
    })
    t.match(await backend.decideFailureGroup('g', REOPENED), { state: 'open', decision: { isResolved: false, by: 'Bob', note: null } })
    await backend.record([failure('g', 5)])
    t.match(await read(backend, 'g'), { state: 'open', count: 5 })
  })

  t.test('a failure in the millisecond of the decision makes the group regress only if it is recorded after the decision', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('late', -1), failure('before', -1)])
    const { decision } = (await backend.decideFailureGroup('late', BY_ADA))!
    await backend.record([failure('late', 0, decision!.at - 1)])
    t.equal((await read(backend, 'late'))!.state, 'resolved')
    await backend.record([failure('late', 0, decision!.at)])
    t.equal((await read(backend, 'late'))!.state, 'regressed')

    await backend.record([failure('before', 0, Date.now() + 2)])
    t.equal((await backend.decideFailureGroup('before', BY_ADA))!.state, 'resolved')
  })

  t.test('with ifSeenBefore a group is resolved only up to that time, and not if it failed since', async t => {
    const backend = await freshBackend(await openStore(t))
    const before = Date.now() - 1_000
    await backend.record([failure('older', 0, before - 1), failure('newer', 0, before)])
    t.match(await backend.decideFailureGroup('newer', { ...BY_ADA, note: 'new', ifSeenBefore: before }), { state: 'open', decision: null })
    t.match(await backend.decideFailureGroup('older', { ...BY_ADA, ifSeenBefore: before }), { state: 'resolved', decision: { by: 'Ada' } })
    await backend.record([failure('older', 0, before - 1)])
    t.equal((await read(backend, 'older'))!.state, 'resolved')
    await backend.record([failure('older', 0, before)])
    t.equal((await read(backend, 'older'))!.state, 'regressed', 'it was recorded after the decision')
  })

  t.test('failures with the time of a fast clock are resolved too, and later ones by that clock make the group regress', async t => {
    const backend = await freshBackend(await openStore(t))
    const inAnHour = Date.now() + HOUR_MS
    await backend.record([failure('g', 0, inAnHour)])
    t.equal((await backend.decideFailureGroup('g', BY_ADA))!.state, 'resolved')
    await backend.record([failure('g', 0, inAnHour + 1)])
    t.equal((await read(backend, 'g'))!.state, 'regressed')
  })

  t.test('repeating a decision changes nothing, and another note replaces the note', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('g', -1)])
    t.equal((await backend.decideFailureGroup('g', REOPENED))!.decision, null, 'no one had resolved it')
    t.match(await backend.decideFailureGroup('g', { ...REOPENED, note: 'who knows it?' }), {
      state: 'open', decision: { isResolved: false, by: 'Bob', note: 'who knows it?' }
    })
    const first = await backend.decideFailureGroup('g', BY_ADA)
    t.equal(first!.decision!.note, null, 'the note of the previous state is gone')
    t.strictSame(await backend.decideFailureGroup('g', { ...BY_ADA, by: 'Bob' }), first)
    const noted = await backend.decideFailureGroup('g', { ...BY_ADA, by: 'Bob', note: 'duplicate' })
    t.match(noted, { state: 'resolved', decision: { by: 'Bob', note: 'duplicate' } })
    t.strictSame(await backend.decideFailureGroup('g', { ...BY_ADA, note: 'duplicate' }), noted)
    t.strictSame(await backend.decideFailureGroup('g', BY_ADA), noted, 'a repeat without a note keeps the note')

    await backend.record([failure('g', 0, first!.decision!.at + 1)])
    t.equal((await read(backend, 'g'))!.state, 'regressed', 'a new note did not move the time')
  })

  t.test('people who decide at the same time get one common state, even while failures are recorded', async t => {
    const backend = await freshBackend(await openStore(t))
    const executions = Array.from({ length: 40 }, (_, i) => failure(`g${i % 2}`, -1_000 + i))
    await backend.record(executions.slice(0, 20))
    const people = Array.from({ length: 10 }, (_, i) => `person ${i}`)
    const [answers] = await Promise.all([
      Promise.all(people.map(by => backend.decideFailureGroup('g0', { isResolved: true, by, note: null }))),
      backend.record(executions.slice(20))
    ])
    t.strictSame(new Set(answers.map(answer => answer!.state)), new Set(['resolved']))
    t.equal(new Set(answers.map(answer => answer!.decision!.by)).size, 1, 'the first decision is kept')
    await Promise.all(people.map((by, i) => backend.decideFailureGroup('g1', { isResolved: i % 2 === 0, by, note: by })))
    const { state, decision, count } = (await read(backend, 'g1'))!
    t.match({ state, note: decision!.note, count }, {
      state: decision!.isResolved ? 'resolved' : 'open', note: decision!.by!, count: 20
    })
  })

  t.test('a decision about an unknown group does nothing, and a pruned group is forgotten with its decision', async t => {
    const backend = await freshBackend(await openStore(t))
    t.equal(await backend.decideFailureGroup('never', BY_ADA), null)
    t.equal(await read(backend, 'never'), undefined)
    const longAgo = Date.now() - 3 * YEAR_MS
    await backend.record([failure('old', 0, longAgo)])
    t.equal((await backend.decideFailureGroup('old', BY_ADA))!.state, 'resolved')
    const limits = { maxAgeMs: HOUR_MS, maxCount: 1_000 }
    await backend.prune({ success: limits, failed: limits }, {
      nowMs: Date.now(), keepAfterMs: Date.now(), brokerHasAfterMs: Infinity, limit: 100
    })
    t.equal(await read(backend, 'old'), undefined)
    t.equal(await backend.decideFailureGroup('old', REOPENED), null)
    await backend.record([failure('old', 0)])
    t.match(await read(backend, 'old'), { state: 'open', decision: null, count: 1 })
  })

  t.test('any text is returned unchanged', async t => {
    const backend = await freshBackend(await openStore(t))
    const group = "it's\u0000 日 __proto__"
    await backend.record([failure(group, -1)])
    const hostile = ['\u0000\u0001\ud800', "'; DROP TABLE x; --", '$1 %s \\ "', '\u202eevil\n\n', '👩‍👩‍👧', 'x'.repeat(1_000), '0', 'false']
    for (const text of hostile) {
      const decided = await backend.decideFailureGroup(group, { isResolved: true, by: text, note: text })
      t.match(decided, { errorGroup: group, state: 'resolved', decision: { by: text, note: text } })
    }
  })

  t.test('groups are listed by state, page by page', async t => {
    const backend = await freshBackend(await openStore(t))
    const now = Date.now()
    await backend.record(Array.from({ length: 450 }, (_, i) => failure(`g${i}`, 0, now - HOUR_MS - i)))
    const decided = [3, 200, 201, 449]
    for (const i of decided) await backend.decideFailureGroup(`g${i}`, BY_ADA)
    await backend.record([failure('g200', 0, Date.now() + 1_000), failure('g7', 0, Date.now() + 1_000)])
    await backend.decideFailureGroup('g5', { ...REOPENED, note: 'looked at' })
    for (const limit of [2, 200]) {
      t.strictSame(await names(backend, { limit, state: 'resolved' }), ['g3', 'g201', 'g449'])
      t.strictSame(await names(backend, { limit, state: 'regressed' }), ['g200'])
    }
    const open = await names(backend, { limit: 200, state: 'open' })
    t.equal(open.length, 447)
    t.ok(open.includes('g200') && open.includes('g5') && !open.includes('g3'), 'regressed groups count as open')
    t.equal((await names(backend, { limit: 200 })).length, 450)
    t.strictSame(await names(backend, { limit: 10, state: 'resolved', taskName: 'email:send', from: now - 2 * HOUR_MS }), [
      'g3', 'g201', 'g449'
    ])
    t.strictSame(await names(backend, { limit: 10, state: 'resolved', errorGroup: 'g4' }), [])
    t.strictSame(await names(backend, { limit: 10, state: 'resolved', taskName: 'never' }), [])
    t.strictSame((await backend.failureGroups({ limit: 10, state: 'resolved' })).total, { value: 3, relation: 'exact' })
  })
}

function failure(errorGroup: string, fromNowMs: number, finishedAt = Date.now() + fromNowMs) {
  return makeExecution({ status: 'failed', errorGroup, finishedAt })
}

async function read(backend: ResultBackend, errorGroup: string): Promise<FailureGroup | undefined> {
  return (await backend.failureGroups({ errorGroup, limit: 5 })).groups[0]
}

async function names(backend: ResultBackend, query: FailureGroupQuery): Promise<string[]> {
  const found: string[] = []
  let after: FailureGroupPosition | undefined
  do {
    const page = await backend.failureGroups({ ...query, ...after && { after } })
    found.push(...page.groups.map(each => each.errorGroup))
    after = page.next ?? undefined
  } while (after)
  return found
}
