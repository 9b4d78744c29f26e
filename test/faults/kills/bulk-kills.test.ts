/**
 * The process that works on a bulk retry is killed again and again, and the datastore crashes. In the end each execution is retried once,
 * and every outcome is there. The long version (20,000 executions, 10 kills and 2 crashes on each store) runs with `npm run soak`.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { v7 as uuid } from 'uuid'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { currentExecution, QueueApp } from '../../../lib/index.ts'
import type { BulkItem, BulkOverview } from '../../../lib/queue-app/bulk/bulk.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { LOADER } from '../../support/loader.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { redisUrl, startPostgres, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { BulkMessage } from './bulk-worker.ts'

const PLAN = isSoak ? { executions: 20_000, kills: 10, crashes: 2 } : { executions: 1_200, kills: 2, crashes: 1 }
const TASK = 'mail'
const BATCH = 500
/** The round-trip time of the process that is killed: a step takes about a second, and most kills interrupt one. */
const ROUND_TRIP_MS = 40
const PATIENCE_MS = isSoak ? 900_000 : 240_000

const SERVERS: Readonly<Record<string, (t: Test) => Promise<TestServer>>> = { redis: startRedis, postgres: startPostgres }

// The tests mostly wait, each for its own server.
t.jobs = 2
for (const [kind, startServer] of Object.entries(SERVERS)) {
  t.test(`a bulk retry survives kills and crashes on ${kind}`, { timeout: 2 * PATIENCE_MS }, async t => {
    const server = await startServer(t)
    const proxy = await startSlowProxy(t, server.url)
    proxy.roundTripMs = ROUND_TRIP_MS
    const namespace = testNamespace()
    const record = await openHistory(t, server.url, namespace)
    const originals = new Map(Array.from({ length: PLAN.executions }, (_, number) => [uuid(), number] as const))
    const past = Date.now() - 3_600_000
    await record([...originals].map(([executionId, number]) => ({ executionId, number, finishedAt: past + number })))

    const runs: number[] = []
    const ranIds = new Set<string>()
    // Its result backend is a different one without operations, so that it runs the retries but does not work on the operation.
    const workersBackend = await redisUrl(t)
    const startWorker = async (): Promise<QueueApp> => {
      const worker = QueueApp.fromUrls({ broker: server.url, backend: workersBackend, namespace, onError() {} })
      worker.task(TASK, async (number: number) => {
        runs.push(number)
        ranIds.add(currentExecution().executionId)
      }, { concurrency: 20 })
      await worker.start()
      return worker
    }
    let worker = await startWorker()
    t.teardown(() => worker.stop())

    let overview: BulkOverview | undefined
    let items: readonly BulkItem[] | undefined
    let child: ChildProcess | undefined
    const startChild = (): void => {
      child = fork(fileURLToPath(new URL('bulk-worker.ts', import.meta.url)), [
        proxy.url, namespace, TASK, ...overview === undefined ? [] : [overview.operationId]
      ], { execArgv: [...LOADER], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      child.on('message', (message: BulkMessage) => {
        if ('overview' in message) overview = message.overview
        else items = message.items
      })
    }
    t.teardown(() => { child?.kill('SIGKILL') })
    const countOf = (): number => overview?.progress?.done ?? 0
    const progressFrom = (count: number): Promise<boolean> =>
      waitFor(() => `progress after ${count}: ${JSON.stringify(overview)}`, async () => countOf() > count, PATIENCE_MS)
    const crash = async (): Promise<void> => {
      // A run that a crash interrupts is repeated, by design. Here only the operation counts.
      await worker.stop()
      await server.kill()
      await sleep(1_000)
      await server.start()
      worker = await startWorker()
    }

    startChild()
    await waitFor('the operation', async () => overview !== undefined, PATIENCE_MS)
    const tooNew = PLAN.executions
    await record([{ executionId: uuid(), number: tooNew, finishedAt: overview!.before }])
    let crashes = 0
    for (let kills = 1; kills <= PLAN.kills; kills++) {
      await progressFrom(countOf())
      await sleep(Math.random() * 1_000)
      t.equal(overview!.state, 'running', `kill ${kills}, after ${countOf()}`)
      const ended = once(child!, 'exit')
      child!.kill('SIGKILL')
      await ended
      const count = countOf()
      startChild()
      if (crashes >= PLAN.crashes || kills < (crashes + 1) * PLAN.kills / (PLAN.crashes + 1)) continue
      await progressFrom(count)
      await crash()
      crashes++
    }
    t.equal(crashes, PLAN.crashes, 'the datastore crashed in the meantime')

    await waitFor('its end', async () => items !== undefined, PATIENCE_MS)
    t.match(overview, {
      state: 'done', progress: { done: PLAN.executions, skipped: 0, failed: 0, undone: 0 }, waitingFor: null, isCapped: false
    })
    t.same(items!.map(item => item.executionId).toSorted(), [...originals.keys()].toSorted(), 'each has one outcome')
    t.equal(new Set(items!.map(item => item.madeExecutionId)).size, PLAN.executions, 'each has a retry of its own')
    await waitFor(() => `all retries to run: ${runs.length}`, async () => runs.length >= PLAN.executions, PATIENCE_MS)
    // By now, a retry that runs twice would have done so.
    await sleep(1_000)
    t.same(runs.toSorted((one, other) => one - other), [...originals.values()], 'each runs once, and nothing newer')
    t.same([...ranIds].toSorted(), items!.map(item => item.madeExecutionId).toSorted(), 'the retries are those of the outcomes')
  })
}

/** Adds failures that only the history has, and not the broker. */
async function openHistory(t: Test, url: string, namespace: string) {
  const store = createStore(url, { namespace, role: 'result backend', onError() {} })
  t.teardown(() => store.stop())
  await store.start()
  const backend = createResultBackend(store)
  await backend.start()
  return async (failures: ReadonlyArray<{ executionId: string; number: number; finishedAt: number }>): Promise<void> => {
    for (let at = 0; at < failures.length; at += BATCH) {
      await backend.record(failures.slice(at, at + BATCH).map(({ executionId, number, finishedAt }) => makeExecution({
        executionId, taskName: TASK, queue: TASK, status: 'failed', args: [number], finishedAt
      })))
    }
  }
}
