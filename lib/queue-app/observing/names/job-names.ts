import { countedNoun } from '../../../collections/counted-noun.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import { canBeTask, jobTaskOf } from '../../../engine/observing/job-task.ts'
import type { DocumentStore } from '../../../stores/documents/documents.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../time/units.ts'

/**
 * The names of jobs in observed queues. As long as all jobs of a queue have one name, the queue is one task. Once a second name is seen,
 * each name is a task of its own, and the task of the queue covers them all.
 */
export interface JobNames {
  /** Reads what was seen before. Rejects if the result backend cannot be read. */
  start(): Promise<void>
  /** Saves what was seen. Idempotent; never rejects. */
  stop(): Promise<void>
  /** Notes names before `taskOf` is called, so that the first of several jobs is treated like the others. */
  note(jobs: ReadonlyArray<NamedJob>): void
  /** The task of a job: that of its name, or that of its queue. Also notes the name. */
  taskOf(queueTask: string, jobName: string | undefined): string
  /** The tasks of the names of a queue, in the order in which they were seen; none while its jobs have one name. */
  tasksOf(queueTask: string): readonly JobTask[]
  /** All names that were seen in a queue, even if there is only one; none if names are turned off. */
  namesOf(queueTask: string): readonly string[]
  /** Changes whenever the tasks change. */
  revision(): number
  /** Queues with more names than are shown, as a sentence for health; null if there are none. */
  problem(): string | null
}

export interface NamedJob { readonly taskName: string; readonly jobName?: string }

/** `firstSeenAt`: milliseconds since the epoch, by the clock of the process that saw it first. */
export interface JobTask { readonly taskName: string; readonly firstSeenAt: number }

/** What is stored about a queue. Names are in the order in which they were seen. */
interface StoredNames {
  readonly taskName: string
  readonly names: ReadonlyArray<readonly [name: string, firstSeenAt: number]>
  readonly hasOthers: boolean
}

interface Seen {
  readonly names: Map<string, number>
  /** Whether there are jobs whose names are not tasks, because they are beyond the limits or cannot be a task. */
  hasOthers: boolean
  /** Whether a name was left out because of a limit. */
  isFull: boolean
  tasks: readonly JobTask[]
  isUnsaved: boolean
  savedAt: number
  /** When its queue last existed, or when this process learnt of it. */
  thereAt: number
}

/** How many names of one queue can be tasks. */
export const MAX_NAMES_OF_QUEUE = 100
/** How many names of all existing queues together can be tasks. */
export const MAX_NAMES = 5_000
/** How many names of queues that are gone stay known, in case the queues come back. Queues can come and go for years. */
export const MAX_GONE_NAMES = 20_000
/** A queue counts as gone after this long: the first scan for queues can take a while. */
const GONE_AFTER_MS = HOUR_MS
const NAMES = 'observed-job-names'
/** A queue without jobs keeps its names for longer than any history. */
const KEPT_MS = 3 * 365 * DAY_MS
const SAVED_AGAIN_MS = 30 * DAY_MS
const SAVE_EVERY_MS = 5 * SECOND_MS
/** What other processes saw is read this often. */
const READ_EVERY_MS = 30 * SECOND_MS
const MAX_QUEUES_NAMED = 3
const COUNTED_FOR_MS = 5 * SECOND_MS

/**
 * @param isOn false: no name is a task, see `ObserveOptions.names`. What was recorded by name before stays known.
 * @param isThere whether the queue of a task exists. Names of other queues do not count towards the limits. They stay known for a while,
 *   because the queue may come back.
 */
export function createJobNames(
  documents: Pick<DocumentStore, 'list' | 'putMany' | 'delete'>, isOn: boolean, isThere: (queueTask: string) => boolean = () => true
): JobNames {
  const queues = new Map<string, Seen>()
  let counted = { at: -Infinity, names: 0 }
  let revision = 0
  let readAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  function seenOf(queueTask: string): Seen {
    const known = queues.get(queueTask)
    if (known !== undefined) return known
    const seen: Seen = {
      names: new Map(), hasOthers: false, isFull: false, tasks: [], isUnsaved: false, savedAt: -Infinity, thereAt: Date.now()
    }
    queues.set(queueTask, seen)
    return seen
  }

  function add(queueTask: string, jobName: string, firstSeenAt: number): void {
    const seen = seenOf(queueTask)
    if (seen.names.has(jobName)) return
    const isFit = canBeTask(queueTask, jobName)
    // The only name of a queue is not a task, so no limit applies to the first name.
    if (isFit && (seen.names.size === 0 || seen.names.size < MAX_NAMES_OF_QUEUE && countNames() < MAX_NAMES)) {
      seen.names.set(jobName, firstSeenAt)
      seen.isFull = false
    } else {
      seen.isFull ||= isFit
      if (seen.hasOthers) return
      seen.hasOthers = true
    }
    settle(queueTask, seen)
  }

  /** How many names are tasks. Cached, because it is called for every job whose name is beyond the limits. */
  function countNames(): number {
    if (performance.now() - counted.at > COUNTED_FOR_MS) {
      const names = [...queues].reduce((sum, [queueTask, { tasks }]) => sum + (isThere(queueTask) ? tasks.length : 0), 0)
      counted = { at: performance.now(), names }
    }
    return counted.names
  }

  function settle(queueTask: string, seen: Seen): void {
    seen.isUnsaved = true
    // The only name of a queue is not a task.
    if (seen.names.size + Number(seen.hasOthers) < 2) return
    if (isThere(queueTask)) counted.names += seen.names.size - seen.tasks.length
    seen.tasks = [...seen.names].map(([name, firstSeenAt]) => ({ taskName: jobTaskOf(queueTask, name), firstSeenAt }))
    revision++
  }

  function note(jobs: ReadonlyArray<NamedJob>): void {
    if (!isOn) return
    for (const { taskName, jobName } of jobs) if (jobName) add(taskName, jobName, Date.now())
  }

  async function read(): Promise<void> {
    const stored = await documents.list<StoredNames>(NAMES)
    readAt = performance.now()
    for (const { value: { taskName, names, hasOthers } } of stored) {
      for (const [name, firstSeenAt] of names) add(taskName, name, firstSeenAt)
      const seen = seenOf(taskName)
      if (hasOthers && !seen.hasOthers) {
        seen.hasOthers = true
        settle(taskName, seen)
      }
      if (seen.names.size === names.length && seen.hasOthers === hasOthers) seen.isUnsaved = false
    }
  }

  async function save(): Promise<void> {
    const now = performance.now()
    const changed = [...queues].filter(([, { tasks, isUnsaved, savedAt }]) =>
      tasks.length > 0 && (isUnsaved || now - savedAt > SAVED_AGAIN_MS))
    if (changed.length === 0) return
    // A name that is seen during this write is written the next time.
    for (const [, seen] of changed) seen.isUnsaved = false
    await documents.putMany<StoredNames>(NAMES, changed.map(([taskName, { names, hasOthers }]) => ({
      id: taskName, value: { taskName, names: [...names], hasOthers }
    })), { ttlMs: KEPT_MS }).catch((error: unknown) => {
      for (const [, seen] of changed) seen.isUnsaved = true
      throw error
    })
    for (const [, seen] of changed) seen.savedAt = now
  }

  /** Forgets the queues that have been gone for longest. */
  async function forgetGone(): Promise<void> {
    const now = Date.now()
    for (const [queueTask, seen] of queues) if (isThere(queueTask)) seen.thereAt = now
    const gone = [...queues].filter(([, { thereAt }]) => now - thereAt > GONE_AFTER_MS)
    let kept = 0
    const forgotten = gone.sort(([, one], [, other]) => other.thereAt - one.thereAt || lastNameAt(other) - lastNameAt(one))
      .filter(([, { names }]) => (kept += Math.max(names.size, 1)) > MAX_GONE_NAMES)
    await inTurns(forgotten, async ([queueTask, { tasks }]) => {
      if (tasks.length > 0) await documents.delete(NAMES, queueTask)
      if (isThere(queueTask)) return
      queues.delete(queueTask)
      revision++
    })
  }

  async function step(): Promise<void> {
    const isChanged = [...queues.values()].some(({ isUnsaved, tasks }) => isUnsaved && tasks.length > 0)
    // Another process may have seen other names of the same queue.
    if (isChanged || performance.now() - readAt > READ_EVERY_MS) await read()
    await save()
    await forgetGone()
  }

  function plan(): void {
    timer = setTimeout(() => {
      // The code that records finishes reports an outage. Until it is over, names stay in memory.
      running = step().catch(() => {}).then(() => { if (timer !== undefined) plan() })
    }, SAVE_EVERY_MS).unref()
  }

  return {
    async start() {
      await read()
      plan()
    },
    async stop() {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      await running
      await step().catch(() => {})
    },
    note,
    taskOf(queueTask, jobName) {
      note([{ taskName: queueTask, ...jobName !== undefined && { jobName } }])
      const seen = queues.get(queueTask)
      return isOn && jobName && seen?.tasks.length && seen.names.has(jobName) ? jobTaskOf(queueTask, jobName) : queueTask
    },
    tasksOf: queueTask => queues.get(queueTask)?.tasks ?? [],
    namesOf: queueTask => isOn ? [...queues.get(queueTask)?.names.keys() ?? []] : [],
    revision: () => revision,
    problem() {
      const full = [...queues].filter(([queueTask, { isFull }]) => isFull && isThere(queueTask)).map(([queueTask]) => queueTask)
      if (full.length === 0) return null
      const named = full.slice(0, MAX_QUEUES_NAMED).join(', ')
      return `Jobs of ${countedNoun(full.length, 'queue')} have more names than are shown, ${MAX_NAMES_OF_QUEUE} of a queue and ` +
        `${MAX_NAMES} in all: the others stay with the task of their queue (${named})`
    }
  }
}

function lastNameAt({ names }: Seen): number {
  return [...names.values()].at(-1) ?? 0
}
