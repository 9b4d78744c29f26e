import { groupBy } from '../../collections/group-by.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { ObservedQueue } from './observed-queue.ts'
import type { FoundQueues, ObservedServer } from './observed-server.ts'
import {
  absentText, fullText, leftOutText, mayNotRead, mayNotReadText, namesText, notLookedAt, nothingFoundText, refusedBecause,
  RIGHT_TAKEN_AWAY
} from './discovery-problems.ts'
import { LOOK_PACE, restAfter, type LookPace } from './look-pace.ts'
import { namesOf, toQueues, type ObservedSource } from './observed-source.ts'
import { newnessAfter, newnessDuring, NOT_LOOKED, type QueueNewness } from './queue-newness.ts'

export interface SeenQueue extends ObservedQueue {
  /** When this process first and last saw it, milliseconds since the epoch. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** When the previous search began, if it was complete and did not find the queue yet. Absent for queues of the first search. */
  readonly absentAt?: number
}

export interface Discovery {
  /** Opens the connections and searches for queues. Rejects with STORE_UNREACHABLE or STORE_UNSUITABLE within 5 s. */
  start(): Promise<void>
  /** Ends the search that `start` waits for, because the app stops. */
  abort(): void
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** Sorted by task name. */
  queues(): readonly SeenQueue[]
  /** The task names of these queues. Returns the same array as long as they do not change. */
  taskNames(): readonly string[]
  queueOf(taskName: string): SeenQueue | undefined
  /** The queue with this prefix and name on a server. For a cluster, any of its parts may be given. */
  placed(server: Pick<ObservedServer, 'identity'>, prefix: string, name: string): SeenQueue | undefined
  /** What keeps queues from being shown, as a sentence; null if nothing does. */
  problem(): string | null
  /** Whether some queue can be read. If not, although there is a problem, nothing of the servers is known. */
  readsAny(): boolean
  /** Called with the task names whenever they change. */
  onChange(listener: (taskNames: readonly string[]) => void): void
}

/** Progress of the first search for queues. */
export interface QueuesLook {
  /** About how many keys were scanned so far. */
  readonly keys: number
  readonly queues: number
  /** Whether it has ended, successfully or with an error. */
  readonly isDone: boolean
}

export interface DiscoveryOptions {
  readonly onError: (error: Error) => void
  /** Called about once a second during a long first search, and once when it has ended. */
  readonly onLook?: (look: QueuesLook) => void
  /**
   * Called before each search; tells which task names the app uses itself. Queues with such a task name are not shown, and `problem` says
   * so. Default: none.
   */
  readonly taken?: () => Promise<(taskName: string) => boolean>
  /** Default: `LOOK_PACE`. */
  readonly pace?: LookPace
}

interface LookedAt {
  readonly server: ObservedServer
  readonly sources: readonly ObservedSource[]
  /** How many keys the current search has scanned. */
  keys: number
  found: readonly ObservedQueue[]
  newness: QueueNewness
  problems: readonly string[]
  /** Whether one search has ended without an error. */
  isLooked: boolean
  isFailing: boolean
  /** When queues were last shown before the search had ended, by `performance.now()`. */
  toldAt: number
  timer?: NodeJS.Timeout
  looking: Promise<unknown>
}

/** How long `start` waits for the first search. On a server with very many keys, the search continues in the background. */
const FIRST_LOOK_MS = 3_000
const TELL_EVERY_MS = 1_000

export function createDiscovery(
  sources: readonly ObservedSource[],
  { onError, onLook = () => {}, taken = async () => () => false, pace = LOOK_PACE }: DiscoveryOptions
): Discovery {
  const servers = [...groupBy(sources, ({ server }) => server)].map(([server, ofServer]): LookedAt => ({
    server, sources: ofServer, keys: 0, found: [], newness: NOT_LOOKED, problems: [], isLooked: false, isFailing: false,
    toldAt: performance.now(), looking: Promise.resolve()
  }))
  const stopping = new AbortController()
  const listeners: Array<(taskNames: readonly string[]) => void> = []
  let byTask = new Map<string, SeenQueue>()
  let byPlace: ReadonlyMap<string, SeenQueue> = new Map()
  let list: readonly SeenQueue[] = []
  let names: readonly string[] = []
  /** Null until `taken` has answered. Until then, no queue is shown. */
  let isTaken: ((taskName: string) => boolean) | null = null
  let leftOut: readonly ObservedQueue[] = []

  /** @returns the error of a server that could not be searched, unless its previous search failed as well */
  async function look(each: LookedAt): Promise<unknown[]> {
    isTaken = await taken()
    const failures = await lookAt(each).then(() => [], (error: unknown) => noteFailure(each, error))
    const used = new Set([...each.found, ...byTask.values()].map(({ server }) => server))
    const shownOn = groupBy(each.found.filter(({ taskName }) => isTaken?.(taskName) === false), ({ server }) => server)
    await each.server.settle(taskName => byTask.has(taskName), part => used.has(part), part => shownOn.get(part) ?? [])
    if (stopping.signal.aborted) return []
    settle()
    return failures
  }

  function noteFailure(each: LookedAt, error: unknown): unknown[] {
    const reason = error instanceof Error ? error.message : 'unknown error'
    each.problems = [`Queues at ${each.server.label} cannot be looked for (${reason})`]
    // The connection reports outages. A problem that someone has to fix is reported only once.
    const isNew = !each.isFailing
    each.isFailing = true
    return isNew ? [error] : []
  }

  async function lookAt(each: LookedAt): Promise<void> {
    const at = Date.now()
    const scanned = each.sources.some(({ queues }) => queues === 'all') ? await scan(each) : undefined
    const found = await Promise.all(each.sources.map(source => queuesOf(source, scanned)))
    const refused = found.flatMap(({ refused }) => refused)
    const [first] = refused
    if (first !== undefined && found.every(({ queues, refused }) => queues.length === 0 && refused.length > 0))
      throw mayNotRead(each.server.label, refused, first.reason)
    each.found = found.flatMap(({ queues }) => queues)
    each.problems = found.flatMap(({ problem }) => problem ?? [])
    if (scanned?.isFull) each.problems = [...each.problems, fullText(each.server.label, each.found.length)]
    if (first !== undefined) each.problems = [...each.problems, mayNotReadText(each.server.label, refused, first.reason)]
    each.newness = newnessAfter(each.newness, { at, isAll: scanned?.isAll ?? true, taskNames: each.found.map(queue => queue.taskName) })
    Object.assign(each, { isLooked: true, isFailing: false })
  }

  function scan(each: LookedAt): Promise<FoundQueues> {
    let hasNew = false
    return each.server.scan({
      prefixes: each.sources.flatMap(({ prefix, queues }) => queues === 'all' ? [prefix] : []),
      signal: stopping.signal,
      ...each.isLooked && { keysPerSecond: pace.keysPerSecond },
      onStep(keys, found, isNew) {
        each.keys = keys
        hasNew ||= isNew
        if (each.isLooked && !hasNew || performance.now() - each.toldAt < TELL_EVERY_MS) return
        each.toldAt = performance.now()
        hasNew = false
        showFound(each, found())
      }
    })
  }

  /** A search can take long, so queues are shown as they are found. Those that are gone are known only when it has ended. */
  function showFound(each: LookedAt, found: FoundQueues): void {
    const before = new Set(each.found.map(({ taskName }) => taskName))
    const all = each.sources.flatMap(source => source.queues === 'all' ? toQueues(source, namesOf(source, found)).shown : [])
    each.found = [...each.found, ...all.filter(({ taskName }) => !before.has(taskName))]
    each.newness = newnessDuring(each.newness, each.found.map(({ taskName }) => taskName))
    settle()
    if (!each.isLooked) onLook({ keys: keysLookedAt(), queues: list.length, isDone: false })
  }

  const keysLookedAt = (): number => servers.reduce((sum, { keys }) => sum + keys, 0)

  async function queuesOf(source: ObservedSource, found: FoundQueues | undefined): Promise<OfSource> {
    const { server, prefix, queues } = source
    const all = namesOf(source, found)
    const { shown, left } = toQueues(source, all)
    const unnamed = left === 0 ? null : namesText(server.label, left)
    if (queues === 'all') {
      const refused = toQueues(source, [...found?.refused?.get(prefix) ?? []]).shown
      return {
        queues: shown,
        problem: found?.unread?.get(prefix) ?? (all.length + refused.length === 0 ? nothingFoundText(source, found?.byPrefix) : unnamed),
        refused: refused.map(queue => ({ ...queue, reason: RIGHT_TAKEN_AWAY }))
      }
    }
    const exist = await Promise.all(shown.map(queue => server.exists(queue).catch(refusedBecause)))
    const absent = shown.filter((_, index) => exist[index] === false)
    const refused = shown.flatMap((queue, index) => typeof exist[index] === 'string' ? [{ ...queue, reason: exist[index] }] : [])
    return {
      // A queue may be named in the options before it has its first job.
      queues: shown.filter((_, index) => typeof exist[index] === 'boolean'),
      problem: absent.length === 0 ? unnamed : absentText(source, absent), refused
    }
  }

  /** Publishes the queues that were found. For a server that could not be searched, these are the queues from before. */
  function settle(): void {
    const all = servers.flatMap(({ found }) => found)
    const absent = new Map(servers.flatMap(({ newness }) => [...newness.absentAt]))
    const queues = all.filter(({ taskName }) => isTaken?.(taskName) === false)
    sayLeftOut(all.filter(({ taskName }) => isTaken?.(taskName)))
    const at = Date.now()
    const next = new Map(queues.map(queue => {
      const firstSeenAt = byTask.get(queue.taskName)?.firstSeenAt ?? at
      const absentAt = absent.get(queue.taskName)
      return [queue.taskName, { ...queue, firstSeenAt, lastSeenAt: at, ...absentAt !== undefined && { absentAt } }]
    }))
    byTask = next
    byPlace = new Map([...next.values()].map(queue => [placeKey(queue.server, queue.prefix, queue.name), queue]))
    list = [...next.values()].sort((one, other) => one.taskName < other.taskName ? -1 : 1)
    if (list.length === names.length && list.every(({ taskName }, index) => taskName === names[index])) return
    names = list.map(({ taskName }) => taskName)
    for (const listener of listeners) listener(names)
  }

  function sayLeftOut(queues: readonly ObservedQueue[]): void {
    const known = new Set(leftOut.map(({ taskName }) => taskName))
    leftOut = queues.toSorted((one, other) => one.taskName < other.taskName ? -1 : 1)
    if (queues.some(({ taskName }) => !known.has(taskName))) onError(new Error(leftOutText(leftOut)))
  }

  /** Each server has its own searches, because those of another can take minutes. */
  function lookLater(each: LookedAt, tookMs: number, isFirst: boolean): void {
    if (stopping.signal.aborted) return
    each.timer = setTimeout(() => { void lookAgain(each) }, restAfter(tookMs, isFirst, pace)).unref()
  }

  async function lookAgain(each: LookedAt): Promise<void> {
    const startedAt = performance.now()
    const looking = each.looking = look(each)
    for (const error of await looking) onError(error as Error)
    lookLater(each, performance.now() - startedAt, false)
  }

  async function lookFirst(): Promise<void> {
    const failures = await Promise.all(servers.map(async each => {
      const startedAt = performance.now()
      const errors = await (each.looking = look(each))
      lookLater(each, performance.now() - startedAt, true)
      return errors
    }))
    const [error] = failures.flat()
    if (error !== undefined && servers.every(({ isFailing }) => isFailing)) throw notLookedAt(servers[0]!.server.label, error)
    if (error !== undefined) onError(error as Error)
    const problem = servers.flatMap(({ problems, isFailing }) => isFailing ? [] : problems)[0]
    if (problem !== undefined && !stopping.signal.aborted) onError(new Error(problem))
  }

  return {
    async start() {
      await Promise.all(servers.map(({ server }) => server.start()))
      if (stopping.signal.aborted) return
      const first = lookFirst().finally(() => { onLook({ keys: keysLookedAt(), queues: list.length, isDone: true }) })
      first.catch(() => {})
      // Not a DeadlineError, because a server that does not respond causes one as well.
      const stillLooking = new Error('still looking')
      const aborted = new Promise<never>((_resolve, reject) => {
        stopping.signal.addEventListener('abort', () => { reject(stillLooking) })
      })
      await withDeadline(Promise.race([first, aborted]), FIRST_LOOK_MS, () => stillLooking).catch((error: unknown) => {
        if (error !== stillLooking) throw error
        first.catch(onError)
      })
    },
    abort: () => { stopping.abort() },
    async stop() {
      stopping.abort()
      for (const { timer } of servers) clearTimeout(timer)
      await Promise.all(servers.map(({ server }) => server.stop()))
      await Promise.allSettled(servers.map(({ looking }) => looking))
    },
    queues: () => list,
    taskNames: () => names,
    queueOf: taskName => byTask.get(taskName),
    placed: (server, prefix, name) => byPlace.get(placeKey(server, prefix, name)),
    problem() {
      const problems = [
        ...servers.flatMap(each => [...each.problems, ...each.server.problems()]), ...leftOut.length === 0 ? [] : [leftOutText(leftOut)]
      ]
      return problems.length === 0 ? null : problems.join('; ')
    },
    // Queues of a server that could not be searched are those from before, perhaps because nothing there may be read any more.
    readsAny: () => servers.some(({ found, isFailing }) => !isFailing &&
      found.some(({ taskName, server }) => byTask.has(taskName) && !server.isRefused(taskName))),
    onChange: listener => { listeners.push(listener) }
  }
}

function placeKey({ identity }: Pick<ObservedServer, 'identity'>, prefix: string, name: string): string {
  return JSON.stringify([identity, prefix, name])
}

interface OfSource {
  readonly queues: readonly ObservedQueue[]
  readonly problem: string | null
  /** Queues that the user may not read, and why. */
  readonly refused: ReadonlyArray<ObservedQueue & { readonly reason: string }>
}
