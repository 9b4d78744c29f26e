import t from 'tap'
import { concurrencyByTask, toWorkerOverview } from '../../../lib/queue-app/monitoring/worker-overviews.ts'
import type { KnownWorker, WorkerReport } from '../../../lib/queue-app/processes/worker-reports.ts'

const TASKS = ['a', 'b']
const CONCURRENCIES = [2, 5]

function knownWorker(of: Partial<KnownWorker> = {}, reported: Partial<WorkerReport> | null = {}): KnownWorker {
  const heartbeat = {
    workerId: 'w', startedAt: 1_000_000, tasks: TASKS, unreachable: 0, unwrittenSince: null, recordingProblem: null, aheadMs: 0,
    refusal: null
  }
  const report = reported && {
    ...heartbeat, host: 'host', pid: 7, version: '1.0.0', nodeVersion: '22.0.0', seenAt: 1_005_000, isStopping: false, memoryBytes: 1e8,
    concurrencies: CONCURRENCIES, running: 0, runningOf: [], runs: [], ...reported
  }
  return { ...heartbeat, report, isSilent: false, ...of }
}

t.test('a worker has a state, and problems that explain it', async t => {
  const cases: Array<[Partial<KnownWorker>, Partial<WorkerReport>, string, RegExp[]]> = [
    [{}, {}, 'alive', []],
    [{ refusal: 'no right' }, {}, 'refused', [/^The broker refuses its workers: no right$/]],
    [{ refusal: 'no right' }, { isStopping: true }, 'stopping', [/refuses/]],
    [{}, { isStopping: true }, 'stopping', []],
    [{ isSilent: true }, { isStopping: true }, 'silent', [/^Its heartbeats ended although it did not stop/]],
    [{ unreachable: 3 }, {}, 'alive', [/^3 of its 5 tasks cannot reach the broker/]],
    [{ recordingProblem: 'the backend is full' }, {}, 'alive', [/the backend is full$/]],
    [{ aheadMs: 29_000 }, {}, 'alive', []],
    [{ aheadMs: -3_600_000 }, {}, 'alive', [/^Its clock is 3600 s behind the broker's: correct it$/]]
  ]
  for (const [of, reported, state, problems] of cases) t.match(toWorkerOverview(knownWorker(of, reported)), { state, problems }, state)
  for (const [of, reported, , problems] of cases) t.equal(toWorkerOverview(knownWorker(of, reported)).problems.length, problems.length)
})

t.test('what a process of an earlier version does not report is null, not 0', async t => {
  const { aheadMs, refusal, ...earlier } = knownWorker({}, null)
  const overview = toWorkerOverview(earlier)
  t.strictSame(overview, {
    workerId: 'w', state: 'alive', problems: [], host: null, pid: null, appName: null, version: null, nodeVersion: null,
    startedAt: 1_000_000, lastSeenAt: null, taskCount: 2, tasks: TASKS.map(name => ({ name, concurrency: null, running: null })),
    running: null, executions: null,
    memoryBytes: null, clockAheadMs: null
  })
})

t.test('the tasks with the most running executions come first, at most 50, and values missing from a cut report are null', async t => {
  const tasks = Array.from({ length: 200 }, (_, index) => `task ${index}`)
  const concurrencies = tasks.map((_, index) => index + 1)
  const runningOf: Array<[number, number]> = [[7, 5], [3, 2]]
  const listed = (running: number) => toWorkerOverview(knownWorker({ tasks }, { tasks, concurrencies, running, runningOf }))
  const all = listed(7)
  t.same([all.taskCount, all.tasks.length], [200, 50])
  t.same(all.tasks.slice(0, 3), [
    { name: 'task 7', concurrency: 8, running: 5 }, { name: 'task 3', concurrency: 4, running: 2 },
    { name: 'task 0', concurrency: 1, running: 0 }
  ])
  t.match(listed(8).tasks.slice(1, 3), [{ name: 'task 3', running: 2 }, { name: 'task 0', running: null }])
})

t.test('the starts of a process and of its executions use the broker\'s clock', async t => {
  t.equal(toWorkerOverview(knownWorker({ aheadMs: 3_600_400 })).startedAt, 1_000_000 - 3_600_000)
  t.equal(toWorkerOverview(knownWorker({ aheadMs: 3 })).startedAt, 1_000_000)
  const runs = [{ executionId: 'e-1', taskName: 'a', startedAt: 4_700_000 }, { executionId: 'e-2', taskName: 'a', startedAt: null }]
  const startsWhen = (aheadMs: number) =>
    toWorkerOverview(knownWorker({ aheadMs }, { runs })).executions!.map(({ startedAt }) => startedAt)
  t.same(startsWhen(3_600_400), [1_100_000, null])
  t.same(startsWhen(3), [4_700_000, null])
})

t.test('the concurrency of a task is the sum over its living processes, and unknown if one does not report it', async t => {
  const sums = (...workers: KnownWorker[]) => [...concurrencyByTask(workers)]
  t.same(sums(), [])
  t.same(sums(knownWorker(), knownWorker(), knownWorker({}, { concurrencies: [1, 1] })), [['a', 5], ['b', 11]])
  t.same(sums(knownWorker(), knownWorker({ isSilent: true })), [['a', 2], ['b', 5]])
  t.same(sums(knownWorker(), knownWorker({ tasks: ['b'] }, null)), [['a', 2], ['b', null]])
  t.same(sums(knownWorker({ tasks: ['b'] }, null), knownWorker()), [['b', null], ['a', 2]])
})

t.test('a process that takes no executions adds no concurrency', async t => {
  const sums = (...workers: KnownWorker[]) => [...concurrencyByTask(workers)]
  t.same(sums(knownWorker({ isStopping: true })), [])
  t.same(sums(knownWorker(), knownWorker({ isStopping: true })), [['a', 2], ['b', 5]])
  t.same(sums(knownWorker(), knownWorker({ refusal: 'no right' })), [['a', 2], ['b', 5]])
  t.same(sums(knownWorker({ refusal: 'no right' })), [['a', 0], ['b', 0]], 'known to be none, although the process is there')
  t.same(sums(knownWorker({ refusal: 'no right' }, null), knownWorker()), [['a', 2], ['b', 5]])
})
