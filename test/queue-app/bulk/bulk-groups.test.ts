import t from 'tap'
import type { FailureGroup, NewFailureDecision } from '../../../lib/backend/result-backend.ts'
import type { Acting } from '../../../lib/queue-app/bulk/acting.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { resolveFilter } from '../../../lib/queue-app/bulk/matching/bulk-filter.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/matching/bulk-matches.ts'
import type { SettledItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { openHistory } from '../../backend/upkeep/open-history.ts'
import { actingOn, ORDER } from './bulk-order.ts'

type Backend = Pick<Parameters<typeof createBulkActions>[0]['backend'], 'failureGroups' | 'decideFailureGroup'>

const actionsOf = (backend: Backend) =>
  createBulkActions({ backend, engine: { gentleBatch: 100 } } as unknown as Parameters<typeof createBulkActions>[0])

/** An operation on a real store: `ada` resolves all groups that failed before now, and `bo` undoes that. */
async function open(t: Parameters<typeof openHistory>[0], url: string) {
  const { store, backend } = await openHistory(t, url)
  const createdAt = await store.now()
  const acting = actingOn('resolve', { taskNames: ['email:send'] })
  Object.assign(acting, { order: { ...acting.order, createdAt, before: createdAt, by: 'ada', reason: 'fixed' } })
  return {
    store, backend, acting,
    async undoing(): Promise<Acting> {
      return { ...acting, order: { ...acting.order, wanted: 'undo', changedAt: await store.now(), changedBy: 'bo' } }
    },
    fail: (errorGroup: string, finishedAt = createdAt - 1_000) =>
      backend.record([makeExecution({ status: 'failed', errorGroup, finishedAt })]),
    group: async (errorGroup: string) => (await backend.failureGroups({ errorGroup, limit: 1 })).groups[0]!
  }
}

/** Calls `first` between the read of a group and the decision about it. */
function interrupted(backend: Backend, first: () => Promise<unknown>): Backend {
  return {
    failureGroups: query => backend.failureGroups(query),
    async decideFailureGroup(errorGroup, decision) {
      await first()
      return backend.decideFailureGroup(errorGroup, decision)
    }
  }
}

const BY_EVE = { isResolved: false, by: 'eve', note: 'not yet' }

t.test('a bulk resolve does not overwrite a decision that a person makes while it runs', t => onEveryStore(t, async (t, url) => {
  const { backend, acting, fail, group } = await open(t, url)
  await fail('g')
  const eve = () => backend.decideFailureGroup('g', BY_EVE)
  const racing = actionsOf(interrupted(backend, eve))
  t.same(await racing.settle(acting, [['g', null]]), [['g', null, 'skipped', 'FAILURE_GROUP_DECIDED']])
  t.match(await group('g'), { state: 'open', decision: BY_EVE })
  t.same(await actionsOf(backend).settle(acting, [['g', null]]), [['g', null, 'skipped', 'FAILURE_GROUP_DECIDED']], 'and not later either')
  t.match(await group('g'), { state: 'open', decision: BY_EVE })

  await fail('taken')
  await backend.decideFailureGroup('taken', { isResolved: true, by: 'eve', note: null })
  const decided = [['taken', null, 'skipped', 'FAILURE_GROUP_DECIDED']]
  t.same(await actionsOf(backend).settle(acting, [['taken', null]]), decided, 'she resolved it')
}))

t.test('manual decisions of the same person during an operation do not count as made by the operation', t =>
  onEveryStore(t, async (t, url) => {
    const { backend, acting, undoing, fail, group } = await open(t, url)
    const names = ['byHand', 'inBulk', 'racing']
    for (const name of names) await fail(name)
    const byHand = (errorGroup: string, isResolved = true) =>
      backend.decideFailureGroup(errorGroup, { isResolved, by: 'ada', note: isResolved ? 'fixed' : null })
    await byHand('byHand')
    const racing = actionsOf(interrupted(backend, () => byHand('racing')))
    const decided = (name: string, outcome = 'skipped'): object => [name, null, outcome, 'FAILURE_GROUP_DECIDED']
    t.same(await racing.settle(acting, [['racing', null]]), [decided('racing')])
    const done = await actionsOf(backend).settle(acting, names.map(name => [name, null] as const))
    t.same(done, [decided('byHand'), ['inBulk', null, 'done'], decided('racing')])
    t.same(await actionsOf(backend).settle(acting, names.map(name => [name, null] as const)), done, 'the same after a crash')
    t.same(await actionsOf(backend).whatWasDone(acting, names.map(name => [name, null] as const)), [['inBulk', null, 'done']])

    await byHand('inBulk', false)
    await byHand('inBulk')
    const undo = { ...await undoing(), order: { ...(await undoing()).order, changedBy: 'ada' } }
    t.same(await actionsOf(backend).undo(undo, done), [decided('byHand'), decided('inBulk', 'done'), decided('racing')])
    for (const name of names) t.match(await group(name), { state: 'resolved', decision: { by: 'ada', note: 'fixed' } }, name)
  }))

t.test('a group that got a note before the start is resolved', t => onEveryStore(t, async (t, url) => {
  const { store, backend, acting, fail, group } = await open(t, url)
  await fail('g')
  await backend.decideFailureGroup('g', { ...BY_EVE, note: 'whose is it?' })
  const createdAt = await store.now() + 1
  const later = { ...acting, order: { ...acting.order, createdAt } }
  while (await store.now() < createdAt) await new Promise(resolve => setTimeout(resolve, 1))
  t.same(await actionsOf(backend).settle(later, [['g', null]]), [['g', null, 'done']])
  t.match(await group('g'), { state: 'resolved', decision: { by: 'ada', note: 'fixed' } })
}))

t.test('an undo keeps what a person decided in between, and the item says so', t => onEveryStore(t, async (t, url) => {
  const { backend, acting, undoing, fail, group } = await open(t, url)
  const names = ['mine', 'hers', 'racing', 'again']
  for (const name of names) await fail(name)
  const done = await actionsOf(backend).settle(acting, names.map(name => [name, null] as const))
  t.same(done, names.map(name => [name, null, 'done']))
  await backend.decideFailureGroup('hers', { isResolved: true, by: 'eve', note: 'really fixed' })
  await fail('again', Date.now() + 1_000)
  t.equal((await group('again')).state, 'regressed')

  const undo = await undoing()
  const racing = interrupted(backend, () => backend.decideFailureGroup('racing', { isResolved: true, by: 'eve', note: 'sure' }))
  const ofRacing = done.filter(([name]) => name === 'racing')
  t.same(await actionsOf(racing).undo(undo, ofRacing), [['racing', null, 'done', 'FAILURE_GROUP_DECIDED']])
  const undone: SettledItem[] = [
    ['mine', null, 'undone'], ['hers', null, 'done', 'FAILURE_GROUP_DECIDED'], ['racing', null, 'done', 'FAILURE_GROUP_DECIDED'],
    ['again', null, 'undone']
  ]
  t.same(await actionsOf(backend).undo(undo, done), undone)
  t.match(await group('mine'), { state: 'open', decision: { isResolved: false, by: 'bo' } })
  t.match(await group('hers'), { state: 'resolved', decision: { by: 'eve', note: 'really fixed' } })
  t.match(await group('racing'), { state: 'resolved', decision: { by: 'eve', note: 'sure' } })
  t.match(await group('again'), { state: 'open', decision: { by: 'bo' } })
  t.same(await actionsOf(backend).undo(undo, done), undone, 'the same after a crash')
  t.same(await actionsOf(backend).undo(undo, [['never', null, 'done']]), [['never', null, 'done', 'FAILURE_GROUP_NOT_FOUND']])
}))

t.test('a group that failed again after the start is not resolved', async t => {
  let lastSeenAt = 999
  let lastSeenAtDecision = 999
  const { settle } = actionsOf({
    failureGroups: async () => ({ groups: [{ errorGroup: 'g', lastSeenAt, decision: null }] }),
    decideFailureGroup: async (_: string, { ifSeenBefore = Infinity, isResolved, by, note }: NewFailureDecision) => {
      const isMet = lastSeenAtDecision < ifSeenBefore
      return { lastSeenAt: lastSeenAtDecision, decision: isMet ? { isResolved, isAutomatic: false, by, note, at: 2_000 } : null }
    }
  } as unknown as Backend)
  const acting = actingOn('resolve')
  t.same(await settle(acting, [['g', null]]), [['g', null, 'done']])
  lastSeenAtDecision = 1_000
  t.same(await settle(acting, [['g', null]]), [['g', null, 'skipped', 'FAILED_AGAIN']], 'between the check and the decision')
  lastSeenAt = 1_000
  t.same(await settle(acting, [['g', null]]), [['g', null, 'skipped', 'FAILED_AGAIN']])
})

t.test('an operation without a name does not claim a group that resolved itself', async t => {
  const decision: FailureGroup['decision'] =
    { isResolved: true, isAutomatic: true, at: 2_000, by: null, note: null, resolvedThrough: 10 }
  const { undo } = actionsOf({
    failureGroups: async () => ({ groups: [{ errorGroup: 'g', state: 'resolved', decision }] }),
    decideFailureGroup: async () => { throw new Error('it was decided') }
  } as unknown as Backend)
  const acting = actingOn('resolve', { order: { ...ORDER, action: 'resolve', by: null } })
  t.same(await undo(acting, [['g', null, 'done']]), [['g', null, 'done', 'FAILURE_GROUP_DECIDED']])
})

t.test('the task named by a filter remains a condition when other tasks are left out', t => onEveryStore(t, async (t, url) => {
  const { backend, store } = await openHistory(t, url)
  const finishedAt = await store.now() - 1_000
  const groups = { ofA: ['a'], ofB: ['b'], ofBoth: ['a', 'b'], ofHidden: ['hidden'], ofAAndHidden: ['a', 'hidden'] }
  await backend.record(Object.entries(groups).flatMap(([errorGroup, tasks]) => tasks.map(taskName =>
    makeExecution({ executionId: `${errorGroup} ${taskName}`, taskName, status: 'failed', errorGroup, finishedAt }))))
  const matches = createBulkMatches({ backend } as unknown as Parameters<typeof createBulkMatches>[0])
  const found = async (taskName: string | undefined) => {
    const wanted = {
      action: 'resolve' as const, before: finishedAt + 1, taskNames: ['a', 'b'], isAllTasks: false,
      filter: resolveFilter({ action: 'resolve', filter: taskName === undefined ? {} : { taskName } }, finishedAt)
    }
    const { items } = await matches.next(wanted, { unread: 0, open: [] }, 10)
    t.match(await matches.count(wanted), { value: items.length })
    return items.map(([group]) => group).sort()
  }
  t.same(await found('a'), ['ofA', 'ofBoth'])
  t.same(await found(undefined), ['ofA', 'ofB', 'ofBoth'])
  t.same(await found('hidden'), [])
}))
