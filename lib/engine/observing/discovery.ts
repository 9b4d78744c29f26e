import { MAX_TASK_NAME_LENGTH, TASK_NAME_PATTERN } from '../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import { isRefusal, type ReadClient } from '../../stores/redis/observing/read-client.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { ObservedQueue } from './observed-queue.ts'
import { queueKey } from './observed-queue.ts'
import { scanQueues, type FoundQueues } from './scan-queues.ts'

/** Queues of one server under one prefix. */
export interface ObservedSource {
  readonly client: ReadClient
  readonly prefix: string
  /** Stands before the names of its queues, for sources that may have queues of the same name. */
  readonly label: string | null
  readonly queues: readonly string[] | 'all'
}

export interface SeenQueue extends ObservedQueue {
  /** When this process first and last saw it, milliseconds since the epoch. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface Discovery {
  /** Opens the connections and looks for queues. Rejects with STORE_UNREACHABLE or STORE_UNSUITABLE within 5 s. */
  start(): Promise<void>
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Ordered by the names of their tasks. */
  queues(): readonly SeenQueue[]
  /** The names of their tasks; the same array while they do not change. */
  taskNames(): readonly string[]
  queueOf(taskName: string): SeenQueue | undefined
  /** What keeps queues from being shown, as a sentence; null if nothing does. */
  problem(): string | null
  /** Called with the names of the tasks whenever they change. */
  onChange(listener: (taskNames: readonly string[]) => void): void
}

/** New queues are found this fast, if a look at all keys takes less than a thirtieth of it. */
const LOOK_EVERY_MS = 15_000
/** Looks take at most this share of the server's and the process's time. */
const SHARE = 1 / 30
/** A server with very many keys is looked at in the background. */
const FIRST_LOOK_MS = 3_000

export function createDiscovery(sources: readonly ObservedSource[], onError: (error: Error) => void): Discovery {
  const clients = [...new Set(sources.map(({ client }) => client))]
  const known = new Map(clients.map(client => [client, new Set<string>()]))
  const stopping = new AbortController()
  const listeners: Array<(taskNames: readonly string[]) => void> = []
  let byTask = new Map<string, SeenQueue>()
  let list: readonly SeenQueue[] = []
  let names: readonly string[] = []
  let problems: readonly string[] = []
  let isFailing = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const scanned = new Map<ReadClient, FoundQueues>()
    const wanted = clients.filter(client => sources.some(source => source.client === client && source.queues === 'all'))
    await Promise.all(wanted.map(async client => scanned.set(client, await scan(client))))
    const found = await Promise.all(sources.map(source => queuesOf(source, scanned.get(source.client))))
    if (stopping.signal.aborted) return
    problems = found.flatMap(({ problem }) => problem ?? [])
    settle(found.flatMap(({ queues }) => queues))
  }

  async function scan(client: ReadClient): Promise<FoundQueues> {
    try {
      return await scanQueues(client, known.get(client)!, stopping.signal)
    } catch (error) {
      if (!isRefusal(error)) throw error
      throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', client.label, 'its user may not run SCAN, which finds the queues: ' +
        'grant +scan, or name them with `queues: [\'…\']`'], { cause: error })
    }
  }

  async function queuesOf(source: ObservedSource, found: FoundQueues | undefined): Promise<{ queues: ObservedQueue[]; problem?: string }> {
    const { client, prefix, label, queues } = source
    const all = queues === 'all' ? [...found?.byPrefix.get(prefix) ?? []] : queues
    const toQueue = (name: string): ObservedQueue => ({ taskName: taskNameOf(label, name), name, prefix, client })
    const shown = all.map(toQueue).filter(({ taskName }) => isTaskName(taskName))
    const left = all.length - shown.length
    const unnamed = left === 0 ? null : `${left} queues at ${client.label} have names that cannot be shown: over ${MAX_TASK_NAME_LENGTH} ` +
      'characters, or unprintable'
    if (queues === 'all') return withProblem(shown, all.length === 0 ? nothingFound(source, found) : unnamed)
    const exist = await Promise.all(shown.map(queue => client.read<number>('EXISTS', queueKey(queue, 'meta'))))
    const absent = shown.filter((_, index) => exist[index] === 0).map(({ name }) => JSON.stringify(name))
    // A queue may be named before its first job.
    return withProblem(shown, absent.length === 0
      ? unnamed
      : `There is no queue ${absent.slice(0, 5).join(', ')} under the prefix ${JSON.stringify(prefix)} at ${client.label} yet`)
  }

  function settle(queues: readonly ObservedQueue[]): void {
    const at = Date.now()
    const next = new Map(queues.map(queue => {
      const firstSeenAt = byTask.get(queue.taskName)?.firstSeenAt ?? at
      return [queue.taskName, { ...queue, firstSeenAt, lastSeenAt: at }]
    }))
    byTask = next
    list = [...next.values()].sort((one, other) => one.taskName < other.taskName ? -1 : 1)
    if (list.length === names.length && list.every(({ taskName }, index) => taskName === names[index])) return
    names = list.map(({ taskName }) => taskName)
    for (const listener of listeners) listener(names)
  }

  function lookLater(tookMs: number): void {
    if (!stopping.signal.aborted) timer = setTimeout(() => { void lookAgain() }, Math.max(LOOK_EVERY_MS, tookMs / SHARE)).unref()
  }

  async function lookAgain(): Promise<void> {
    const startedAt = performance.now()
    looking = look().then(() => { isFailing = false }, (error: unknown) => {
      // An outage is reported by the connection; once is enough for what somebody has to change.
      if (!isFailing && !stopping.signal.aborted) onError(error as Error)
      isFailing = true
    })
    await looking
    lookLater(performance.now() - startedAt)
  }

  return {
    async start() {
      await Promise.all(clients.map(client => client.start()))
      const startedAt = performance.now()
      const first = look()
      looking = first.catch(() => {})
      void looking.then(() => lookLater(performance.now() - startedAt))
      await withDeadline(first, FIRST_LOOK_MS, 'still looking').catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'DeadlineError') throw error
        first.catch(onError)
      })
      const problem = problems[0]
      if (problem !== undefined) onError(new Error(problem))
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.all(clients.map(client => client.stop()))
      await looking
      clearTimeout(timer)
    },
    queues: () => list,
    taskNames: () => names,
    queueOf: taskName => byTask.get(taskName),
    problem: () => problems.length === 0 ? null : problems.join('; '),
    onChange: listener => { listeners.push(listener) }
  }
}

/** Names of queues have no colon, so that ids of executions can be read. */
export function taskNameOf(label: string | null, queueName: string): string {
  return label === null ? queueName : `${label}/${queueName}`
}

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

function isTaskName(name: string): boolean {
  return name !== '.' && name !== '..' && hasAtMost(name, MAX_TASK_NAME_LENGTH) && PRINTABLE_NAME.test(name)
}

function withProblem(queues: ObservedQueue[], problem: string | null): { queues: ObservedQueue[]; problem?: string } {
  return problem === null ? { queues } : { queues, problem }
}

const MAX_PREFIXES_NAMED = 3

function nothingFound({ client, prefix }: ObservedSource, found: FoundQueues | undefined): string {
  const others = [...found?.byPrefix ?? []].sort(([, one], [, other]) => other.size - one.size).slice(0, MAX_PREFIXES_NAMED)
    .map(([name, queues]) => `${queues.size} under ${JSON.stringify(name)}`)
  const nothing = `There is no queue under the prefix ${JSON.stringify(prefix)} at ${client.label}`
  return others.length === 0
    ? `${nothing}, nor under any other: is it the right server and database?`
    : `${nothing}, but ${others.join(', ')}: set \`prefix\``
}
