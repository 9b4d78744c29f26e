import { createTaskDashboardError } from '../errors.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { createCached } from './cached.ts'
import type { RegisteredTask, TaskSettings } from './task.ts'

/** A task that some process registered, as it is published in the broker's store. */
export interface PublishedTask extends TaskSettings {
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** A process that has tasks to run. */
export interface PublishedProcess {
  readonly workerId: string
  readonly startedAt: number
  /** The tasks it can run: those whose worker reaches the broker on the connections it takes executions with. */
  readonly tasks: readonly string[]
  /** How many of its tasks it cannot run now. */
  readonly unreachable: number
  /** The earliest finish of what it has yet to write to the history; null when there is nothing. */
  readonly unwrittenSince: number | null
  /** What keeps it from writing to the history, a sentence for health; null when all is well. */
  readonly recordingProblem: string | null
}

/** What this process and the others have registered, and which processes are alive. */
export interface TaskRegistry {
  /** Publishes the tasks of this process and keeps its heartbeat. */
  start(): Promise<void>
  /** Takes this process out of the list at once. Never rejects. */
  stop(): Promise<void>
  /** Publishes again now, after a task was added. */
  publish(): Promise<void>
  /** Tasks seen in the last seven days, ordered by name. At most a second old. */
  tasks(): Promise<PublishedTask[]>
  /** Processes with a fresh heartbeat. At most a second old. */
  processes(): Promise<PublishedProcess[]>
  /** Both without waiting: what is older than a second, at most 10, is answered and read again in the background. */
  recent(): Promise<{ readonly tasks: readonly PublishedTask[]; readonly processes: readonly PublishedProcess[] }>
}

export interface TaskRegistryDependencies {
  readonly documents: DocumentStore
  readonly workerId: string
  /** The tasks of this process. */
  local(): readonly RegisteredTask[]
  /** Milliseconds since the worker of a task of this process last reached the broker. Default: they always do. */
  silentForMs?(taskName: string): number
  /** See `PublishedProcess`. */
  unwrittenSince(): number | null
  recordingProblem(): string | null
  onError(error: Error): void
  now?(): number
}

/** Whether a process runs any task now. */
export function runsTasks(process: PublishedProcess): boolean {
  return process.tasks.length > 0
}

export const HEARTBEAT_EVERY_MS = 5_000
/** A worker asks something of the broker every 15 s at least; one that had no answer for so long cannot take executions. */
export const CUT_OFF_AFTER_MS = 25_000
/** Three heartbeats may be lost before a process counts as gone. */
export const HEARTBEAT_TTL_MS = 20_000
export const TASK_FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000
const FRESH_MS = 1_000
const RECENT_MS = 10_000

export function createTaskRegistry(dependencies: TaskRegistryDependencies): TaskRegistry {
  const { documents, workerId, local, silentForMs = () => 0, unwrittenSince, recordingProblem, onError, now = Date.now } = dependencies
  const startedAt = now()
  let timer: NodeJS.Timeout | undefined
  const tasks = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    const stored = await fromBroker(documents.list<PublishedTask>('tasks'))
    const oldest = now() - TASK_FORGOTTEN_AFTER_MS
    const known = stored.map(document => document.value).filter(task => task.lastSeenAt >= oldest)
    // Those of this process are known before they are published: a task that was just registered may have been enqueued.
    const names = new Set(known.map(task => task.name))
    const own = local().filter(task => !names.has(task.name)).map(task => ({ name: task.name, ...task.settings, firstSeenAt: now(), lastSeenAt: now() }))
    return [...known, ...own].sort(byName)
  } })
  const processes = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    const stored = await fromBroker(documents.list<PublishedProcess>('processes'))
    return stored.map(document => document.value)
  } })

  async function publish(): Promise<void> {
    tasks.forget()
    const own = local()
    const known = await documents.getMany<PublishedTask>('tasks', own.map(task => task.name))
    await Promise.all(own.map((task, index) => {
      const published: PublishedTask = { name: task.name, ...task.settings, firstSeenAt: known[index]?.value.firstSeenAt ?? now(), lastSeenAt: now() }
      return documents.put('tasks', task.name, published, { ttlMs: TASK_FORGOTTEN_AFTER_MS })
    }))
    await beat()
    tasks.forget()
  }

  async function beat(): Promise<void> {
    const own = local()
    if (own.length === 0) return
    const tasks = own.map(task => task.name).filter(name => silentForMs(name) < CUT_OFF_AFTER_MS)
    const process: PublishedProcess = {
      workerId, startedAt, tasks, unreachable: own.length - tasks.length, unwrittenSince: unwrittenSince(), recordingProblem: recordingProblem()
    }
    await documents.put('processes', workerId, process, { ttlMs: HEARTBEAT_TTL_MS })
    processes.forget()
  }

  return {
    async start() {
      await publish()
      let beats = 0
      timer = setInterval(() => {
        // Definitions are published again once a minute: a broker that lost its data has them back, and lastSeenAt moves.
        const work = ++beats % 12 === 0 ? publish() : beat()
        work.catch(onError)
      }, HEARTBEAT_EVERY_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      if (local().length > 0) await documents.delete('processes', workerId).catch(onError)
    },
    publish,
    tasks: tasks.get,
    processes: processes.get,
    async recent() {
      const [recentTasks, recentProcesses] = await Promise.all([tasks.recent(), processes.recent()])
      return { tasks: recentTasks, processes: recentProcesses }
    }
  }
}

async function fromBroker<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    throw createTaskDashboardError('BROKER_UNAVAILABLE', [], { cause })
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
