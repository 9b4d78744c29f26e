import { isDeepStrictEqual } from 'node:util'
import { fixedDelay } from '../../time/backoff.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { createCached, type Cached } from '../monitoring/cached.ts'
import type { DeclaredTask, TaskSettings } from './task.ts'

/** A task that a process registered or declared, as published in the broker's store. */
export interface PublishedTask extends TaskSettings {
  readonly name: string
  /** Milliseconds since the epoch, by the broker's clock. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface KnownTasks {
  /** Ordered by name. */
  readonly list: readonly PublishedTask[]
  /** Names of the list. The same array while they do not change, so derived data can be cached. */
  readonly names: readonly string[]
  readonly byName: ReadonlyMap<string, PublishedTask>
  /** Tasks that some process can run, or could run a few minutes ago. */
  readonly registered: ReadonlySet<string>
  /** Tasks that some process declared in the last minutes, whether or not one can run them. */
  readonly declared: ReadonlySet<string>
}

export interface TaskDefinitionsDependencies {
  readonly documents: DocumentStore
  /** The tasks this process runs. */
  local(): readonly DeclaredTask[]
  /** The tasks this process declares, and may not run. Default: none. */
  readonly declared?: readonly DeclaredTask[]
  /** The broker's clock, because publishing processes may have wrong ones. */
  brokerNow(): Promise<number>
  now(): number
}

export const TASK_FORGOTTEN_AFTER_MS = 7 * DAY_MS
/** How often one of the processes that have a task updates its last-seen time. */
const SEEN_EVERY_MS = 45_000
/** Processes publish once a minute. A task that was not published for this long is no longer registered. */
const REGISTERED_WITHIN_MS = 5 * MINUTE_MS
/** Definitions are read again when one changed, and this often to refresh last-seen times. */
const READ_AGAIN_AFTER_MS = MINUTE_MS
const FRESH_MS = 1_000
const RECENT_MS = 10_000
const REGISTERED = 'tasks'
/** A separate collection, so that a process that declares a task never overwrites what a process that runs it published. */
const DECLARED = 'declared-tasks'
/** A counter that grows with every change. Reading it is cheap; reading thousands of definitions every second is not. */
const REVISIONS = { collection: 'revisions', id: 'tasks' } as const

/** The registered and declared tasks of all processes: one document per task, shared by them. */
export function createTaskDefinitions({ documents, local, declared = [], brokerNow, now }: TaskDefinitionsDependencies) {
  let names: readonly string[] = []
  let read: { readonly revision: number; readonly stored: Stored; readonly at: number; readonly aheadMs: number } | undefined

  let ownKnown = 0
  const known: Cached<KnownTasks> = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    if (read === undefined) {
      // The first read does not wait for the counter; the next one compares it.
      read = await readAll(-1)
    } else {
      const [revision] = await documents.counters(REVISIONS.collection, [REVISIONS.id])
      if (revision !== read.revision || Math.abs(now() - read.at) >= READ_AGAIN_AFTER_MS) read = await readAll(revision!)
    }
    return withOwn(read.stored, now() + read.aheadMs)
  } })

  async function readAll(revision: number) {
    const [registered, declared, brokerTime] = await Promise.all([
      documents.list<PublishedTask>(REGISTERED), documents.list<PublishedTask>(DECLARED), brokerNow()
    ])
    const stored = {
      registered: registered.map(document => complete(document.value)), declared: declared.map(document => complete(document.value))
    }
    return { revision, stored, at: now(), aheadMs: brokerTime - now() }
  }

  /**
   * Settings take precedence in this order: published recently by a process that can run the task, declared by this process, declared by
   * another, published by a process that is gone. This process's own tasks are included before they are published, because a task that was
   * just registered may already be enqueued.
   */
  function withOwn(stored: Stored, at: number): KnownTasks {
    const isRecent = (task: PublishedTask) => task.lastSeenAt >= at - REGISTERED_WITHIN_MS
    const byName = new Map(stored.registered.map(task => [task.name, task]))
    const registered = new Set(stored.registered.filter(isRecent).map(task => task.name))
    const declaredNames = new Set(stored.declared.filter(isRecent).map(task => task.name))
    for (const task of stored.declared) {
      const before = byName.get(task.name)
      const isBest = before === undefined || (declaredNames.has(task.name) && !registered.has(task.name))
      if (isBest) byName.set(task.name, { ...task, firstSeenAt: before?.firstSeenAt ?? task.firstSeenAt })
    }
    for (const { name, settings } of declared) {
      declaredNames.add(name)
      if (!registered.has(name)) byName.set(name, { ...byName.get(name) ?? { firstSeenAt: at, lastSeenAt: at }, name, ...settings })
    }
    for (const { name, settings } of local()) {
      registered.add(name)
      if (!byName.has(name)) byName.set(name, { name, ...settings, firstSeenAt: at, lastSeenAt: at })
    }
    const list = [...byName.values()].sort(byTaskName)
    if (list.length !== names.length || list.some(({ name }, index) => name !== names[index])) names = list.map(task => task.name)
    return { list, names, byName, registered, declared: declaredNames }
  }

  async function publish(): Promise<void> {
    const own = local()
    const ownNames = new Set(own.map(task => task.name))
    const changes = await Promise.all([write(REGISTERED, own), write(DECLARED, declared.filter(({ name }) => !ownNames.has(name)))])
    if (changes.includes(true)) await documents.increment(REVISIONS.collection, REVISIONS.id, 1)
    known.forget()
  }

  /**
   * Writes new and changed tasks, and those that no process has written recently.
   * @returns whether anything is new or changed
   */
  async function write(collection: string, tasks: readonly DeclaredTask[]): Promise<boolean> {
    if (tasks.length === 0) return false
    const [stored, at] = await Promise.all([documents.getMany<PublishedTask>(collection, tasks.map(task => task.name)), brokerNow()])
    let isChanged = false
    const outdated = tasks.flatMap(({ name, settings }, index) => {
      const last = stored[index]?.value
      const value: PublishedTask = { name, ...settings, firstSeenAt: last?.firstSeenAt ?? at, lastSeenAt: at }
      const isSame = last !== undefined && isDeepStrictEqual({ ...last, lastSeenAt: at }, value)
      isChanged ||= !isSame
      return isSame && Math.abs(at - last.lastSeenAt) < SEEN_EVERY_MS ? [] : [{ id: name, value }]
    })
    if (outdated.length > 0) await documents.putMany(collection, outdated, { ttlMs: TASK_FORGOTTEN_AFTER_MS })
    return isChanged
  }

  /** Drops the cache if a task was registered in this process since then. */
  function ownAreKnown(): typeof known {
    const count = local().length
    if (count !== ownKnown) known.forget()
    ownKnown = count
    return known
  }

  return { known: { get: () => ownAreKnown().get(), recent: () => ownAreKnown().recent() }, publish }
}

/** Earlier versions published a delay in seconds, no backoff and no rate limit. */
function complete(task: PublishedTask): PublishedTask {
  const {
    backoff, retryDelay = 0, rateLimit = null
  }: Partial<Pick<PublishedTask, 'backoff' | 'rateLimit'>> & { readonly retryDelay?: number } = task
  return backoff === undefined ? { ...task, backoff: fixedDelay(retryDelay * 1000), rateLimit } : task
}

interface Stored {
  readonly registered: readonly PublishedTask[]
  readonly declared: readonly PublishedTask[]
}

function byTaskName(a: PublishedTask, b: PublishedTask): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
