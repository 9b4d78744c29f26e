import type { DocumentStore } from '../../stores/documents/documents.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import type { AppIdentity } from '../processes/app-identity.ts'
import { createProcessHeartbeats, type PublishedProcess } from '../processes/process-heartbeats.ts'
import { createTaskDefinitions, type PublishedTask } from './task-definitions.ts'
import type { DeclaredTask, RegisteredTask } from './task.ts'

/** What this process and the others have registered or declared, and which processes are alive. */
export interface TaskRegistry {
  /** Publishes the tasks of this process, and those that it declares, and keeps its heartbeat. */
  start(): Promise<void>
  /** Takes this process out of the list at once. Never rejects. */
  stop(): Promise<void>
  /** Publishes again now, after a task was added. Those asked for while one is under way are one. */
  publish(): Promise<void>
  /** Tasks seen in the last seven days, ordered by name. At most a second old, but for `lastSeenAt`, which is two minutes old at most. */
  tasks(): Promise<readonly PublishedTask[]>
  /** The names of `tasks()`; the same array as long as they are the same. */
  taskNames(): Promise<readonly string[]>
  /** One of them; undefined when there is none of this name. */
  task(name: string): Promise<PublishedTask | undefined>
  /** The names of those that some process has registered now, or had some minutes ago. */
  registeredTasks(): Promise<ReadonlySet<string>>
  /** The names of those that some process declares now, or did some minutes ago: it expects one that runs them. */
  declaredTasks(): Promise<ReadonlySet<string>>
  /** Processes with a fresh heartbeat. At most a second old. */
  processes(): Promise<readonly PublishedProcess[]>
  /** How many of these processes can run each task; those that none can run are left out. */
  workersByTask(): Promise<ReadonlyMap<string, number>>
  /**
   * Names of tasks, and processes, without waiting: what is older than a second, at most 10, is answered and read again in the background.
   */
  recent(): Promise<{ readonly taskNames: readonly string[]; readonly processes: readonly PublishedProcess[] }>
}

export interface TaskRegistryDependencies {
  readonly documents: DocumentStore
  readonly workerId: string
  readonly app?: AppIdentity
  /** The tasks of this process. */
  local(): readonly RegisteredTask[]
  /** Those that it declares, and may not run. Default: none. */
  readonly declared?: readonly DeclaredTask[]
  /** Milliseconds since the worker of a task of this process last reached the broker. Default: they always do. */
  silentForMs?(taskName: string): number
  /** See `PublishedProcess`. */
  unwrittenSince(): number | null
  recordingProblem(): string | null
  /** See `PublishedProcess`. Default: its clock is right. */
  aheadMs?(): number
  /** See `PublishedProcess`. Default: it is refused nothing. */
  refusal?(): Promise<string | null>
  onError(error: Error): void
  now?(): number
  /** Default: the clock of this process. */
  brokerNow?(): Promise<number>
}

/** Whether a process runs any task now. */
export function runsTasks(process: PublishedProcess): boolean {
  return process.tasks.length > 0
}

export const HEARTBEAT_EVERY_MS = 5_000
/** A worker asks something of the broker every 15 s at least; one that had no answer for so long cannot take executions. */
export const CUT_OFF_AFTER_MS = 25_000
/** Definitions are published again once a minute: somebody sees that they are still there. */
const PUBLISH_EVERY_BEATS = 12

export function createTaskRegistry(dependencies: TaskRegistryDependencies): TaskRegistry {
  const {
    documents, workerId, app, local, declared = [], silentForMs = () => 0, unwrittenSince, recordingProblem, aheadMs = () => 0, onError
  } = dependencies
  const { refusal = async () => null, now = Date.now, brokerNow = async () => now() } = dependencies
  const startedAt = now()
  const definitions = createTaskDefinitions({ documents, local, declared, brokerNow, now })
  const heartbeats = createProcessHeartbeats(documents, now)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay: Promise<unknown> | undefined
  let waiting: Promise<void> | undefined

  /** One after the other: what was begun first must not be written last. */
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
    heartbeats.renew()
    await beat()
  }

  /** @returns whether the broker remembered this process. */
  async function beat(): Promise<boolean> {
    const own = local()
    if (own.length === 0) return true
    const tasks = own.map(task => task.name).filter(name => silentForMs(name) < CUT_OFF_AFTER_MS)
    return heartbeats.beat({
      workerId, startedAt, tasks, unreachable: own.length - tasks.length,
      unwrittenSince: unwrittenSince(), recordingProblem: recordingProblem(), aheadMs: aheadMs(), refusal: await refusal(),
      ...(app && { app })
    })
  }

  async function beatAgain(): Promise<void> {
    // It lost its data, or this process was away for too long: others may have to be told everything.
    if (!await beat()) await publishAll()
  }

  return {
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
    async stop() {
      isStopped = true
      clearInterval(timer)
      // A heartbeat that comes after it would bring the process back.
      await underWay
      if (heartbeats.hasBegun && local().length > 0) await heartbeats.leave(workerId).catch(onError)
    },
    publish,
    tasks: async () => (await fromBroker(definitions.known.get())).list,
    taskNames: async () => (await fromBroker(definitions.known.get())).names,
    task: async name => (await fromBroker(definitions.known.get())).byName.get(name),
    registeredTasks: async () => (await fromBroker(definitions.known.get())).registered,
    declaredTasks: async () => (await fromBroker(definitions.known.get())).declared,
    processes: async () => (await fromBroker(heartbeats.known.get())).list,
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
