import type { DocumentStore } from '../../stores/documents/documents.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import type { AppIdentity } from '../processes/app-identity.ts'
import type { WorkerRun } from '../../engine/engine.ts'
import { createCached } from '../monitoring/cached.ts'
import { describeProcess, readOwnWork } from '../processes/own-report.ts'
import { createProcessHeartbeats, HEARTBEAT_EVERY_MS, type PublishedProcess } from '../processes/process-heartbeats.ts'
import { createSharedLists } from '../processes/shared-lists.ts'
import { createWorkerReports, joinWorkers, type KnownWorker } from '../processes/worker-reports.ts'
import { createTaskDefinitions, type PublishedTask } from './task-definitions.ts'
import type { DeclaredTask, RegisteredTask } from './task.ts'

/** The tasks that all processes have registered or declared, and the processes that are alive. */
export interface TaskRegistry {
  /** The processes that run its tasks are known, because they publish that. */
  readonly knowsWorkers: true
  /** Publishes this process's registered and declared tasks and starts its heartbeat. */
  start(): Promise<void>
  /** Tells the other processes that this one stops, with an extra heartbeat. Never throws. */
  announceStop(): void
  /** Removes this process from the list at once. Never rejects. */
  stop(): Promise<void>
  /** Publishes again now, after a task was added. Calls made while one is in progress share the next one. */
  publish(): Promise<void>
  /** Tasks seen in the last seven days, ordered by name. At most a second old, except `lastSeenAt`, which is up to two minutes old. */
  tasks(): Promise<readonly PublishedTask[]>
  /** The names of `tasks()`; the same array while they do not change. */
  taskNames(): Promise<readonly string[]>
  /** A task by name; undefined if there is none. */
  task(name: string): Promise<PublishedTask | undefined>
  /** Names of tasks that some process registers, or did a few minutes ago. */
  registeredTasks(): Promise<ReadonlySet<string>>
  /** Names of tasks that some process declares, or did a few minutes ago, and so expects to run somewhere. */
  declaredTasks(): Promise<ReadonlySet<string>>
  /** Processes with a fresh heartbeat. At most a second old. */
  processes(): Promise<readonly PublishedProcess[]>
  /** The same processes, and those whose heartbeats ended in the last hour, with their reports, by worker id. At most a second old. */
  workers(): Promise<readonly KnownWorker[]>
  /** How many of these processes can run each task, except those that are stopping. Tasks that none can run are left out. */
  workersByTask(): Promise<ReadonlyMap<string, number>>
  /**
   * Task names and processes, without waiting. Values up to 10 seconds old are returned; those older than one second are refreshed in the
   * background.
   */
  recent(): Promise<{ readonly taskNames: readonly string[]; readonly processes: readonly PublishedProcess[] }>
}

export interface TaskRegistryDependencies {
  readonly documents: DocumentStore
  readonly workerId: string
  readonly app?: AppIdentity
  /** This process's tasks. */
  local(): readonly RegisteredTask[]
  /** The tasks this process declares, and may not run. Default: none. */
  readonly declared?: readonly DeclaredTask[]
  /** Milliseconds since the worker of one of this process's tasks last reached the broker. Default: always 0. */
  silentForMs?(taskName: string): number
  /** The executions of one of its tasks that this process runs now. Default: none. */
  runsOf?(taskName: string): readonly WorkerRun[]
  /** See `PublishedProcess`. */
  unwrittenSince(): number | null
  recordingProblem(): string | null
  /** See `PublishedProcess`. Default: the clock is right. */
  aheadMs?(): number
  /** See `PublishedProcess`. Default: nothing is refused. */
  refusal?(): Promise<string | null>
  onError(error: Error): void
  now?(): number
  /** Default: this process's clock. */
  brokerNow?(): Promise<number>
}

/** Whether a process currently takes executions of any task. */
export function runsTasks(process: PublishedProcess): boolean {
  return process.tasks.length > 0 && !process.isStopping
}

/** A worker queries the broker at least every 15 s. One without a response for this long cannot take executions. */
export const CUT_OFF_AFTER_MS = 25_000
const WORKERS_FRESH_MS = 1_000
const TASK_LISTS = 'task-lists'
/** Definitions are published once a minute, to refresh when they were last seen. */
const PUBLISH_EVERY_BEATS = 12

export function createTaskRegistry(dependencies: TaskRegistryDependencies): TaskRegistry {
  const {
    documents, workerId, app, local, declared = [], silentForMs = () => 0, runsOf = () => [], unwrittenSince, recordingProblem,
    aheadMs = () => 0, onError
  } = dependencies
  const { refusal = async () => null, now = Date.now, brokerNow = async () => now() } = dependencies
  const startedAt = now()
  const definitions = createTaskDefinitions({ documents, local, declared, brokerNow, now })
  const taskLists = createSharedLists<string>(documents, TASK_LISTS)
  const heartbeats = createProcessHeartbeats(documents, taskLists, now)
  const reports = createWorkerReports(documents, taskLists)
  const workers = createCached({ freshMs: WORKERS_FRESH_MS, recentMs: WORKERS_FRESH_MS, now, load: async () => {
    const [{ list }, reported] = await Promise.all([heartbeats.known.get(), reports.read()])
    return joinWorkers(list, reported, now() - aheadMs())
  } })
  let hasAnnouncedStop = false
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay: Promise<unknown> | undefined
  let waiting: Promise<void> | undefined

  /** Runs one at a time, so that an earlier write never overwrites a later one. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = (underWay ?? Promise.resolve()).then(() => isStopped ? undefined : work())
    const ended = done.catch(() => {}).then(() => { if (underWay === ended) underWay = undefined })
    underWay = ended
    return done
  }

  function publish(): Promise<void> {
    return waiting ??= inTurn(async () => {
      waiting = undefined
      await publishAll()
    })
  }

  async function publishAll(): Promise<void> {
    await definitions.publish()
    taskLists.renew()
    reports.renew()
    await beat()
  }

  /** @returns whether the broker remembered this process */
  async function beat(): Promise<boolean> {
    const own = local()
    if (own.length === 0) return true
    const isStopping = hasAnnouncedStop
    // The workers of a stopping process are closed. They make no calls, so their silence means nothing.
    const tasks = own.map(task => task.name).filter(name => isStopping || silentForMs(name) < CUT_OFF_AFTER_MS)
    const heartbeat: PublishedProcess = {
      workerId, startedAt, tasks, unreachable: own.length - tasks.length,
      unwrittenSince: unwrittenSince(), recordingProblem: recordingProblem(), aheadMs: aheadMs(), refusal: await refusal(),
      ...(isStopping && { isStopping }), ...(app && { app })
    }
    const wasKnown = await heartbeats.beat(heartbeat)
    await reports.write({
      ...heartbeat, ...describeProcess(), ...readOwnWork(own, tasks, runsOf), seenAt: now() - aheadMs(), isStopping
    })
    workers.forget()
    return wasKnown
  }

  async function beatAgain(): Promise<void> {
    // The broker lost its data, or this process was suspended for too long: publish everything again.
    if (!await beat()) await publishAll()
  }

  return {
    knowsWorkers: true,
    async start() {
      await publish()
      let beats = 0
      timer = setInterval(() => {
        if (underWay !== undefined) return
        const work = ++beats % PUBLISH_EVERY_BEATS === 0 ? publish() : inTurn(beatAgain)
        work.catch(onError)
      }, HEARTBEAT_EVERY_MS)
      timer.unref()
    },
    announceStop() {
      hasAnnouncedStop = true
      if (heartbeats.hasBegun) void inTurn(async () => { await beat() }).catch(() => {})
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      // Wait first, because a heartbeat after the removal would list this process again.
      await underWay
      if (!heartbeats.hasBegun || local().length === 0) return
      await Promise.all([heartbeats.leave(workerId), reports.leave(workerId)]).catch(onError)
    },
    publish,
    tasks: async () => (await fromBroker(definitions.known.get())).list,
    taskNames: async () => (await fromBroker(definitions.known.get())).names,
    task: async name => (await fromBroker(definitions.known.get())).byName.get(name),
    registeredTasks: async () => (await fromBroker(definitions.known.get())).registered,
    declaredTasks: async () => (await fromBroker(definitions.known.get())).declared,
    processes: async () => (await fromBroker(heartbeats.known.get())).list,
    workers: () => fromBroker(workers.get()),
    workersByTask: async () => (await fromBroker(heartbeats.known.get())).workersByTask,
    async recent() {
      const [tasks, processes] = await fromBroker(Promise.all([definitions.known.recent(), heartbeats.known.recent()]))
      return { taskNames: tasks.names, processes: processes.list }
    }
  }
}

async function fromBroker<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    throw failedCall(cause, 'broker')
  }
}
