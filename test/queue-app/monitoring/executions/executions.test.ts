import t from 'tap'
import fc from 'fast-check'
import type { Execution, FinishedExecution } from '../../../../lib/execution.ts'
import { lastChangeOf } from '../../../../lib/queue-app/monitoring/executions/execution-filter.ts'
import { createExecutionHistory } from '../../../../lib/queue-app/monitoring/executions/executions.ts'
import type { ExecutionPage, ExecutionQuery } from '../../../../lib/queue-app/monitoring/executions/execution-page.ts'
import type { ExecutionStatus } from '../../../../schemas/execution.ts'
import { createHistoryOver, execution, toExecutions } from './create-history-over.ts'

const event = fc.record({ what: fc.constantFrom('submit', 'start', 'finish', 'record late', 'nothing'), of: fc.nat() })

// The whole history, while executions are submitted, start and finish between two pages. Each page takes a millisecond.
for (const order of ['newest', 'oldest'] as const) {
  t.test(`while executions start and finish between its pages, a list from the ${order} stays in order and ` +
    'has what did not change exactly once', async t => {
    await t.resolves(fc.assert(fc.asyncProperty(
      fc.array(execution, { maxLength: 30 }), fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (drawn, turns, limit) => {
        const all = toExecutions(drawn)
        const before = all.map(one => ({ ...one }))
        let turn = 0
        const pages = await createHistoryOver(all, () => [], () => 50 + turn).pagesOf({ order, limit }, () => {
          for (const { what, of } of turns[turn++] ?? []) happen(all, what, of, 50 + turn)
        })
        const seen = pages.flatMap(page => page.executions)
        const times = seen.map(lastChangeOf)
        if (!times.every((time, index) => index === 0 || (order === 'newest' ? times[index - 1]! >= time : times[index - 1]! <= time)))
          throw new Error(`not in order of time: ${times.join()}`)
        const ids = seen.map(one => one.executionId)
        for (const [index, one] of before.entries()) {
          const times = ids.filter(id => id === one.executionId).length
          const stayed = lastChangeOf(all[index]!) === lastChangeOf(one) && all[index]!.status === one.status
          if (stayed && times !== 1) throw new Error(`${one.executionId} stayed as it was and was there ${times} times`)
          if (order === 'newest' && times > 1) throw new Error(`${one.executionId} was there ${times} times`)
          if (order === 'oldest' && all[index]!.finishedAt !== null && times === 0)
            throw new Error(`${one.executionId} finished, which moves it to the end, and was never there`)
        }
      }
    ), { numRuns: 1_000 }))
  })
}

function happen(all: Execution[], what: string, of: number, at: number): void {
  const fresh = { status: 'pending' as const, taskName: 'a', at }
  const add = (fields: Partial<Execution>) =>
    all.push({ ...toExecutions([fresh])[0]!, executionId: `e${String(all.length).padStart(4, '0')}`, ...fields })
  const pick = (status: ExecutionStatus) => {
    const candidates = all.filter(one => one.status === status)
    return candidates[of % candidates.length]
  }
  if (what === 'submit') add({})
  // It finished a while ago, in a process that records it only now.
  if (what === 'record late') add({ status: 'success', startedAt: at - of % 20, finishedAt: at - of % 20 })
  const [pending, running] = [pick('pending'), pick('running')]
  if (what === 'start' && pending) Object.assign(pending, { status: 'running', startedAt: at })
  if (what === 'finish' && running) Object.assign(running, { status: 'success', finishedAt: at })
}

t.test('filters and a search apply together', async t => {
  const at = (status: ExecutionStatus, fields: Partial<Execution> = {}): Execution => ({
    ...toExecutions([{ status, taskName: 'a', at: 50 }])[0]!, ...fields
  })
  const all = [
    at('pending', { executionId: 'pending', workerId: 'w2' }),
    at('running', { executionId: 'running', workerId: 'w1' }),
    at('failed', {
      executionId: 'failed', workerId: 'w1', errorGroup: 'g', durationMs: 10,
      error: { type: 'TypeError', message: 'no connection', stack: null }
    }),
    at('success', { executionId: 'success', workerId: 'w2', durationMs: 10.5, scheduleId: 's' }),
    at('success', { executionId: 'unmeasured', taskName: 'b' })
  ]
  const history = createHistoryOver(all)
  const found = async (query: ExecutionQuery) => {
    const { executions, total } = await history.list(query)
    t.ok(total.value >= executions.length)
    return executions.map(one => one.executionId).sort()
  }
  const cases: Array<[ExecutionQuery, string[]]> = [
    [{ workerId: 'w1' }, ['failed', 'running']],
    [{ workerId: 'w2' }, ['success']],
    [{ errorGroup: 'g' }, ['failed']],
    [{ search: 'group:g' }, ['failed']],
    [{ minDurationMs: 10.2 }, ['success']],
    [{ minDurationMs: 0 }, ['failed', 'success']],
    [{ search: 'took:>=10ms took:<=10ms' }, ['failed']],
    [{ search: 'status:running', taskName: 'a' }, ['running']],
    [{ search: 'task:b' }, ['unmeasured']],
    [{ search: 'schedule:s', status: 'success' }, ['success']],
    [{ search: 'error:connect' }, ['failed']],
    [{ search: 'worker:w1', workerId: 'w1' }, ['failed', 'running']],
    [{ search: 'id:failed' }, ['failed']],
    [{ search: 'id:running status:running' }, ['running']],
    [{ search: 'id:failed took:>10ms' }, []],
    [{ search: 'id:running took:>=0ms' }, []],
    [{ search: 'id:pending', workerId: 'w1' }, []],
    [{ search: 'id:none' }, []],
    [{ from: 51 }, []],
    [{ to: 50 }, []]
  ]
  for (const [query, ids] of cases) t.same(await found(query), ids, JSON.stringify(query))
})

t.test('finished executions are listed without the broker', async t => {
  const nobody = new Proxy({}, { get() { throw new Error('was asked') } })
  const finished = toExecutions([{ status: 'failed', taskName: 'a', at: 50 }])
  const history = createExecutionHistory({
    engine: nobody as never, taskNames: async () => { throw new Error('was asked') },
    backend: {
      list: async () => ({
        executions: finished as FinishedExecution[], next: null, total: { value: 1, relation: 'exact' }, scanned: null, complete: true
      })
    } as never
  })
  for (const query of [{ status: 'failed' }, { errorGroup: 'g' }, { minDurationMs: 1 }] satisfies ExecutionQuery[])
    t.equal((await history.list(query)).executions.length, 1, JSON.stringify(query))
})

t.test('contradictory conditions give an empty page with an exact total of 0, without any read', async t => {
  const nobody = new Proxy({}, { get() { throw new Error('was asked') } })
  const history = createExecutionHistory({
    engine: nobody as never, backend: nobody as never, taskNames: async () => { throw new Error('was asked') }
  })
  const contradictions: ExecutionQuery[] = [
    { status: 'failed', search: 'status:success' }, { search: 'status:success status:failed' }, { taskName: 'a', search: 'task:b' },
    { workerId: 'w', search: 'worker:v' },
    { errorGroup: 'g', search: 'group:h' }, { scheduleId: 's', search: 'schedule:r' }, { from: 5, to: 5 },
    { minDurationMs: 5, search: 'took:<5ms' },
    { to: 5, search: 'since:2026-11-20' }
  ]
  for (const query of contradictions) {
    t.same(
      await history.list(query),
      { executions: [], nextCursor: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }, JSON.stringify(query)
    )
  }
})

t.test('an invalid search is refused with the position of the fault', async t => {
  await t.rejects(createHistoryOver([]).list({ search: 'status:done' }), {
    code: 'INVALID_SEARCH', errors: [{ pointer: 'search', position: 7 }]
  })
})

t.test('a cursor that is not ours is refused', async t => {
  const history = createHistoryOver([])
  for (const cursor of [
    'x', '%%%',
    ...[
      '{}', '["",""]', '["","",""]', '["5","",""]', '[5,0,0,0]', '[5,0]', '[5,0,"nonsense"]', '[5,0,3]', '[5,0,-1]', '[5,null,0]',
      '[5,[1,"a"],0]', '[5,0,[1]]', '[5,0,["1","a"]]', '[5,0,[1e300,"a"]]'
    ].map(
      json => Buffer.from(json).toString('base64url')
    )
  ]) {
    await t.rejects(history.list({ cursor }), { code: 'INVALID_CURSOR' }, cursor)
  }
})

t.test('oldest first, an empty page of executions in flight is followed by the next, even when the history has ended', async t => {
  const [found] = toExecutions([{ status: 'running', taskName: 'a', at: 5 }])
  /** The engine's pages by cursor: empty, one execution, empty. */
  const looked = new Map([
    [undefined, { executions: [], next: 'one' }], ['one', { executions: [found!], next: 'two' }], ['two', { executions: [], next: null }]
  ])
  const history = createExecutionHistory({
    taskNames: async () => ['a'],
    engine: {
      inFlight: async ({ cursor }) => ({ ...looked.get(cursor)!, after: () => 'unasked', held: 1, scanned: 1_000, skipped: 0 }),
      counts: async () => new Map(),
      find: async () => null
    },
    backend: {
      list: async () => ({ executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }),
      find: async () => null,
      attemptsOf: async () => []
    }
  })
  const shown: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: ExecutionPage = await history.list({ order: 'oldest', limit: 1, search: 'e', ...(cursor !== undefined && { cursor }) })
    shown.push(page.executions.map(({ executionId }) => executionId))
    cursor = page.nextCursor
  }
  t.same(shown, [[], ['e0000'], []])
})

t.test('an execution in flight has its recorded attempts, without any that ended after the broker was read', async t => {
  const all = toExecutions([{ status: 'running', taskName: 'a', at: 5 }])
  const second = all.map(execution => ({ ...execution, attempt: 2 }))
  t.same((await createHistoryOver(second).find('e0000'))?.attempts.map(({ attempt }) => attempt), [1])
  t.same((await createHistoryOver(all).find('e0000'))?.attempts, [])
  t.equal(await createHistoryOver(all).find('nothing'), null)
})

t.test('an execution recorded while the broker is read is found in the history, whether or not the broker has it', async t => {
  const unasked = (): Promise<never> => Promise.reject(new Error('is not asked'))
  const [record] = toExecutions([{ status: 'success', taskName: 'a', at: 50 }]).map(
    each => ({ ...each, args: [], result: 1, attempts: [], logs: [], truncated: [] }
    ))
  for (const told of [null, record!]) {
    let isRecorded = false
    const history = createExecutionHistory({
      taskNames: async () => ['a'],
      engine: {
        async find() {
          isRecorded = true
          return told
        },
        inFlight: unasked,
        counts: unasked
      },
      backend: {
        find: async () => isRecorded ? { ...record!, errorGroup: 'of the history' } as FinishedExecution : null, attemptsOf: unasked,
        list: unasked
      }
    })
    t.equal((await history.find('x'))?.errorGroup, 'of the history')
  }
})

t.test('a finished execution that is not recorded yet has its last attempt after the recorded ones', async t => {
  const unasked = (): Promise<never> => Promise.reject(new Error('is not asked'))
  const attempt = (number: number, startedAt: number | null) => ({
    attempt: number, startedAt, finishedAt: startedAt, workerId: null, error: null
  })
  const told = {
    ...toExecutions([{ status: 'failed', taskName: 'a', at: 50 }])[0]!, args: [], result: null, logs: [], truncated: [],
    attempts: [attempt(1, null), attempt(2, 7)]
  }
  const history = createExecutionHistory({
    taskNames: async () => ['a'],
    engine: { find: async () => told, inFlight: unasked, counts: unasked },
    backend: { find: async () => null, attemptsOf: async () => [attempt(1, 3)], list: unasked }
  })
  t.same((await history.find('x'))?.attempts, [attempt(1, 3), attempt(2, 7)])
})
