import type { Cluster } from 'ioredis'
import type { Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Execution, ExecutionDetail } from '../../../lib/execution.ts'
import { withHistory } from '../../support/observe.ts'
import {
  compare, expectedOf, isRebuilt, jobIdOf, readHistory, readStories, type Expected, type Story
} from '../../support/observed-history.ts'
import {
  openFlow, openQueue, startOwnersWorker, type Job, type JobsOptions, type Major, type Outcome
} from '../../support/programs/owners-of-queues.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Where an owner keeps its queues. */
export interface OwnersPlace {
  readonly major: Major
  readonly url: string
  /** More options of BullMQ. */
  readonly options?: { readonly connection?: Cluster; readonly prefix?: string }
}

const JOBS = 120
const RUN_EVERY_MS = 150
const FLOWS = 4
const MIN_RUNS = 3
/** Spares the test server, which does many things at once. */
const READ_AT_ONCE = 20

/** Queues and when they forget their finished jobs. */
export const KEPT = [
  ['keeps everything', {}],
  ['keeps nothing', { removeOnComplete: true, removeOnFail: true }],
  ['keeps the last ten', { removeOnComplete: { count: 10 }, removeOnFail: { count: 10 } }]
] as const

type Jobs = Array<{ name: string; data: object; opts: JobsOptions }>

/** Jobs of three names: at once, delayed, urgent, failing, and failing a few times before they succeed. */
function jobsOf(first: number, count: number): Jobs {
  return Array.from({ length: count }, (_, index) => {
    const to = first + index
    const failures = to % 8 === 3 ? 2 : 0
    return {
      name: ['send', 'digest', 'bill'][to % 3]!,
      data: { to, ms: to % 7, fail: to % 9 === 0, failures, ...to % 10 === 1 && { log: `sending ${to}` } },
      opts: {
        attempts: to % 8 === 3 ? 3 : 1, ...to % 16 === 3 && { backoff: 30 }, ...to % 5 === 0 && { delay: 20 * (to % 4) },
        ...to % 11 === 0 && { priority: 1 + to % 3 }
      }
    }
  })
}

/**
 * Attaches an app in the middle of the load, and checks everything that it shows of the queues against the log of their workers and what
 * BullMQ itself says.
 */
export async function checkOwnersLog(t: Test, { major, url, options = {} }: OwnersPlace, keep: object): Promise<void> {
  const ofQueue = { ...options, defaultJobOptions: keep, streams: { events: { maxLen: 1_000_000 } } }
  const [emails, albums] = ['emails', 'albums'].map(name => openQueue(t, major, name, url, ofQueue)) as [Queue, Queue]
  const flow = openFlow(t, major, url, options)
  await Promise.all([emails, albums].map(queue => queue.waitUntilReady()))
  const workers = ['emails', 'albums'].map(name => startOwnersWorker(t, major, name, url, options)) as [OwnersWorker, OwnersWorker]
  const [worker] = workers
  const addFlows = () => Promise.all(Array.from({ length: FLOWS }, (_, index) => flow.add({
    name: 'album', queueName: 'albums', data: { to: `album ${index}` }, opts: keep,
    children: [5, 20].map(ms => ({ name: 'resize', queueName: 'emails', data: { to: `photo ${ms}`, ms }, opts: keep }))
  })))
  await emails.upsertJobScheduler('often', { every: RUN_EVERY_MS }, { name: 'tick', data: { to: 'all' }, opts: keep })
  await emails.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'Europe/Berlin' }, { name: 'report', data: { to: 'ada' } })
  await Promise.all([emails.addBulk(jobsOf(0, JOBS / 2)), addFlows()])
  const backend = await withHistory(t, { onError: error => { t.fail(error.message) } })
  const queueApp = QueueApp.fromQueues({ broker: url, ...options.prefix !== undefined && { prefix: options.prefix } }, backend)
  t.teardown(() => queueApp.stop())
  await queueApp.start()
  await Promise.all([emails.addBulk(jobsOf(JOBS / 2, JOBS / 2)), addFlows()])
  const logOf = () => workers.map(({ outcomes }) => outcomes)
  await waitFor('the workers', async () => {
    const [ofEmails, ofAlbums] = logOf()
    const runs = ofEmails!.filter(({ schedulerId }) => schedulerId !== null).length
    return runs >= MIN_RUNS && ofEmails!.length - runs === JOBS + 4 * FLOWS && ofAlbums!.length === 2 * FLOWS
  })
  await emails.add('held', { to: 'nobody', isHeld: true }, { priority: 1 })
  await waitFor('the job to start', async () => await emails.getActiveCount() > 0 && (await emails.getActive()).some(isHeld))
  await worker.worker.pause(true)
  await waitFor('other jobs to end', async () => await emails.getActiveCount() === 1)
  await workers[1].close()

  await checkInFlight(t, queueApp, emails, flow)
  worker.release()
  await worker.close()
  for (const [index, queue] of [emails, albums].entries()) {
    const outcomes = logOf()[index]!
    await waitFor(`the history of ${queue.name}`, async () =>
      (await readHistory(queueApp, { taskName: queue.name })).length >= outcomes.length)
    await checkHistory(t, queueApp, queue, outcomes, await readStories(options.connection ?? url, queue))
  }
  await checkSchedules(t, queueApp, emails, worker.outcomes)
  t.match(await queueApp.monitoring.health(), { status: 'healthy' })
}

type Queue = ReturnType<typeof openQueue>
type OwnersWorker = ReturnType<typeof startOwnersWorker>

function isHeld({ name }: Job): boolean {
  return name === 'held'
}

/** One job in each state, while no worker takes any. */
async function checkInFlight(t: Test, queueApp: QueueApp, queue: Queue, flow: ReturnType<typeof openFlow>): Promise<void> {
  const data = { to: 'nobody' }
  await queue.addBulk([
    { name: 'waits', data }, { name: 'later', data, opts: { delay: 600_000 } }, { name: 'urgent', data, opts: { priority: 3 } }
  ])
  await flow.add({ name: 'parent', queueName: 'emails', data, children: [{ name: 'child', queueName: 'emails', data }] })
  await waitFor('a run to be due', async () => (await queue.getJobScheduler('often'))!.next! < Date.now() - RUN_EVERY_MS)
  const jobs = await queue.getJobs(['active', 'waiting', 'delayed', 'prioritized', 'waiting-children'])
  // A planned run that is not due belongs to its schedule. One that is due waits, although BullMQ calls it delayed until a worker looks.
  const states = await Promise.all(jobs.filter(({ name }) => name !== 'report').map(async job =>
    [job.name, job.name === 'tick' ? 'waiting' : await job.getState()] as const))
  t.ok(['active', 'waiting', 'delayed', 'prioritized', 'waiting-children'].every(state => states.some(each => each[1] === state)))
  const { executions } = await queueApp.monitoring.executions({ taskName: 'emails', limit: 200 })
  const unfinished = executions.filter(({ finishedAt }) => finishedAt === null)
  t.same(unfinished.map(({ jobName, state }) => [jobName, state.replace('_', '-')]).sort(), states.map(each => [...each]).sort(),
    'the state of every unfinished job')
  t.match(await queueApp.monitoring.queue('emails'), { pending: states.length - 1, running: 1 })
  const listed = async (status: 'pending' | 'running') =>
    (await queueApp.monitoring.executions({ taskName: 'emails', status, limit: 200 })).executions.map(({ jobName }) => jobName).sort()
  t.same(await listed('running'), ['held'])
  t.same(await listed('pending'), states.map(([name]) => name).filter(name => name !== 'held').sort())
}

async function checkHistory(
  t: Test, queueApp: QueueApp, { name: queue }: Queue, outcomes: readonly Outcome[], stories: ReadonlyMap<string, Story>
): Promise<void> {
  const history = await readHistory(queueApp, { taskName: queue })
  compare(t, history, outcomes, stories)
  const details: ExecutionDetail[] = []
  for (let at = 0; at < history.length; at += READ_AT_ONCE) {
    const read = history.slice(at, at + READ_AT_ONCE).map(({ executionId }) => queueApp.monitoring.execution(executionId))
    details.push(...(await Promise.all(read)).map(each => each!))
  }
  const logged = new Map(outcomes.map(outcome => [outcome.jobId, outcome]))
  const all = details.map((execution): Both => {
    const outcome = logged.get(jobIdOf(execution))!
    return { execution, outcome, expected: expectedOf(execution, outcome, stories.get(outcome.jobId)!) }
  })
  t.same(all.filter(both => !hasSameDetails(both)).map(({ execution, outcome }) => ({ execution, outcome })), [],
    'name, result, error, arguments and attempts')

  const tasks = await queueApp.monitoring.tasks()
  const counted = tasks.find(({ name }) => name === queue)!.executions
  const count = (status: Outcome['status']) => outcomes.filter(outcome => outcome.status === status).length
  t.match(counted, { success: count('success'), failed: count('failed') }, 'the counts')
  const groups = (await queueApp.monitoring.failureGroups({ taskName: queue })).groups
  t.equal(groups.reduce((sum, group) => sum + group.count, 0), count('failed'), 'the failures in groups')

  const times = all.map(({ expected }) => expected.finishedAt!).sort((one, other) => one - other)
  const [from, to] = [times[Math.floor(times.length / 3)]!, times[Math.floor(2 * times.length / 3)]!]
  const longMs = 5
  const filters: ReadonlyArray<readonly [Parameters<typeof readHistory>[1] & object, (both: Both) => boolean]> = [
    [{ status: 'success' }, ({ outcome }) => outcome.status === 'success'],
    [{ status: 'failed' }, ({ outcome }) => outcome.status === 'failed'],
    [{ from, to }, ({ expected }) => expected.finishedAt! >= from && expected.finishedAt! < to],
    [{ status: 'failed', from }, ({ outcome, expected }) => outcome.status === 'failed' && expected.finishedAt! >= from],
    [{ minDurationMs: longMs }, ({ expected }) => expected.durationMs! >= longMs],
    [{ search: `took:<${longMs}ms` }, ({ expected }) => expected.durationMs! < longMs],
    [{ search: 'error:"cannot send 9"' }, ({ outcome }) => /cannot send 9/.test(outcome.error ?? '')],
    [{ search: 'status:failed send' }, ({ outcome }) => outcome.error !== null],
    [{ search: 'args.to:20' }, ({ execution }) => (execution.args?.[0] as { to?: unknown } | undefined)?.to === 20],
    ...groups.slice(0, 1).map(({ errorGroup }) =>
      [{ errorGroup }, ({ execution }: Both) => execution.errorGroup === errorGroup] as const),
    // The first executions were recorded before a second name was known, and stay with the task of the queue.
    ...tasks.filter(({ partOf }) => partOf === queue).map(({ name }) =>
      [{ taskName: name }, ({ outcome, execution }: Both) => `${queue}:${outcome.name}` === name && execution.taskName !== queue] as const)
  ]
  for (const [filter, isWanted] of filters) {
    const found = await readHistory(queueApp, { taskName: queue, ...filter })
    const wanted = all.filter(isWanted).map(({ outcome }) => outcome.jobId)
    t.same(found.map(jobIdOf).sort(), wanted.sort(), `filtered by ${JSON.stringify(filter)}`)
  }
}

interface Both { readonly execution: ExecutionDetail; readonly outcome: Outcome; readonly expected: Expected }

function hasSameDetails({ execution, outcome, expected }: Both): boolean {
  const { jobName, error, result, attempts, args, logs, missing, priority } = execution
  const isTold = jobName === outcome.name && (error?.message ?? null) === outcome.error && attempts.at(-1)?.attempt === outcome.attempts &&
    (outcome.status === 'success' ? result !== null && typeof result === 'object' && 'sent' in result : result === null)
  if (!isTold || attempts.at(-1)?.startedAt !== expected.startedAt) return false
  return isRebuilt(execution)
    ? args === null && ['args', 'logs', 'priority'].every(each => missing?.includes(each as 'args'))
    : missing === undefined && args !== null && attempts.length === outcome.attempts && priority === outcome.priority &&
      logs.join() === outcome.logs.join()
}

async function checkSchedules(t: Test, queueApp: QueueApp, queue: Queue, outcomes: readonly Outcome[]): Promise<void> {
  const runs = outcomes.filter(({ schedulerId }) => schedulerId === 'often')
  const ids = (found: readonly Execution[]) => found.map(jobIdOf).sort()
  t.same(ids(await readHistory(queueApp, { scheduleId: 'emails:often' })), runs.map(({ jobId }) => jobId).sort(), 'the runs')
  for (const [id, success] of [['often', runs.length], ['nightly', 0]] as const) {
    const { next } = (await queue.getJobScheduler(id))!
    const schedule = await waitFor('the schedule', async () => await queueApp.monitoring.schedule(`emails:${id}`))
    t.match(schedule, { success, failed: 0, lastStatus: success > 0 ? 'success' : null, enabled: true, drift: [] }, id)
    // Without a worker, times pass by.
    const passed = schedule.nextRunAt! - next!
    t.ok(passed === 0 || success > 0 && passed > 0 && passed % RUN_EVERY_MS === 0, 'its next run')
    if (success > 0) t.ok(Math.abs(schedule.lastRunAt! - runs.at(-1)!.startedAt) < 2_000, 'its last run')
    else t.equal(schedule.lastRunAt, null)
  }
}
