import { mock } from 'node:test'
import t from 'tap'
import { withDeadlines } from '../../lib/backend/deadlines.ts'
import type { ResultBackend } from '../../lib/backend/result-backend.ts'

const never = () => new Promise<never>(() => {})

for (const [what, call, withinMs] of [['read', 'totals', 1_500], ['write', 'recordAttempts', 10_000]] as const) {
  t.test(`a ${what} that is never answered rejects after ${withinMs / 1_000} s, ` +
    'and its cause names the call', async t => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    let error: unknown
    const answer = backendWith({ [call]: never })[call]([]).catch((reason: unknown) => { error = reason })
    mock.timers.tick(withinMs * 0.9)
    await new Promise(resolve => setImmediate(resolve))
    t.equal(error, undefined)
    mock.timers.tick(withinMs * 0.1)
    await answer
    t.match(error, { code: 'BACKEND_UNAVAILABLE', statusCode: 503, cause: { message: new RegExp(`^${call} was not answered`) } })
  })
}

t.test('the error of the datastore is the cause, and not part of the message', async t => {
  const cause = new Error('ECONNREFUSED 10.0.0.7:6379')
  const error = await backendWith({ find: () => Promise.reject(cause) }).find('x').catch((error: Error) => error) as Error
  t.equal(error.cause, cause)
  t.notMatch(error.message, /10\.0\.0\.7/)
})

t.test('a programming error is passed on, not reported as an outage', async t => {
  const defect = new TypeError('x is not a function')
  await t.rejects(backendWith({ totals: () => Promise.reject(defect) }).totals(), defect)
  await t.rejects(backendWith({ totals: () => { throw defect } }).totals(), defect)
})

t.test('parameters and results pass through unchanged', async t => {
  t.strictSame(await backendWith({ missing: async ids => [...ids, 'b'] }).missing(['a']), ['a', 'b'])
})

function backendWith(methods: Partial<ResultBackend>): ResultBackend {
  const names = [
    'start', 'stop', 'record', 'recordAttempts', 'missing', 'find', 'findMany', 'attemptsOf', 'retriesOf', 'list', 'totals', 'taskTotals',
    'scheduleTotals', 'forgetSchedule', 'moveSchedule', 'countedSchedules', 'window', 'windowByTask', 'hoursByTask', 'rollups',
    'failureGroups', 'decideFailureGroup', 'prune', 'deleteExecutions', 'kept', 'watermarks', 'saveWatermarks'
  ]
  return withDeadlines(
    { supports: { search: 'scanned' }, ...Object.fromEntries(names.map(name => [name, never])), ...methods } as ResultBackend, 1_500
  )
}
