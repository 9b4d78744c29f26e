import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp, type Execution, type HealthReport, type Monitoring } from '../../../lib/index.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { inBatches } from '../../support/in-batches.ts'
import { LOADER } from '../../support/loader.ts'
import { startRedisSentinels, type SentinelGroup } from '../../support/servers/redis-sentinel.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startReplicatedLoad, type ReplicatedLoad } from './replicated-load.ts'

/** How often each of the two kinds of failover happens. */
const FAILOVERS = isSoak ? 5 : 1
/** Executions enqueued before each failover, at least. */
const ENQUEUED_BEFORE = 60
/** A limit for a busy machine. The actual times are printed. */
const BACK_WITHIN_MS = 30_000

t.test('a failover by the sentinels under load loses nothing that was accepted', { timeout: 200_000 * FAILOVERS }, async t => {
  // A replaced primary that does not know it yet has no replica, so it accepts nothing that would be lost.
  const group = await startRedisSentinels(t, { downAfterMs: 2_000, args: ['--min-replicas-to-write', '1', '--appendfsync', 'everysec'] })
  const operators = new Map(group.servers.map(server =>
    [server, new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 100 })]))
  for (const operator of operators.values()) {
    operator.on('error', () => {})
    t.teardown(() => operator.disconnect())
  }
  const broker = `redis-sentinel://${group.sentinels.map(({ port }) => `127.0.0.1:${port}`).join()}/${group.name}`
  let primary = await group.primary()
  await waitFor('the primary to accept writes', () => hasReplica(operators.get(primary)!))
  const worker = await startWorker(t, broker)
  const dashboard = QueueApp.fromUrls({ broker, onError() {} })
  t.teardown(() => dashboard.stop())
  await dashboard.start()
  const { monitoring } = dashboard
  const load = await startReplicatedLoad(t, dashboard, primary.url)
  t.teardown(() => load.end())
  const long: string[] = []
  const healths = async () => [worker.health(), await monitoring.health()]
  const ticks = async () => (await worker.runs('tick')).filter(({ what }) => what === 'end').length
  let restored = { title: 'start', at: performance.now(), ticks: 0 }

  /** Two runs, because the second shows that the schedule was planned again. */
  async function scheduleGoesOn(): Promise<void> {
    const { title, at } = restored
    await waitFor(`the schedule to go on after ${title}`, async () => await ticks() >= restored.ticks + 2)
    t.comment(`${title}: two runs of the schedule ${Math.round(performance.now() - at)} ms after calls were accepted`)
  }

  async function changePrimary(
    title: string, change: (old: TestServer) => Promise<unknown>, restore: (old: TestServer) => Promise<unknown>
  ): Promise<void> {
    const number = long.length
    const executionId = await dashboard.enqueue('long', [number])
    long.push(executionId)
    await waitFor('the long execution to run', async () => (await monitoring.execution(executionId))?.status === 'running')
    const runningAt = performance.now()
    await scheduleGoesOn()
    await waitFor('a load', async () => load.accepted.length >= ENQUEUED_BEFORE * (number + 1))
    await waitFor('the replica to have a later write', async () =>
      load.accepted.some(({ acceptedAt, isKept }) => acceptedAt > runningAt && isKept()))
    await waitForReplicas(t, group)

    const old = primary
    const begunAt = performance.now()
    await change(old)
    await waitFor('the sentinels to decide', async () => await group.primary() !== old, BACK_WITHIN_MS)
    const decidedAt = performance.now()
    primary = await group.primary()
    // It has no replica yet and accepts no writes. The test adds one, as an operator would; the sentinels only add a running server after
    // some seconds.
    const { components } = await waitFor('health to be unhealthy', async () => {
      const health = await monitoring.health()
      return health.status === 'unhealthy' && health
    })
    t.equal(components.broker.healthy, false, `${title}: health says "${components.broker.message}"`)
    await restore(old)
    await operators.get(old)!.replicaof('127.0.0.1', primary.port)
    await waitFor('the new primary to have a replica', () => hasReplica(operators.get(primary)!))
    const restoredAt = performance.now()
    await load.follow(primary.url)

    const { acceptedAt } = await waitFor(
      'an enqueue to be accepted', async () => load.accepted.find(each => each.acceptedAt > restoredAt), BACK_WITHIN_MS
    )
    restored = { title, at: performance.now(), ticks: await ticks() }
    let last = ''
    await waitFor(() => `health to come back: ${last}`, async () => {
      const both = await healths()
      last = JSON.stringify(both)
      return both.every(({ status }) => status !== 'unhealthy')
    }, BACK_WITHIN_MS)
    const healthyAt = performance.now()
    t.equal((await monitoring.execution(executionId))?.status, 'running', 'the running execution continues')
    worker.release(number)
    const detail = await waitFor('the long execution to end', async () => {
      const execution = await monitoring.execution(executionId)
      return execution !== null && execution.finishedAt !== null && execution
    })
    t.match(detail, { status: 'success', result: number, attempt: 1, error: null }, 'the execution succeeds across the failover')
    const since = (at: number, from: number) => `${Math.round(at - from)} ms`
    t.comment(`${title}: decided after ${since(decidedAt, begunAt)}. Since then: a replica after ` +
      `${since(restoredAt, decidedAt)}, an enqueue accepted after ` +
      `${since(acceptedAt, decidedAt)}, health back after ${since(healthyAt, decidedAt)}`)
  }

  for (let time = 1; time <= FAILOVERS; time++) {
    await changePrimary('the primary is killed', old => old.kill(), old => old.start())
    await changePrimary(
      'SENTINEL FAILOVER', () => waitFor('the sentinels to begin', () => group.failover().then(() => true, () => false)), async () => {}
    )
  }
  await load.end()
  const wellAgain = async () => {
    await waitFor('health to be healthy', async () => (await healths()).every(({ status }) => status === 'healthy'))
    t.comment(`all healthy ${Math.round(performance.now() - restored.at)} ms after calls were accepted`)
  }
  await Promise.all([scheduleGoesOn(), checkOutcomes(t, dashboard, worker, load, long), wellAgain()])
})

async function checkOutcomes(
  t: Test, { monitoring }: QueueApp, worker: SentinelWorker, { accepted, refused }: ReplicatedLoad, long: readonly string[]
): Promise<void> {
  const kept = accepted.filter(({ isKept }) => isKept())
  t.ok(kept.length > 100, `${accepted.length} accepted, ${refused.length} refused`)
  await waitFor('all to finish', async () => {
    const tasks = (await monitoring.tasks()).filter(({ name }) => name !== 'tick')
    return tasks.length === 2 && tasks.every(({ executions }) => executions.pending! + executions.running! === 0)
  })
  const read = async (executionId: string) => ({ execution: await monitoring.execution(executionId) })
  const found = await inBatches(accepted, 20, ({ executionId }) => waitFor('an execution', () => read(executionId)))
  const lost = accepted.filter((_each, index) => found[index]!.execution === null)
  t.strictSame(lost.filter(({ isKept }) => isKept()), [], 'nothing accepted is lost')
  const present = accepted.filter(each => !lost.includes(each))
  const isRecorded = async () => {
    const finished = await finishedExecutions(monitoring)
    return present.every(({ executionId }) => finished.has(executionId)) && finished
  }
  const recorded = await waitFor('all to be recorded', isRecorded).catch(() => finishedExecutions(monitoring))
  t.strictSame(present.filter(({ executionId }) => !recorded.has(executionId)), [], 'everything accepted is in the history')
  t.strictSame([...recorded.values()].filter(({ status }) => status !== 'success'), [], 'every outcome is that of the handler')
  const others = found.filter(({ execution }, index) => execution !== null && execution.result !== accepted[index]!.number)
  t.strictSame(others, [], 'each has the result of its own run')

  const runs = await worker.runs('count')
  const ended = new Set(runs.filter(({ what }) => what === 'end').map(({ executionId }) => executionId))
  t.strictSame(
    [...recorded.values()].filter(({ executionId, taskName }) => taskName === 'count' && !ended.has(executionId)), [],
    'nothing in the history did not run'
  )
  const unavailable = new Set(refused.filter(({ code }) => code === 'BROKER_UNAVAILABLE').map(({ number }) => number))
  t.strictSame(runs.filter(({ number }) => unavailable.has(number)), [], 'nothing ran that was reported as not added')
  t.strictSame(
    refused.filter(({ code }) => code !== 'BROKER_UNAVAILABLE' && code !== 'UNCONFIRMED'), [],
    'each refusal tells whether the call may have happened'
  )
  t.strictSame(
    (await worker.runs('long')).filter(({ what }) => what === 'begin').map(({ executionId }) => executionId), long,
    'each long execution ran once'
  )
  // At-least-once: if Redis forgets a run that it had accepted, the run is repeated. At most those that ran at that moment are affected.
  const repeated = runs.filter(({ what }) => what === 'begin').length - new Set(runs.map(({ executionId }) => executionId)).size
  t.ok(repeated <= long.length * CONCURRENCY, `${repeated} runs were repeated`)
  t.comment(`${accepted.length} accepted: of ${accepted.length - kept.length} of them Redis promises nothing, and ` +
    `${lost.length} of these are lost; ` +
    `${refused.length} refused, ${refused.length - unavailable.size} of them unconfirmed; ${repeated} repeated; ` +
    `${(await worker.runs('tick')).length / 2} runs of the schedule`)
}

/** The concurrency of `count` in sentinel-app.ts. */
const CONCURRENCY = 10

type SentinelWorker = Awaited<ReturnType<typeof startWorker>>

/** A line that a handler wrote about its run. */
interface Line {
  readonly executionId: string
  readonly number: number
  readonly what: string
}

async function startWorker(t: Test, broker: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-sentinel-app-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const diary = join(folder, 'diary')
  await writeFile(diary, '')
  const child = fork(fileURLToPath(new URL('sentinel-app.ts', import.meta.url)), [broker, diary], {
    execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  t.teardown(() => { child.kill('SIGKILL') })
  let health: Pick<HealthReport, 'status'> = { status: 'unhealthy' }
  child.on('message', message => { health = message as HealthReport })
  await Promise.race([
    once(child, 'message'), once(child, 'exit').then(([code]) => { throw new Error(`the worker ended with code ${code}`) })
  ])
  return {
    /** The latest health that the process reported. */
    health: () => health,
    release: (number: number) => { child.send(number) },
    async runs(task: string): Promise<Line[]> {
      const lines = (await readFile(diary, 'utf8')).trim().split('\n').map(line => line.split(' ') as [string, string, string, string])
      return lines.filter(([of]) => of === task).map(([, executionId, number, what]) => ({ executionId, number: Number(number), what }))
    }
  }
}

async function hasReplica(operator: Redis): Promise<boolean> {
  return /slave0:.*state=online/.test(await operator.info('replication'))
}

/** A sentinel only promotes a replica that it considers healthy. */
async function waitForReplicas(t: Test, { sentinels, name }: SentinelGroup): Promise<void> {
  await Promise.all(sentinels.map(async sentinel => {
    const redis = new Redis(sentinel.url)
    t.teardown(() => redis.disconnect())
    await waitFor('the sentinel to consider the replica healthy', async () => {
      const replicas = await redis.call('SENTINEL', 'REPLICAS', name) as string[][]
      return replicas.length === 1 && replicas.every(fields => fields[fields.indexOf('flags') + 1] === 'slave')
    })
  }))
}

async function finishedExecutions(monitoring: Monitoring): Promise<Map<string, Execution>> {
  const finished = new Map<string, Execution>()
  for (const status of ['success', 'failed'] as const) {
    let cursor: string | null | undefined
    do {
      const page = await waitFor('a page', () => monitoring.executions({ status, limit: 200, ...(cursor && { cursor }) }))
      for (const execution of page.executions) finished.set(execution.executionId, execution)
      cursor = page.nextCursor
    } while (cursor !== null)
  }
  return finished
}
