import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue, type Job } from 'bullmq'
import type { Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import type { ResultBackend } from '../../../lib/backend/result-backend.ts'
import { connectBullmq } from '../../../lib/engine/connection/bullmq-connection.ts'
import { isTransientError } from '../../../lib/engine/connection/transient-error.ts'
import { queueNameFromTask } from '../../../lib/engine/jobs/queue-name.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'
import { isOutOfReach } from '../../../lib/stores/failures/unavailable.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { readWindow } from '../../backend/read-window.ts'

export const TASKS = ['steady', 'flaky', 'hopeless'] as const
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const PAGE = 200
const BATCH = 50
const PATIENCE_MS = 60_000

/** A run as its handler logged it. `end` is null if its process was killed. */
export interface Run {
  readonly executionId: string
  readonly attempt: number
  readonly startedAt: number
  end: { readonly outcome: 'success' | 'failed'; readonly at: number } | null
}

/** What the broker itself stores about a finished execution. */
export interface FinishedJob {
  readonly executionId: string
  readonly taskName: string
  readonly status: 'success' | 'failed'
  readonly processedOn: number
  readonly finishedOn: number
  readonly attemptsMade: number
  readonly isLost: boolean
}

interface Truth {
  readonly backend: ResultBackend
  readonly finished: readonly FinishedJob[]
  readonly acknowledged: readonly string[]
  readonly runs: ReadonlyMap<string, readonly Run[]>
  readonly fromMs: number
}

export async function openLedger(t: Test, brokerUrl: string, backendUrl: string, namespace: string) {
  const broker = createStore(brokerUrl, { namespace, role: 'broker', onError() {} })
  const resultStore = createStore(backendUrl, { namespace, role: 'result backend', onError() {} })
  t.teardown(() => Promise.all([broker.stop(), resultStore.stop()]))
  await Promise.all([broker.start(), resultStore.start()])
  const backend = patient(createResultBackend(resultStore))
  await backend.start()
  const { requests, prefix, factory, prepare, close } = connectBullmq(broker)
  await prepare()
  t.teardown(close)

  async function finishedOfBroker(): Promise<FinishedJob[]> {
    const finished: FinishedJob[] = []
    for (const taskName of TASKS) {
      const options = { connection: requests, skipMetasUpdate: true, ...(prefix === undefined ? {} : { prefix }) }
      const queue = new Queue(queueNameFromTask(taskName), options, factory) as unknown as Queue
      for (const [set, status] of [['completed', 'success'], ['failed', 'failed']] as const) {
        // All ids at once: in SQL, jobs that finished in the same millisecond may change places between two pages.
        const ids = await patiently(() => queue.getRanges([set], 0, -1))
        for (let start = 0; start < ids.length; start += BATCH) {
          const jobs = await patiently(() => Promise.all(ids.slice(start, start + BATCH).map(id => queue.getJob(id) as Promise<Job>)))
          finished.push(...jobs.map(job => ({
            executionId: job.id!,
            taskName,
            status,
            processedOn: job.processedOn!,
            finishedOn: job.finishedOn!,
            attemptsMade: job.attemptsMade,
            isLost: /stalled more than/.test(job.failedReason ?? '')
          })))
        }
      }
      await queue.close()
    }
    return finished
  }
  return { backend, finishedOfBroker }
}

/** Repeats a read while a busy machine responds too late, because here only the result matters. */
async function patiently<Result>(read: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (Date.now() > deadline || !isOutOfReach(error) && !isTransientError(error)) throw error
      await sleep(200)
    }
  }
}

function patient(backend: ResultBackend): ResultBackend {
  return new Proxy(backend, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return typeof member !== 'function'
        ? member
        : (...args: unknown[]) => patiently(() => Reflect.apply(member, target, args) as Promise<unknown>)
    }
  })
}

/** Compares the ledger with the broker's data and with what the handlers logged. */
export async function checkLedger(t: Test, { backend, finished, acknowledged, runs, fromMs }: Truth) {
  const listed = await listAll(backend)
  const inLedger = new Set(listed)
  const ids = new Set(finished.map(job => job.executionId))
  t.equal(inLedger.size, listed.length, 'no execution is listed twice')
  t.strictSame(listed.filter(id => !ids.has(id)), [], 'the ledger has no execution that did not finish')
  t.strictSame([...ids].filter(id => !inLedger.has(id)), [], 'every finished execution is in the ledger')
  t.strictSame(acknowledged.filter(id => !ids.has(id)), [], 'every accepted execution finished')
  t.strictSame([...runs.keys()].filter(id => !ids.has(id)), [], 'every execution that a handler ran finished')

  const wrong: string[] = []
  const durations = new Map<string, number>()
  const groups = new Map<string, FinishedJob[]>()
  const schedules = new Map<string, FinishedJob[]>()
  for (const job of finished) {
    const execution = await backend.find(job.executionId)
    durations.set(job.executionId, execution?.durationMs ?? 0)
    const { scheduleId = null, errorGroup = null } = execution ?? {}
    if (scheduleId !== null) schedules.set(scheduleId, [...schedules.get(scheduleId) ?? [], job])
    if (errorGroup !== null) groups.set(errorGroup, [...groups.get(errorGroup) ?? [], job])
    const faults = execution === null ? ['not found'] : faultsOf(execution, job, runs.get(job.executionId) ?? [])
    wrong.push(...faults.map(fault => `${job.taskName} ${job.executionId}: ${fault}`))
  }
  t.strictSame(wrong.slice(0, 20), [], `status, times, attempts and errors match the runs (${wrong.length} do not)`)

  await checkCounters(t, backend, finished, durations, fromMs)
  await checkGroups(t, backend, groups, finished)
  await checkSchedules(t, backend, schedules, durations)
  await checkKept(t, backend, finished)
  return {
    groups: groups.size,
    scheduled: [...schedules.values()].flat().length,
    finished: finished.length,
    failed: finished.filter(job => job.status === 'failed').length,
    lost: finished.filter(job => job.isLost).length,
    runs: [...runs.values()].reduce((sum, several) => sum + several.length, 0)
  }
}

function faultsOf(execution: FinishedExecution, job: FinishedJob, runs: readonly Run[]): string[] {
  const faults: string[] = []
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) faults.push(`${what} is ${String(found)} in place of ${String(wanted)}`)
  }
  expect('status', execution.status, job.status)
  expect('finished at', execution.finishedAt, job.finishedOn)
  expect('started at', execution.startedAt, job.isLost ? null : job.processedOn)
  expect('attempt', execution.attempt, Math.max(job.attemptsMade, 1))
  if (job.isLost) {
    expect('error', execution.error?.type, 'EXECUTION_LOST')
    return faults
  }

  const number = execution.args?.[0]
  const run = runs.findLast(({ attempt, startedAt, end }) =>
    attempt === execution.attempt && startedAt >= job.processedOn && end !== null && end.at <= job.finishedOn)
  expect('outcome of its last run', run?.end?.outcome, job.status)
  expect('result', execution.result, job.status === 'success' ? number : null)
  expect('attempts', execution.attempts.length, execution.attempt)
  for (const { attempt, error } of execution.attempts) {
    const isFailed = attempt < execution.attempt || job.status === 'failed'
    const wanted = isFailed ? `RangeError: attempt ${attempt} of number ${String(number)} fails` : null
    expect(`error of attempt ${attempt}`, error && `${error.type}: ${error.message}`, wanted)
  }
  if (job.status === 'failed') expect('error', execution.error?.message, `attempt ${execution.attempt} of number ${String(number)} fails`)
  return faults
}

async function checkCounters(
  t: Test, backend: ResultBackend, finished: readonly FinishedJob[], durations: ReadonlyMap<string, number>, fromMs: number
): Promise<void> {
  const { since: _, ...totals } = await backend.totals()
  t.strictSame(totals, countOf(finished), 'all-time counters equal a recount')
  const taskTotals = await backend.taskTotals()
  const end = Math.max(...finished.map(job => job.finishedOn)) + 1
  const byTask = await backend.windowByTask(hourOf(fromMs), end)
  for (const taskName of TASKS) {
    const own = finished.filter(job => job.taskName === taskName)
    const total = taskTotals.get(taskName)!
    t.match(total, countOf(own), `the counters of ${taskName} equal a recount`)
    t.equal(
      Math.round(total.totalDurationMs), own.reduce((sum, job) => sum + durations.get(job.executionId)!, 0), 'so does their duration'
    )
    t.equal(total.last?.finishedAt, Math.max(...own.map(job => job.finishedOn)), 'so does the latest finish')
    t.match(byTask.get(taskName), countOf(own), `the roll-ups of ${taskName} equal a recount`)
  }
  const minutes = new Set(finished.map(job => Math.floor(job.finishedOn / MINUTE_MS) * MINUTE_MS))
  const rolledUp = await Promise.all([...minutes].map(async minute => {
    const { success, failed } = await readWindow(backend, minute, minute + MINUTE_MS)
    return { minute, success, failed }
  }))
  t.strictSame(
    rolledUp,
    [...minutes].map(
      minute => ({ minute, ...countOf(finished.filter(job => job.finishedOn >= minute && job.finishedOn < minute + MINUTE_MS
      )) })),
    `each of ${minutes.size} minutes equals a recount`
  )
}

async function checkGroups(
  t: Test, backend: ResultBackend, groups: ReadonlyMap<string, readonly FinishedJob[]>, finished: readonly FinishedJob[]
): Promise<void> {
  t.equal([...groups.values()].flat().length, countOf(finished).failed, 'each failure belongs to a group')
  const page = await backend.failureGroups({ limit: PAGE })
  const found = page.groups.map(({ errorGroup, count, firstSeenAt, lastSeenAt, tasks, trend }) => {
    const ofTasks = new Map(tasks.map(task => [task.taskName, task.count]))
    return [errorGroup, { count, firstSeenAt, lastSeenAt, ofTasks, ofADay: trend.reduce((sum, each) => sum + each) }] as const
  })
  const recounted = Array.from(groups, ([errorGroup, jobs]) => {
    const [tasks, times] = [jobs.map(job => job.taskName), jobs.map(job => job.finishedOn)]
    const ofTasks = new Map(tasks.map(name => [name, tasks.filter(each => each === name).length]))
    return [
      errorGroup, { count: jobs.length, firstSeenAt: Math.min(...times), lastSeenAt: Math.max(...times), ofTasks, ofADay: jobs.length }
    ] as const
  })
  t.equal(page.next, null)
  t.strictSame(new Map(found), new Map(recounted), `each of ${groups.size} failure groups equals a recount`)
}

async function checkSchedules(
  t: Test, backend: ResultBackend, schedules: ReadonlyMap<string, readonly FinishedJob[]>, durations: ReadonlyMap<string, number>
): Promise<void> {
  t.ok(schedules.size > 0, 'a schedule ran')
  const totals = await backend.scheduleTotals([...schedules.keys()])
  for (const [scheduleId, jobs] of schedules) {
    const total = totals.get(scheduleId)
    t.match(total, countOf(jobs), 'the counters of the schedule equal a recount')
    t.equal(
      Math.round(total!.totalDurationMs), jobs.reduce((sum, job) => sum + durations.get(job.executionId)!, 0), 'so does its duration'
    )
    t.equal(total!.last?.finishedAt, Math.max(...jobs.map(job => job.finishedOn)), 'so does its latest run')
  }
}

async function checkKept(t: Test, backend: ResultBackend, finished: readonly FinishedJob[]): Promise<void> {
  const keptOf = (status: FinishedJob['status']) => {
    const times = finished.filter(job => job.status === status).map(job => job.finishedOn)
    return { count: times.length, oldestFinishedAt: times.length === 0 ? null : Math.min(...times) }
  }
  t.strictSame(
    await backend.kept(), { success: keptOf('success'), failed: keptOf('failed'), prunedBefore: null }, 'everything finished is kept'
  )
}

function countOf(finished: readonly FinishedJob[]): { success: number; failed: number } {
  const failed = finished.filter(job => job.status === 'failed').length
  return { success: finished.length - failed, failed }
}

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS
}

async function listAll(backend: ResultBackend): Promise<string[]> {
  const ids: string[] = []
  for (let after = null; ;) {
    const page = await backend.list({ order: 'newest', limit: PAGE, ...(after === null ? {} : { after }) })
    ids.push(...page.executions.map(execution => execution.executionId))
    if (page.next === null) return ids
    after = page.next
  }
}

/** The runs of each execution, oldest first. */
export async function readDiaries(folder: string): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>()
  for (const file of await readdir(folder)) {
    const open = new Map<string, Run>()
    for (const line of (await readFile(join(folder, file), 'utf8')).trim().split('\n')) {
      const [what, executionId, attempt, at] = line.split(' ') as ['start' | 'success' | 'failed', string, string, string]
      const key = `${executionId} ${attempt}`
      if (what === 'start') {
        const run: Run = { executionId, attempt: Number(attempt), startedAt: Number(at), end: null }
        open.set(key, run)
        runs.set(executionId, [...runs.get(executionId) ?? [], run])
      } else {
        open.get(key)!.end = { outcome: what, at: Number(at) }
      }
    }
  }
  for (const several of runs.values()) several.sort((one, other) => one.startedAt - other.startedAt)
  return runs
}
