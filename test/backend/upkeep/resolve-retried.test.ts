import t from 'tap'
import { ALL_RETRIED_NOTE, createResolveRetried } from '../../../lib/backend/upkeep/resolve-retried.ts'
import type { FailureGroup, NewFailureDecision } from '../../../lib/backend/result-backend.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { waitFor } from '../../support/wait-for.ts'

type Options = Parameters<typeof createResolveRetried>[0]

const success = (taskName = 'a', finishedAt = 50) =>
  ({ status: 'success', retryOf: 'x', taskName, finishedAt }) as unknown as FinishedExecution

/** A group whose failures are the keys; each has the statuses of its retries, which are named after it. */
function fakeHistory(failures: Record<string, readonly string[]>, over: Partial<FailureGroup> = {}) {
  const own = Object.keys(failures).filter(id => !id.includes('/'))
  const group = {
    errorGroup: 'g', state: 'open', count: own.length, lastSeenAt: 40, lastExecutionId: own[0], decision: null, ...over
  } as FailureGroup
  const decisions: NewFailureDecision[] = []
  const calls: string[] = []
  const backend = {
    async failureGroups() { calls.push('failureGroups'); return { groups: [group], next: null } },
    async list() { calls.push('list'); return { executions: own.map(executionId => ({ executionId })), next: null } },
    async retriesOf(id: string) {
      calls.push(`retriesOf ${id}`)
      return (failures[id] ?? []).map((status, index) => ({ status, executionId: `${id}/${index}` }))
    },
    async decideFailureGroup(_group: string, decision: NewFailureDecision) {
      decisions.push(decision)
      return { ...group, state: decision.isResolved ? 'resolved' : 'open', decision }
    }
  }
  return { backend: backend as unknown as Options['backend'], fake: backend, decisions, calls, group }
}

async function outcome(failures: Record<string, readonly string[]>, over: Partial<FailureGroup> = {}, finishedAt = 50) {
  const { backend, decisions } = fakeHistory(failures, over)
  const resolving = createResolveRetried({ backend, onError: error => { throw error } })
  resolving.notice([success('a', finishedAt)])
  await resolving.stop()
  return decisions
}

/** A first look that gets as far as `two`, and what the one after it reads. */
async function callsOfSecondLook({ backend, calls }: ReturnType<typeof fakeHistory>) {
  const resolving = createResolveRetried({ backend, collectForMs: 1, onError: error => { throw error } })
  resolving.notice([success()])
  await waitFor('the first look', async () => calls.includes('retriesOf two'))
  calls.length = 0
  resolving.notice([success()])
  await waitFor('the second look', async () => calls.length > 1)
  await resolving.stop()
  return calls
}

const RESOLVED = [{ isResolved: true, by: null, note: ALL_RETRIED_NOTE, ifSeenBefore: 41 }]
const decidedBy = (isResolved: boolean, at: number) => ({ decision: { isResolved, at, by: 'ada', note: null } })

t.test('only proven groups are resolved', async t => {
  t.same(await outcome({ one: ['success'], two: ['failed', 'success'] }), RESOLVED)
  t.same(await outcome({ one: ['success'], two: ['failed'], 'two/0': ['success'] }), RESOLVED, 'a retry that failed was retried itself')
  t.same(await outcome({ one: ['success'], two: [] }), [], 'not retried')
  t.same(await outcome({ one: [], two: ['success'] }), [], 'the newest is not retried')
  t.same(await outcome({ one: ['success'], two: ['failed', 'cancelled'] }), [])
  t.same(await outcome({ one: ['success'] }, { count: 2 }), [], 'one is not kept any more')
  t.same(await outcome({ one: ['success'] }, { count: 100_001 }), [])
  t.same(await outcome({ one: ['success'] }, decidedBy(false, 60)), [], 'reopened after the retry')
  t.same(await outcome({ one: ['success'] }, decidedBy(false, 40)), RESOLVED, 'reopened before the retry')
  t.same(await outcome({ one: ['success'] }, { ...decidedBy(true, 60), state: 'regressed' }), RESOLVED)
  t.same(await outcome({ one: ['success'] }, { ...decidedBy(true, 60), state: 'resolved' }), [])
})

t.test('a chain of retries without an end is not followed for ever', async t => {
  const { backend, fake, decisions, calls } = fakeHistory({ one: [] })
  fake.retriesOf = async id => { calls.push(id); return [{ status: 'failed', executionId: `${id}+` }] }
  const resolving = createResolveRetried({ backend, onError: error => { throw error } })
  resolving.notice([success()])
  await resolving.stop()
  t.same(decisions, [])
  t.equal(calls.filter(call => call.startsWith('one')).length, 20)
})

t.test('it opens again if an older failure was recorded meanwhile', async t => {
  const { backend, fake, decisions, group } = fakeHistory({ one: ['success'] })
  const decide = fake.decideFailureGroup
  fake.decideFailureGroup = async (name, decision) => ({ ...await decide(name, decision), count: group.count + 1 })
  const resolving = createResolveRetried({ backend, onError: error => { throw error } })
  resolving.notice([success()])
  await resolving.stop()
  t.same(decisions, [...RESOLVED, { isResolved: false, by: null, note: null }])
})

t.test('nothing is read unless a retry has succeeded', async t => {
  const { backend, calls } = fakeHistory({ one: ['success'] })
  const resolving = createResolveRetried({ backend, collectForMs: 1, onError: error => { throw error } })
  resolving.notice([{ ...success(), retryOf: null }, { ...success(), status: 'failed' }] as FinishedExecution[])
  await resolving.stop()
  resolving.notice([success()])
  await new Promise(resolve => setTimeout(resolve, 20))
  t.same(calls, [], 'nor after the end')
})

t.test('of a group that is retried, the one that is left is looked at first', async t => {
  t.same(await callsOfSecondLook(fakeHistory({ one: ['success'], two: [], three: ['success'] })), ['failureGroups', 'retriesOf two'])
})

t.test('a group whose failures are not all kept is not scanned again', async t => {
  const history = fakeHistory({ one: ['success'], two: ['success'] }, { count: 3 })
  t.same(await callsOfSecondLook(history), ['failureGroups', 'failureGroups'])
  t.same(history.decisions, [])
})

t.test('a failed pass is reported once and repeated', async t => {
  const { backend, fake, decisions } = fakeHistory({ one: ['success'] })
  const list = fake.list
  let failures = 0
  fake.list = async () => { failures++; throw new Error('away') }
  const errors: string[] = []
  const resolving = createResolveRetried({ backend, collectForMs: 1, retryAfterMs: 5, onError: error => { errors.push(error.message) } })
  resolving.notice([success()])
  await waitFor('some passes', async () => failures > 3)
  t.same(errors, ['away'])
  fake.list = list
  await waitFor('the decision', async () => decisions.length > 0)
  t.same(decisions, RESOLVED)
  await resolving.stop()
})
