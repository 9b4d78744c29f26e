import t from 'tap'
import { createRetriedGroups, type Look } from '../../../lib/backend/upkeep/retried-groups.ts'
import type { FailureGroup } from '../../../lib/backend/result-backend.ts'
import { decided, fakeGroup, fakeGroups, resolvedBy } from './fake-groups.ts'

/** Says that every retry was recorded at 50. */
const LOOK: Look = { recordedAt: () => 50, goesOn: async () => true }

async function outcome(failures: Record<string, readonly string[]>, over: Partial<FailureGroup> = {}, look: Look = LOOK) {
  const { backend, groups, decisions } = fakeGroups(fakeGroup('g', failures, over))
  t.equal(await createRetriedGroups(backend).lookAt(groups, look), null)
  return decisions
}

t.test('a group is resolved only if each of its failures was retried successfully', async t => {
  t.same(await outcome({ one: ['success'], two: ['failed', 'success'] }), [resolvedBy('g', 2)])
  t.same(await outcome({ one: ['success'], two: ['failed'], 'two/0': ['success'] }), [resolvedBy('g', 2)], 'its retry was retried itself')
  t.same(await outcome({ one: ['success'], two: [] }), [], 'not retried')
  t.same(await outcome({ one: [], two: ['success'] }), [], 'the newest is not retried')
  t.same(await outcome({ one: ['success'], two: ['failed', 'cancelled'] }), [])
  t.same(await outcome({ one: ['success'] }, { count: 2 }), [], 'one is not kept any more')
  t.same(await outcome({ one: ['success'], two: ['success'] }, { count: 1 }), [], 'one was recorded in the meantime')
  t.same(await outcome({ one: ['success'] }, { count: 100_001 }), [])
  t.same(await outcome({ one: ['success'] }, { ...decided(true, 60), state: 'regressed' }), [resolvedBy('g', 1, 60)])
  t.same(await outcome({ one: ['success'] }, { ...decided(true, 60), state: 'resolved' }), [])
})

t.test('a group that a person reopened is resolved only after another of its own retries is recorded', async t => {
  const failures = { one: ['success'], two: ['success'] }
  t.same(await outcome(failures, decided(false, 49)), [resolvedBy('g', 2, 49)])
  t.same(await outcome(failures, decided(false, 50)), [], 'recorded at the same moment')
  t.same(await outcome(failures, decided(false, 60)), [])
  t.same(await outcome(failures, decided(false, 40), { ...LOOK, recordedAt: id => id === 'two/0' ? 50 : null }), [resolvedBy('g', 2, 40)])
  t.same(await outcome(failures, decided(false, 40), { ...LOOK, recordedAt: () => null }), [], 'all by other processes')
  t.same(await outcome(failures, decided(false, 40), { goesOn: LOOK.goesOn }), [], 'the times of recording are unknown')
})

t.test('a chain of retries without an end is not followed for ever', async t => {
  const { backend, fake, groups, decisions, calls } = fakeGroups(fakeGroup('g', { one: [] }))
  for (const atOnce of [1, 20]) {
    calls.length = 0
    fake.retriesOf = async id => {
      calls.push(id)
      return Array.from({ length: atOnce }, (_, index) => ({ status: 'failed', executionId: `${id}+${index}` }))
    }
    await createRetriedGroups(backend).lookAt(groups, LOOK)
    t.equal(calls.filter(call => call.startsWith('one')).length, 20)
  }
  t.same(decisions, [])
})

t.test('the next pass first checks the failure whose retry was missing', async t => {
  const { backend, groups, calls, decisions } = fakeGroups(fakeGroup('g', { one: ['success'], two: [], three: ['success'] }))
  const { lookAt } = createRetriedGroups(backend)
  await lookAt(groups, LOOK)
  calls.length = 0
  await lookAt(groups, LOOK)
  t.same(calls, ['retriesOf two'])
  t.same(decisions, [])
})

t.test('a group that no retry can resolve is not scanned again until it fails again', async t => {
  for (const over of [{ count: 3 }, decided(false, 60)]) {
    const { backend, groups, calls, decisions } = fakeGroups(fakeGroup('g', { one: ['success'], two: ['success'] }, over))
    const { lookAt } = createRetriedGroups(backend)
    await lookAt(groups, LOOK)
    calls.length = 0
    await lookAt(groups, LOOK)
    t.same(calls, ['failureGroups'])
    t.same(decisions, [])
    Object.assign(groups[0]!, { count: 4 })
    await lookAt(groups, LOOK)
    t.ok(calls.includes('oldest g'))
  }
})

t.test('the failures of a group are not listed if some of them are no longer kept', async t => {
  const failures = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`e${index}`, ['success']]))
  for (const { what, over, total } of [
    { what: 'the oldest were pruned', over: { firstSeenAt: 9, count: 20_000 }, total: { value: 300, relation: 'at_least' as const } },
    { what: 'one was deleted', over: { count: 301 }, total: { value: 300, relation: 'exact' as const } }
  ]) {
    const { backend, fake, groups, calls, decisions } = fakeGroups(fakeGroup('g', failures, over))
    const { list } = fake
    fake.list = async query => ({ ...await list(query), total })
    await createRetriedGroups(backend).lookAt(groups, LOOK)
    t.same(calls, ['retriesOf e0', 'failureGroups', 'oldest g'], what)
    t.same(decisions, [])
  }
})

t.test('a pass without recording times does not affect a later pass with them', async t => {
  const { backend, groups, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }, decided(false, 40)))
  const { lookAt } = createRetriedGroups(backend)
  await lookAt(groups, { goesOn: LOOK.goesOn })
  await lookAt(groups, LOOK)
  t.same(decisions, [resolvedBy('g', 1, 40)])
})

t.test('groups that cannot be read do not stop the others, and come last in the next pass', async t => {
  const names = ['bad', 'bad too', 'bad as well', 'bad at last', 'good', 'fine']
  const { backend, fake, groups, decisions, calls } = fakeGroups(...names.map(name => fakeGroup(name, { [name]: ['success'] })))
  const { list } = fake
  fake.list = async query => {
    if (query.errorGroup.startsWith('bad')) throw new Error(`${query.errorGroup} is too large`)
    return list(query)
  }
  const { lookAt } = createRetriedGroups(backend)
  t.match(await lookAt(groups, LOOK), { message: 'bad is too large' })
  t.same(decisions.map(each => each.errorGroup), ['good', 'fine'])
  calls.length = 0
  t.match(await lookAt(groups, LOOK), { message: 'bad is too large' })
  t.same(calls.filter(call => call.startsWith('retriesOf')).slice(0, 3), ['retriesOf good', 'retriesOf good', 'retriesOf fine'])
})

t.test('a store that is unavailable is not queried for each group', async t => {
  const { backend, fake, groups } = fakeGroups(...Array.from({ length: 50 }, (_, at) => fakeGroup(`g${at}`, { [`e${at}`]: [] })))
  let asked = 0
  fake.retriesOf = async () => { asked++; throw new Error('away') }
  fake.failureGroups = async () => { throw new Error('still away') }
  await t.rejects(createRetriedGroups(backend).lookAt(groups, LOOK), { message: 'still away' })
  t.equal(asked, 3)
})

t.test('a pass that is stopped in the middle of a group decides nothing', async t => {
  const { backend, fake, groups, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }, { count: 2 }))
  const { list } = fake
  fake.list = async query => ({ ...await list(query), total: { value: 1, relation: 'at_least' as const }, next: {} as unknown as null })
  let asked = 0
  t.equal(await createRetriedGroups(backend).lookAt(groups, { ...LOOK, goesOn: async () => ++asked < 2 }), null)
  t.same(decisions, [])
  t.equal(asked, 3)
})
