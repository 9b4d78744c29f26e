import { hostname } from 'node:os'
import t, { type Test } from 'tap'
import type { WorkerRun } from '../../../lib/engine/engine.ts'
import { toWorkerOverview } from '../../../lib/queue-app/monitoring/worker-overviews.ts'
import { REPORT_TTL_MS } from '../../../lib/queue-app/processes/worker-reports.ts'
import { createRegisteredTask, type RegisteredTask } from '../../../lib/queue-app/tasks/task.ts'
import {
  createTaskRegistry, CUT_OFF_AFTER_MS, runsTasks, type TaskRegistryDependencies
} from '../../../lib/queue-app/tasks/task-registry.ts'
import type { DocumentStore } from '../../../lib/stores/documents/documents.ts'
import { VERSION } from '../../../lib/version.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'

const task = (name: string, concurrency = 10): RegisteredTask => createRegisteredTask(name, () => {}, { concurrency })
const manyTasks = Array.from({ length: 10_000 }, (_, index) => task(`task ${index}`))

function createRegistry(t: Test, documents: DocumentStore, others: Partial<TaskRegistryDependencies>) {
  return createTaskRegistry({
    documents, workerId: 'w', local: () => [], unwrittenSince: () => null, recordingProblem: () => null,
    onError: error => t.fail(error.message), ...others
  })
}

/** A process with the given tasks, another that reads, and the time. */
function open(t: Test, others: Partial<TaskRegistryDependencies> = {}) {
  const time = { at: 1_000_000 }
  const now = () => time.at
  const documents = createMemoryDocuments(now)
  const worker = createRegistry(t, documents, { local: () => [task('a', 2), task('b', 5)], now, ...others })
  const reader = createRegistry(t, documents, { workerId: 'reader', now })
  return { time, documents, worker, reader }
}

const runsIn = (runs: Record<string, WorkerRun[]>) => (taskName: string) => runs[taskName] ?? []
const run = (executionId: string, startedAt: number): WorkerRun => ({ executionId, startedAt })

t.test('a process reports what it runs, where, since when and with which versions', async t => {
  const { worker, reader } = open(t, { runsOf: runsIn({ a: [run('e-2', 5), run('e-1', 3)], b: [run('e-3', 4)] }) })
  await worker.publish()
  const [known, ...others] = await reader.workers()
  t.same(others, [])
  t.match(known, {
    workerId: 'w', isSilent: false, startedAt: 1_000_000, tasks: ['a', 'b'], report: {
      host: hostname(), pid: process.pid, version: VERSION, nodeVersion: process.versions.node, seenAt: 1_000_000, isStopping: false,
      concurrencies: [2, 5], running: 3, runningOf: [[0, 2], [1, 1]],
      runs: [{ executionId: 'e-1', taskName: 'a', startedAt: 3 }, { executionId: 'e-3', taskName: 'b' }, { executionId: 'e-2' }]
    }
  })
  t.ok(known!.report!.memoryBytes > 10_000_000)
})

t.test('a process without a heartbeat is silent for an hour, unless it stopped', async t => {
  const { time, worker, reader, documents } = open(t)
  await worker.publish()
  const stopped = createRegistry(t, documents, { workerId: 'stopped', local: () => [task('a')], now: () => time.at })
  await stopped.publish()
  await stopped.stop()
  const states = async () => (await reader.workers()).map(({ workerId, isSilent, report }) => [workerId, isSilent, report?.seenAt])
  t.same(await states(), [['w', false, 1_000_000]])
  time.at += 21_000
  t.same(await states(), [['w', true, 1_000_000]])
  t.same(await reader.processes(), [], 'which does not count as a process')
  time.at += REPORT_TTL_MS - 25_000
  t.same(await states(), [['w', true, 1_000_000]])
  time.at += 5_000
  t.same(await states(), [])
})

t.test('a silent process that sends a heartbeat again is not silent', async t => {
  const { time, worker, reader } = open(t)
  await worker.publish()
  time.at += 60_000
  t.match(await reader.workers(), [{ isSilent: true }])
  await worker.publish()
  time.at += 1_000
  t.match(await reader.workers(), [{ isSilent: false, report: { seenAt: 1_060_000 } }])
})

t.test('whether a process is silent does not depend on its clock', async t => {
  for (const aheadMs of [-3_600_000, 3_600_000]) {
    const time = { at: 10_000_000 }
    const documents = createMemoryDocuments(() => time.at)
    const worker = createRegistry(t, documents, { local: () => [task('a')], now: () => time.at + aheadMs, aheadMs: () => aheadMs })
    const reader = createRegistry(t, documents, { workerId: 'reader', now: () => time.at - aheadMs, aheadMs: () => -aheadMs })
    await worker.publish()
    t.match(await reader.workers(), [{ isSilent: false, report: { seenAt: 10_000_000 } }])
    time.at += 21_000
    t.match(await reader.workers(), [{ isSilent: true, report: { seenAt: 10_000_000 } }])
  }
})

t.test('a process that stops reports so at once', async t => {
  const { worker, reader, time } = open(t)
  worker.announceStop()
  t.same(await reader.workers(), [], 'not before its first heartbeat')
  await worker.publish()
  time.at += 1_000
  t.match(await reader.workers(), [{ report: { isStopping: true } }])
  await worker.stop()
  time.at += 1_000
  t.same(await reader.workers(), [])
})

t.test('a process that takes long to stop keeps its tasks and has no problem, but counts as no capacity', async t => {
  const silence = { ms: 0 }
  const { worker, reader, time } = open(t, { silentForMs: () => silence.ms, runsOf: runsIn({ b: [run('e-1', 3)] }) })
  await worker.publish()
  t.same([...await reader.workersByTask()], [['a', 1], ['b', 1]])
  worker.announceStop()
  for (const silentForMs of [0, CUT_OFF_AFTER_MS, 10 * CUT_OFF_AFTER_MS]) {
    // Closed workers no longer call the broker.
    silence.ms = silentForMs
    await worker.publish()
    time.at += 1_000
    const [known] = await reader.workers()
    t.match(known, {
      isStopping: true, tasks: ['a', 'b'], unreachable: 0,
      report: { isStopping: true, tasks: ['a', 'b'], concurrencies: [2, 5], running: 1, runningOf: [[1, 1]] }
    })
    t.match(toWorkerOverview(known!), { state: 'stopping', problems: [], running: 1 })
    t.same([...await reader.workersByTask()], [])
    t.same((await reader.processes()).map(process => [process.workerId, runsTasks(process)]), [['w', false]], 'it is still a process')
  }
})

t.test('a process of an earlier version is listed without a report, and reads heartbeats as before', async t => {
  const { documents, worker, reader } = open(t)
  await documents.put('task-lists', 'their-list', ['a'])
  const earlier = { workerId: 'old', startedAt: 5, unreachable: 0, unwrittenSince: null, recordingProblem: null, taskList: 'their-list' }
  await documents.put('processes', 'old', earlier, { ttlMs: 20_000 })
  t.match(await reader.workers(), [{ workerId: 'old', startedAt: 5, tasks: ['a'], report: null, isSilent: false }])
  t.same([...await reader.workersByTask()], [['a', 1]])
  await worker.publish()
  const own = (await documents.get<typeof earlier>('processes', 'w'))!.value
  t.same(Object.keys(own).sort(), [...Object.keys(earlier), 'aheadMs', 'refusal'].sort())
  t.same((await documents.get('task-lists', own.taskList))!.value, ['a', 'b'])
})

t.test('the report of a process with 10,000 tasks and runs is small', async t => {
  const runs = (taskName: string) => [run(`${taskName} ${'x'.repeat(36)}`, Number(taskName.slice(5)))]
  const { documents, worker, reader } = open(t, { local: () => manyTasks, runsOf: runs })
  await worker.publish()
  const [{ value } = { value: null }] = await documents.list('worker-reports')
  const bytes = JSON.stringify(value).length
  t.ok(bytes < 3_500, `${bytes} bytes`)
  const [known] = await reader.workers()
  t.match(known, { report: { running: 10_000 } })
  t.same([known!.tasks.length, known!.report!.runs.length, known!.report!.runningOf.length], [10_000, 10, 100])
  t.equal(known!.report!.runs[0]!.taskName, 'task 0', 'those that run for longest')
})

t.test('after the broker lost the names of its tasks, a process is listed without a report until its next heartbeat', async t => {
  const { documents, worker, time } = open(t)
  await worker.publish()
  for (const { id } of await documents.list('task-lists')) await documents.delete('task-lists', id)
  const reader = createRegistry(t, documents, { workerId: 'another reader', now: () => time.at })
  t.match(await reader.workers(), [{ workerId: 'w', tasks: [], report: null }])
  await worker.publish()
  time.at += 1_000
  t.match(await reader.workers(), [{ workerId: 'w', tasks: ['a', 'b'], report: {} }])
})
