import { isDeepStrictEqual } from 'node:util'
import { fixedDelay } from '../backoff.ts'
import type { DocumentStore } from '../stores/documents.ts'
import { createCached, type Cached } from './cached.ts'
import type { RegisteredTask, TaskSettings } from './task.ts'

/** A task that some process registered, as it is published in the broker's store. */
export interface PublishedTask extends TaskSettings {
  readonly name: string
  /** Milliseconds since the epoch, by the broker's clock. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface KnownTasks {
  /** Ordered by name. */
  readonly list: readonly PublishedTask[]
  /** Of the list. The same array as long as they are the same: what is made of it can be kept. */
  readonly names: readonly string[]
  readonly byName: ReadonlyMap<string, PublishedTask>
  /** What a process published in the last minutes. */
  readonly registered: ReadonlySet<string>
}

export interface TaskDefinitionsDependencies {
  readonly documents: DocumentStore
  local(): readonly RegisteredTask[]
  /** The broker's clock: the processes that publish a task may have wrong ones. */
  brokerNow(): Promise<number>
  now(): number
}

export const TASK_FORGOTTEN_AFTER_MS = 7 * 24 * 3_600_000
/** One of the processes that have a task writes so often that it was seen. */
const SEEN_EVERY_MS = 45_000
/** Processes publish once a minute: a task that was not published for so long is registered by nobody. */
const REGISTERED_WITHIN_MS = 300_000
/** Definitions are read again when one of them changed, and this often to see when each was last seen. */
const READ_AGAIN_AFTER_MS = 60_000
const FRESH_MS = 1_000
const RECENT_MS = 10_000
const COLLECTION = 'tasks'
/** A counter that grows when a definition changes: asking it is cheap, reading thousands of definitions every second is not. */
const REVISIONS = { collection: 'revisions', id: 'tasks' } as const

/** What the processes have registered: one document a task, whoever has it. */
export function createTaskDefinitions({ documents, local, brokerNow, now }: TaskDefinitionsDependencies) {
  let names: readonly string[] = []
  let read: { readonly revision: number; readonly stored: readonly PublishedTask[]; readonly at: number; readonly aheadMs: number } | undefined

  let ownKnown = 0
  const known: Cached<KnownTasks> = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    if (read === undefined) {
      // The first reader does not wait for the counter; the next one compares it.
      read = await readAll(-1)
    } else {
      const [revision] = await documents.counters(REVISIONS.collection, [REVISIONS.id])
      if (revision !== read.revision || Math.abs(now() - read.at) >= READ_AGAIN_AFTER_MS) read = await readAll(revision!)
    }
    return withOwn(read.stored, now() + read.aheadMs)
  } })

  async function readAll(revision: number) {
    const [stored, brokerTime] = await Promise.all([documents.list<PublishedTask>(COLLECTION), brokerNow()])
    return { revision, stored: stored.map(document => complete(document.value)), at: now(), aheadMs: brokerTime - now() }
  }

  /** Those of this process are known before they are published: a task that was just registered may have been enqueued. */
  function withOwn(stored: readonly PublishedTask[], at: number): KnownTasks {
    const byName = new Map(stored.map(task => [task.name, task]))
    const registered = new Set(stored.filter(task => task.lastSeenAt >= at - REGISTERED_WITHIN_MS).map(task => task.name))
    for (const { name, settings } of local()) {
      registered.add(name)
      if (!byName.has(name)) byName.set(name, { name, ...settings, firstSeenAt: at, lastSeenAt: at })
    }
    const list = [...byName.values()].sort(byTaskName)
    if (list.length !== names.length || list.some(({ name }, index) => name !== names[index])) names = list.map(task => task.name)
    return { list, names, byName, registered }
  }

  /** Writes what is new or changed, and what nobody has written of late. */
  async function publish(): Promise<void> {
    const own = local()
    const [stored, at] = await Promise.all([documents.getMany<PublishedTask>(COLLECTION, own.map(task => task.name)), brokerNow()])
    let isChanged = false
    const outdated = own.flatMap(({ name, settings }, index) => {
      const last = stored[index]?.value
      const value: PublishedTask = { name, ...settings, firstSeenAt: last?.firstSeenAt ?? at, lastSeenAt: at }
      const isSame = last !== undefined && isDeepStrictEqual({ ...last, lastSeenAt: at }, value)
      isChanged ||= !isSame
      return isSame && Math.abs(at - last.lastSeenAt) < SEEN_EVERY_MS ? [] : [{ id: name, value }]
    })
    if (outdated.length > 0) await documents.putMany(COLLECTION, outdated, { ttlMs: TASK_FORGOTTEN_AFTER_MS })
    if (isChanged) await documents.increment(REVISIONS.collection, REVISIONS.id, 1)
    known.forget()
  }

  /** What was read before a task was registered here does not have it. */
  function ownAreKnown(): typeof known {
    const count = local().length
    if (count !== ownKnown) known.forget()
    ownKnown = count
    return known
  }

  return { known: { get: () => ownAreKnown().get(), recent: () => ownAreKnown().recent() }, publish }
}

/** A process of an earlier version published a delay in seconds, no back-off and no rate limit. */
function complete(task: PublishedTask): PublishedTask {
  const { backoff, retryDelay = 0, rateLimit = null }: Partial<Pick<PublishedTask, 'backoff' | 'rateLimit'>> & { readonly retryDelay?: number } = task
  return backoff === undefined ? { ...task, backoff: fixedDelay(retryDelay * 1000), rateLimit } : task
}

function byTaskName(a: PublishedTask, b: PublishedTask): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
