import t from 'tap'
import { createResolveRetried } from '../../../lib/backend/upkeep/resolve-retried.ts'
import { createRetriedGroups } from '../../../lib/backend/upkeep/retried-groups.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { waitFor } from '../../support/wait-for.ts'
import { decided, fakeGroup, fakeGroups, NO_LEASES, resolvedBy, success } from './fake-groups.ts'

type Options = Parameters<typeof createResolveRetried>[0]

function resolving(backend: Options['backend'], over: Partial<Options> = {}) {
  const { recording, stop } = createResolveRetried({
    backend, groups: createRetriedGroups(backend as never), leases: NO_LEASES, holder: 'a', now: async () => 1_000, collectForMs: 1,
    onError: error => { throw error }, ...over
  })
  return { recording, record: (...executions: FinishedExecution[]) => { recording(executions)() }, stop }
}

t.test('nothing is read unless a retry has succeeded and is recorded', async t => {
  const { backend, calls } = fakeGroups(fakeGroup('g', { one: ['success'] }))
  const { recording, record, stop } = resolving(backend)
  record({ ...success(), retryOf: null }, { ...success(), status: 'failed' })
  recording([success()])
  await new Promise(resolve => setTimeout(resolve, 20))
  await stop()
  record(success())
  await new Promise(resolve => setTimeout(resolve, 20))
  t.same(calls, [], 'nor after the end')
})

t.test('a reopened group is resolved only by its own retries that are recorded later, by the clock of the store', async t => {
  // The clock of the store is at 1,000. The retry was recorded some milliseconds before, whatever the clock of its worker says.
  for (const [id, reopenedAt, isResolved] of [
    ['one/0', 500, true], ['one/0', 999, false], ['one/0', 2_000, false], ['of another group', 500, false]
  ] as const) {
    const { backend, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }, decided(false, reopenedAt)))
    const { record, stop } = resolving(backend, { now: () => new Promise(resolve => { setTimeout(resolve, 20, 1_000) }) })
    record(success(id))
    await stop()
    t.same(decisions, isResolved ? [resolvedBy('g', 1, reopenedAt)] : [], `${id} ${reopenedAt}`)
  }
})

t.test('a retry that is recorded while groups are being checked counts', async t => {
  const { backend, fake, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }, decided(false, 500)))
  const { record, recording, stop } = resolving(backend)
  const { list } = fake
  let recorded: (() => void) | undefined
  fake.list = async query => {
    recorded ??= recording([success('one/0')])
    return list(query)
  }
  record(success('of another group'))
  await waitFor('the decision', async () => decisions.length > 0)
  t.same(decisions, [resolvedBy('g', 1, 500)])
  await stop()
})

t.test('a failed pass is reported once and repeated', async t => {
  const { backend, fake, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }))
  const list = fake.list
  let failures = 0
  fake.list = async () => { failures++; throw new Error('away') }
  const errors: string[] = []
  const { record, stop } = resolving(backend, { retryAfterMs: 5, onError: error => { errors.push(error.message) } })
  record(success())
  await waitFor('some passes', async () => failures > 3)
  t.same(errors, ['away'])
  fake.list = list
  await waitFor('the decision', async () => decisions.length > 0)
  t.same(decisions, [resolvedBy('g', 1)])
  await stop()
})

t.test('one process at a time checks groups, and the others follow one after another', async t => {
  let holding: string | null = null
  const leases = {
    acquireLease: async (_lease: string, holder: string) => (holding ??= holder) === holder,
    releaseLease: async () => { holding = null }
  }
  const { backend, fake, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }))
  const { list } = fake
  let [atOnce, most] = [0, 0]
  fake.list = async query => {
    most = Math.max(most, ++atOnce)
    await new Promise(resolve => setTimeout(resolve, 30))
    atOnce--
    return list(query)
  }
  const processes = ['a', 'b', 'c'].map(holder => resolving(backend, { leases, holder }))
  for (const { record } of processes) record(success())
  await waitFor('three decisions', async () => decisions.length === 3)
  t.equal(most, 1)
  for (const { stop } of processes) await stop()
})

t.test('a process that lost its lease stops checking groups, and checks them again later', async t => {
  const { backend, fake, decisions } = fakeGroups(fakeGroup('g', { one: ['success'] }), fakeGroup('h', { two: ['success'] }))
  const { now } = performance
  t.teardown(() => { performance.now = now })
  const asked: boolean[] = []
  let isMine = true
  const { list } = fake
  fake.list = async query => {
    if (!asked.includes(false)) {
      // Frozen for a minute, while another process took the lease.
      isMine = false
      performance.now = () => now.call(performance) + 60_000
    }
    return list(query)
  }
  const { record, stop } = resolving(backend, {
    leases: { acquireLease: async () => { asked.push(isMine); return isMine }, releaseLease: async () => {} }
  })
  record(success())
  await waitFor('the loss to be noticed', async () => asked.includes(false))
  t.same(decisions.map(({ errorGroup }) => errorGroup), ['g'], 'it was under way, and the store refuses it if anything has changed')
  isMine = true
  await stop()
  t.ok(decisions.some(({ errorGroup }) => errorGroup === 'h'))
})

t.test('the retries of a failed pass are kept, up to a limit', async t => {
  const { backend, fake } = fakeGroups()
  let isAway = true
  const tasks: string[] = []
  fake.failureGroups = async (query: { errorGroup?: string; taskName?: string }) => {
    if (isAway) throw new Error('away')
    tasks.push(query.taskName!)
    return { groups: [], next: null }
  }
  const { record, stop } = resolving(backend, { retryAfterMs: 5, onError() {} })
  record(success('first', 'a'))
  for (let i = 0; i < 20; i++) record(...Array.from({ length: 1_000 }, (_, at) => success(`${i} ${at}`, 'b')))
  await new Promise(resolve => setTimeout(resolve, 20))
  isAway = false
  await waitFor('the retried pass', async () => tasks.length > 0)
  t.same(new Set(tasks), new Set(['b']), 'the first of 20,001 was forgotten')
  await stop()
})
