import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'
import { fixedDelay } from '../../lib/time/backoff.ts'
import type { ExecutionAttempt, FinishedExecution } from '../../lib/execution.ts'
import { createBullmqEngine } from '../../lib/engine/bullmq-engine.ts'
import { connectBullmq } from '../../lib/engine/connection/bullmq-connection.ts'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import type { RedisStore, Store } from '../../lib/stores/store.ts'
import type { Engine, EngineRun, EngineWorker, EnqueueRequest, WorkOptions } from '../../lib/engine/engine.ts'
import type { InFlightQuery } from '../../lib/engine/in-flight/in-flight-query.ts'
import { redisUrl, type TestScope } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { newStore } from './store.ts'

interface TestWorker {
  readonly taskName: string
  readonly worker: EngineWorker
  readonly executions: FinishedExecution[]
  readonly attempts: ExecutionAttempt[]
  readonly errors: Error[]
  finished(executionId: string): Promise<FinishedExecution>
  stop(): Promise<void>
}

interface TestWork {
  taskName?: string
  run?: (run: EngineRun) => Promise<unknown>
  cpu?: boolean
  before?: (run: EngineRun) => Promise<boolean>
  after?: (run: EngineRun) => Promise<void>
  concurrency?: number
  timeoutMs?: number
  rateLimit?: { max: number; durationMs: number }
}

export async function startEngine(t: TestScope, url: string, namespace?: string): Promise<StartedEngine> {
  const store = newStore(url, namespace)
  await store.start()
  const engine = createBullmqEngine(store)
  await engine.start()
  const stop = async (): Promise<void> => {
    await engine.stop({ graceMs: 0 })
    await store.stop()
  }
  t.teardown(stop)
  return { engine, store, stop }
}

/** On a Redis of its own. */
export async function startRedisEngine(t: TestScope): Promise<{ readonly engine: Engine; readonly store: RedisStore }> {
  const { engine, store } = await startEngine(t, await redisUrl(t))
  return { engine, store: store as RedisStore }
}

interface StartedEngine { readonly engine: Engine; readonly store: Store; stop(): Promise<void> }

/** BullMQ's own queues on a store, by the name of their task: what other code does beside the engine. */
export async function openQueues(t: TestScope, store: Store): Promise<(taskName: string) => Queue> {
  const { requests, prefix, factory, prepare, close } = connectBullmq(store)
  await prepare()
  const queues: Queue[] = []
  t.teardown(async () => {
    await Promise.all(queues.map(queue => queue.close()))
    await close()
  })
  return taskName => {
    const queue = new Queue(queueNameFromTask(taskName), {
      connection: requests, ...prefix !== undefined && { prefix }, skipMetasUpdate: true, skipVersionCheck: true, skipWaitingForReady: true
    }, factory) as unknown as Queue
    queues.push(queue)
    return queue
  }
}

export function work(t: TestScope, engine: Engine, options: TestWork): TestWorker {
  const { taskName = randomUUID(), run, cpu, before, after, concurrency = 1, timeoutMs, rateLimit } = options
  const executions: FinishedExecution[] = []
  const attempts: ExecutionAttempt[] = []
  const errors: Error[] = []
  const processor: WorkOptions['processor'] = cpu
    ? {
      type: 'cpu',
      module: new URL('../engine/workers/cpu-task.ts', import.meta.url),
      contextModule: new URL('../engine/workers/cpu-context.ts', import.meta.url),
      ...(before ? { before } : {}),
      ...(after ? { after } : {})
    }
    : { type: 'io', run: run! }
  const worker = engine.work({
    taskName,
    concurrency,
    maxLosses: 1,
    workerId: 'worker-1',
    timeoutMs: timeoutMs ?? null,
    rateLimit: rateLimit ?? null,
    processor,
    onFinished: execution => executions.push(execution),
    onAttemptFailed: (_execution, attempt) => attempts.push(attempt),
    onError: error => errors.push(error)
  })
  t.teardown(() => worker.stop({ graceMs: 0 }))
  return {
    taskName,
    worker,
    executions,
    attempts,
    errors,
    finished: id => waitFor(`execution ${id} to finish`, async () => executions.find(({ executionId }) => executionId === id)),
    stop: () => worker.stop({ graceMs: 0 })
  }
}

export async function enqueue(engine: Engine, taskName: string, request: Partial<EnqueueRequest> = {}): Promise<string> {
  const [id] = await enqueueAll(engine, taskName, [request])
  return id!
}

export async function enqueueAll(engine: Engine, taskName: string, requests: ReadonlyArray<Partial<EnqueueRequest>>): Promise<string[]> {
  const complete = requests.map(request => ({
    executionId: randomUUID(), taskName, args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null,
    retryOf: null, ...request
  }))
  await engine.enqueue(complete)
  return complete.map(({ executionId }) => executionId)
}

export async function listAll(engine: Engine, query: InFlightQuery): Promise<string[]> {
  const ids: string[] = []
  let cursor = query.cursor
  do {
    const page = await engine.inFlight({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    ids.push(...page.executions.map(({ executionId }) => executionId))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}

export async function finishedIds(engine: Engine, taskName: string, sinceMs = 0): Promise<string[]> {
  const ids: string[] = []
  for await (const batch of engine.finishedSince(taskName, sinceMs, async list => list))
    ids.push(...batch.map(({ executionId }) => executionId))
  return ids
}
