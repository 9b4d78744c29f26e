/**
 * Other code's workers remove their jobs when they end, the process that observes them is killed, and their server crashes. In the end the
 * history equals the workers' own log, or the dashboard says how many events nobody could read. 30 kills and 2 crashes in `npm run soak`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import type { Execution } from '../../../lib/execution.ts'
import { LOADER } from '../../support/loader.ts'
import { openQueue, startOwnersWorker, type Outcome } from '../../support/programs/owners-of-queues.ts'
import { isSoak } from '../../support/soak.ts'
import { redisUrl, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.setTimeout(900_000)

const plan = isSoak ? { kills: 30, crashes: 2 } : { kills: 5, crashes: 1 }
/** From when a process records until it is killed: shorter and longer than it takes to save how far it came. */
const KILLED_AFTER_MS = [300, 700, 1_100, 1_600, 2_300]
const JOBS_AT_A_TIME = 10
const ADDED_EVERY_MS = 100
const NAMES_COMPARED = 50

for (const [name, keep] of [
  ['removes every job', { removeOnComplete: true, removeOnFail: true }],
  ['keeps the last jobs', { removeOnComplete: { count: 30 }, removeOnFail: { count: 5 } }]
] as const) {
  const through = `${plan.kills} kills and ${plan.crashes} crashes`
  t.test(`through ${through}, the history of a queue that ${name} equals its workers' log`, async t => {
    const server = await startRedis(t)
    const backend = await redisUrl(t)
    const namespace = testNamespace()
    const queue = openQueue(t, 6, 'emails', server.url, {
      defaultJobOptions: keep, streams: { events: { maxLen: 1_000_000 } }
    })
    const worker = startOwnersWorker(t, 6, 'emails', server.url, {
      concurrency: 20, lockDuration: 3_000, stalledInterval: 1_000, maxStalledCount: 10
    })
    const observer = superviseObserver(t, [server.url, backend, namespace], () => forgetLeases(backend, namespace))
    const load = startLoad(queue)
    for (let kill = 0; kill < plan.kills; kill++) {
      await observer.isStarted()
      await sleep(KILLED_AFTER_MS[kill % KILLED_AFTER_MS.length])
      await observer.kill()
      if (kill % Math.ceil(plan.kills / plan.crashes) !== 1) continue
      await server.kill()
      await sleep(500)
      await server.start()
    }
    await load.stop()
    const isDrained = async () => Object.values(await queue.getJobCounts('waiting', 'active', 'delayed')).every(count => count === 0)
    await waitFor('the workers to end', isDrained, 120_000)
    await worker.close()

    const reader = QueueApp.fromQueues({ broker: server.url }, { backend, namespace, onError() {} })
    await reader.start()
    t.teardown(() => reader.stop())
    await waitFor('the history', async () => (await readHistory(reader)).length >= new Set(worker.outcomes.map(jobOf)).size, 90_000)
      .catch(() => {})
    await sleep(2_000)
    const history = await readHistory(reader)
    compare(t, history, worker.outcomes, await readStories(server.url, queue.toKey('events')))
    for (const { jobId, name } of worker.outcomes.slice(-NAMES_COMPARED)) {
      const { executionId } = history.find(execution => jobIdOf(execution) === jobId)!
      t.equal((await reader.monitoring.execution(executionId))?.jobName, name, 'the name of the job')
    }
    t.same(observer.said.filter(text => /removed before they could be read/.test(text)), [], 'no event was lost, so no gap is stated')
    t.ok(observer.kills() >= plan.kills)
    t.comment(`${worker.outcomes.length} ended, ${history.length} recorded, ${observer.kills()} kills, ${plan.crashes} crashes`)
  })
}

function compare(t: Test, history: readonly Execution[], outcomes: readonly Outcome[], stories: ReadonlyMap<string, Story>): void {
  const byJob = new Map<string, Execution[]>()
  for (const execution of history) byJob.set(jobIdOf(execution), [...byJob.get(jobIdOf(execution)) ?? [], execution])
  const ended = new Map(outcomes.map(outcome => [outcome.jobId, outcome]))
  t.same([...ended.keys()].filter(jobId => !byJob.has(jobId)), [], 'none is missing')
  t.same([...byJob].filter(([, executions]) => executions.length > 1).map(([, executions]) => executions.map(each => each.executionId)), [],
    'none is there twice')
  const differing = [...ended].flatMap(([jobId, outcome]) => {
    const [execution] = byJob.get(jobId) ?? []
    if (execution === undefined) return []
    // What was rebuilt has the times of the server's events, and a whole job those of its worker. Both are compared to the millisecond.
    const { waitMs, from, to } = stories.get(jobId)!
    const isRebuilt = /@\d+-\d+$/.test(execution.executionId)
    const [startedAt, finishedAt] = isRebuilt ? [from, to] : [outcome.startedAt, outcome.finishedAt]
    const isSame = execution.status === outcome.status && execution.finishedAt === finishedAt &&
      execution.durationMs === finishedAt - startedAt && (isRebuilt ? execution.waitMs === waitMs : execution.waitMs !== null)
    return isSame ? [] : [{ execution, outcome }]
  })
  t.same(differing, [], 'outcome, finish, wait and duration')
}

interface Story { waitMs: number; from: number; to: number }

/** What the server's stream, which was never trimmed, tells of each job: how long it waited, its last start and its end. */
async function readStories(url: string, key: string): Promise<Map<string, Story>> {
  const redis = new Redis(url)
  const stories = new Map<string, Story & { dueAt: number | null; isStarted: boolean }>()
  for (const [id, flat] of await redis.xrange(key, '-', '+')) {
    const fields = Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]))
    const { event, jobId } = fields
    if (jobId === undefined) continue
    const at = Number(id.split('-')[0])
    const story = stories.get(jobId) ?? { dueAt: null, isStarted: false, waitMs: 0, from: 0, to: 0 }
    stories.set(jobId, story)
    if (event === 'waiting' && !story.isStarted) story.dueAt ??= at
    if (event === 'active') {
      if (!story.isStarted) story.waitMs = at - (story.dueAt ?? at)
      Object.assign(story, { isStarted: true, from: at })
    } else if (event === 'completed' || event === 'failed') story.to = at
  }
  redis.disconnect()
  return stories
}

function jobOf({ jobId }: Outcome): string {
  return jobId
}

/** `emails:17@1795576043549-0` → `17` */
function jobIdOf({ executionId }: Execution): string {
  return executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')
}

async function readHistory(queueApp: QueueApp): Promise<Execution[]> {
  const all: Execution[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ limit: 200, ...cursor !== undefined && { cursor } })
    all.push(...page.executions.filter(({ finishedAt }) => finishedAt !== null))
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

/** Adds jobs all the time; one in nine fails. */
function startLoad(queue: ReturnType<typeof openQueue>) {
  let added = 0
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      const jobs = Array.from({ length: JOBS_AT_A_TIME }, (_, index) => ({
        name: index % 2 === 0 ? 'send' : 'digest', data: { to: added + index, ms: index % 7, fail: index % 9 === 0 }
      }))
      // Refused while the server is down, or the answer is lost: the log of the workers decides.
      await queue.addBulk(jobs).then(() => { added += jobs.length }, () => {})
      await sleep(ADDED_EVERY_MS)
    }
  })()
  return { added: () => added, stop: () => { isStopped = true; return running } }
}

/** As if the minute had passed after which another process takes over. */
async function forgetLeases(backend: string, namespace: string): Promise<void> {
  const redis = new Redis(backend)
  const leases = (await redis.keys('*')).filter(key => key.includes(namespace) && key.includes('~lease:'))
  if (leases.length > 0) await redis.del(...leases)
  redis.disconnect()
}

/** A process that is started again whenever it is killed. */
function superviseObserver(t: Test, args: readonly string[], afterDeath: () => Promise<void>) {
  const said: string[] = []
  let starts = 0
  let kills = 0
  const start = (): ChildProcess => {
    const started = fork(fileURLToPath(new URL('observing-app.ts', import.meta.url)), [...args], {
      execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
    })
    started.on('message', (message: string) => said.push(message))
    starts++
    return started
  }
  let child = start()
  const end = async () => {
    const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
    child.kill('SIGKILL')
    await exit
  }
  t.teardown(end)
  return {
    said,
    kills: () => kills,
    isStarted: () => waitFor('the observer', async () => said.filter(text => text === 'started').length === starts),
    async kill() {
      kills++
      await end()
      await afterDeath()
      child = start()
    }
  }
}
