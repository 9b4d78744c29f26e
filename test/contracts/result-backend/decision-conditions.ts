import type { Test } from 'tap'
import type { FailureGroup, NewFailureDecision, ResultBackend } from '../../../lib/backend/result-backend.ts'
import { HOUR_MS } from '../../../lib/time/units.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { type OpenStore, freshBackend } from './fresh-backend.ts'

const BY_ADA = { isResolved: true, by: 'Ada', note: null }
const REOPENED = { isResolved: false, by: 'Bob', note: null }
const BY_ITSELF = { isResolved: true, by: null, note: null, isAutomatic: true }

/** Decisions that depend on the previous decision and on counts, and groups that resolve themselves. */
export function decisionConditionsContract(t: Test, openStore: OpenStore): void {
  t.test('a conditional decision is made only if there was no other decision or failure since', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('g', -10), failure('g', -5)])
    const decide = (decision: NewFailureDecision) => backend.decideFailureGroup('g', decision)
    t.match(await decide({ ...BY_ADA, ifCount: 1 }), { state: 'open', decision: null })
    t.match(await decide({ ...BY_ADA, ifDecidedAt: 5 }), { state: 'open', decision: null })
    t.match(await decide({ ...BY_ADA, ifDecidedAt: null, ifCount: 2 }), { state: 'resolved' })

    const { decision: resolved } = (await read(backend, 'g'))!
    t.match(await decide({ ...REOPENED, ifDecidedAt: null }), { state: 'resolved' }, 'it has a decision already')
    t.match(await decide({ ...REOPENED, ifDecidedAt: resolved!.at - 1 }), { state: 'resolved' })
    t.match(
      await decide({ ...REOPENED, note: 'why?', ifDecidedAt: resolved!.at, ifCount: 2 }), { state: 'open', decision: { note: 'why?' } }
    )
    t.match(await decide({ ...BY_ADA, ifDecidedAt: resolved!.at }), { state: 'open', decision: { by: 'Bob' } })
    t.equal(await backend.decideFailureGroup('never', { ...BY_ADA, ifDecidedAt: null, ifCount: 0 }), null)
    t.equal(await read(backend, 'never'), undefined)
  })

  t.test('of many concurrent decisions with the same condition, exactly one is made', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('g', -10)])
    for (const isResolved of [true, false, true]) {
      const at = (await read(backend, 'g'))!.decision?.at ?? null
      const people = Array.from({ length: 12 }, (_, i) => `person ${i}`)
      await Promise.all(people.map(by => backend.decideFailureGroup('g', { isResolved, by, note: by, ifDecidedAt: at })))
      const { decision } = (await read(backend, 'g'))!
      t.match(decision, { isResolved, by: decision!.note! })
      for (const by of people) await backend.decideFailureGroup('g', { isResolved, by, note: `${by} late`, ifDecidedAt: at })
      t.strictSame((await read(backend, 'g'))!.decision, decision, 'the time tells decisions apart')
    }
  })

  t.test('the time of a decision is later than that of the previous one, however fast they follow each other', async t => {
    const backend = await freshBackend(await openStore(t))
    await backend.record([failure('g', -10)])
    let before = 0
    for (let i = 0; i < 30; i++) {
      const { decision } = (await backend.decideFailureGroup('g', { isResolved: i % 2 === 0, by: null, note: null }))!
      t.ok(decision!.at > before)
      before = decision!.at
    }
  })

  t.test('an automatic resolve covers only the counted failures: any other makes the group regress, whenever it finished', async t => {
    const backend = await freshBackend(await openStore(t))
    const longAgo = Date.now() - HOUR_MS
    for (const group of ['older', 'newer', 'same']) await backend.record([failure(group, 0, longAgo)])
    await backend.decideFailureGroup('older', { ...REOPENED, note: 'ticket 7' })
    for (const [group, finishedAt] of [['older', longAgo - 1], ['same', longAgo], ['newer', longAgo + 1]] as const) {
      const resolved = await backend.decideFailureGroup(group, { ...BY_ITSELF, ifCount: 1 })
      t.match(resolved, { state: 'resolved', decision: { isResolved: true, isAutomatic: true, by: null } })
      t.equal(resolved!.decision!.note, group === 'older' ? 'ticket 7' : null, 'a note stays')
      await backend.record([failure(group, 0, finishedAt)])
      t.match(await read(backend, group), { state: 'regressed', count: 2, decision: resolved!.decision! }, group)
    }
    t.strictSame(await ofState(backend, 'regressed'), ['newer', 'older', 'same'])
    t.strictSame(await ofState(backend, 'open'), ['newer', 'older', 'same'])
    t.strictSame(await ofState(backend, 'resolved'), [])
    t.strictSame(await ofState(backend, 'regressed', { taskName: 'email:send' }), ['newer', 'older', 'same'])
    t.match(await backend.decideFailureGroup('older', { ...BY_ITSELF, ifCount: 2 }), { state: 'resolved' })
    t.strictSame(await ofState(backend, 'resolved', { from: longAgo - HOUR_MS }), ['older'])
  })

  t.test('the decision of a person about a group that resolved itself covers all failures that finished before', async t => {
    const backend = await freshBackend(await openStore(t))
    const longAgo = Date.now() - HOUR_MS
    for (const [group, count] of [['noted', 1], ['again', 2], ['reopened', 1]] as const) {
      await backend.record([failure(group, 0, longAgo)])
      const own = (await backend.decideFailureGroup(group, BY_ITSELF))!
      t.strictSame(await backend.decideFailureGroup(group, BY_ADA), own, 'it is resolved already')
      t.strictSame(await backend.decideFailureGroup(group, BY_ITSELF), own)
      if (count === 2) await backend.record([failure(group, 0, longAgo - 1)])
      const decided = await backend.decideFailureGroup(group, group === 'reopened' ? REOPENED : { ...BY_ADA, note: 'seen' })
      t.match(decided, { state: group === 'reopened' ? 'open' : 'resolved', decision: { isAutomatic: false } })
      await backend.record([failure(group, 0, longAgo + 1)])
      t.match(await read(backend, group), { state: group === 'reopened' ? 'open' : 'resolved', count: count + 1 }, group)
    }
  })
}

function failure(errorGroup: string, fromNowMs: number, finishedAt = Date.now() + fromNowMs) {
  return makeExecution({ status: 'failed', errorGroup, finishedAt })
}

async function read(backend: ResultBackend, errorGroup: string): Promise<FailureGroup | undefined> {
  return (await backend.failureGroups({ errorGroup, limit: 5 })).groups[0]
}

async function ofState(
  backend: ResultBackend, state: FailureGroup['state'], query: { readonly taskName?: string; readonly from?: number } = {}
): Promise<string[]> {
  const { groups } = await backend.failureGroups({ state, limit: 10, ...query })
  return groups.map(({ errorGroup }) => errorGroup).sort()
}
