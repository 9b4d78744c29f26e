import { createHash } from 'node:crypto'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { AppIdentity } from './app-identity.ts'
import { createCached, type Cached } from '../monitoring/cached.ts'
import { HOUR_MS } from '../../time/units.ts'

/** A process with tasks to run. */
export interface PublishedProcess {
  readonly workerId: string
  readonly startedAt: number
  /** The tasks it can run: those whose worker reaches the broker on the connections it takes executions with. */
  readonly tasks: readonly string[]
  /** How many of its tasks it cannot run at the moment. */
  readonly unreachable: number
  /** The earliest finish time it still has to write to the history; null if there is none. */
  readonly unwrittenSince: number | null
  /** What keeps it from writing to the history, a sentence for health; null when all is well. */
  readonly recordingProblem: string | null
  /** How many milliseconds its clock is ahead of the broker's; negative if behind. Not published by earlier versions. */
  readonly aheadMs?: number
  /**
   * Why the broker refuses its workers, such as a missing right: part of a sentence. Null while it accepts them. Not published by earlier
   * versions.
   */
  readonly refusal?: string | null
  /** The application it belongs to. Not published by earlier versions. */
  readonly app?: AppIdentity
}

export interface KnownProcesses {
  readonly list: readonly PublishedProcess[]
  /** How many processes can run each task. */
  readonly workersByTask: ReadonlyMap<string, number>
}

/** Three heartbeats may be lost before a process counts as gone. */
export const HEARTBEAT_TTL_MS = 20_000
const LIST_TTL_MS = HOUR_MS
const FRESH_MS = 1_000
const RECENT_MS = 10_000
const PROCESSES = 'processes'
const LISTS = 'task-lists'

/**
 * One small document per process, which refers to its tasks by a fingerprint of their names. The names are in another document that
 * processes with the same tasks share, and are read once. So a heartbeat costs the same for one task as for thousands.
 */
export function createProcessHeartbeats(documents: DocumentStore, now: () => number) {
  const lists = new Map<string, readonly string[]>()
  let written: string | undefined
  let hasBegun = false

  const known: Cached<KnownProcesses> = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    const beats = (await documents.list<Heartbeat>(PROCESSES)).map(document => document.value)
    await readLists(new Set(beats.map(beat => beat.taskList)))
    // If the names are missing, the broker lost them. The process writes them again with its next heartbeat.
    const list = beats.map(({ taskList, ...process }) => ({ ...process, tasks: lists.get(taskList) ?? [] }))
    return { list, workersByTask: countByTask(list) }
  } })

  async function readLists(wanted: ReadonlySet<string>): Promise<void> {
    const unread = [...wanted].filter(id => !lists.has(id))
    const found = unread.length === 0 ? [] : await documents.getMany<readonly string[]>(LISTS, unread)
    for (const [index, id] of unread.entries()) {
      const names = found[index]?.value
      if (names) lists.set(id, names)
    }
    for (const id of lists.keys()) if (!wanted.has(id) && id !== written) lists.delete(id)
  }

  return {
    known,

    /** Whether a heartbeat was sent or attempted, so that others may know this process. */
    get hasBegun() { return hasBegun },

    /** @returns whether the broker knew this process from an earlier heartbeat */
    async beat({ tasks, ...process }: PublishedProcess): Promise<boolean> {
      hasBegun = true
      const taskList = fingerprintOf(tasks)
      if (taskList !== written) {
        await documents.put(LISTS, taskList, tasks, { ttlMs: LIST_TTL_MS })
        lists.set(taskList, tasks)
        written = taskList
      }
      const heartbeat: Heartbeat = { ...process, taskList }
      const version = await documents.put(PROCESSES, process.workerId, heartbeat, { ttlMs: HEARTBEAT_TTL_MS })
      known.forget()
      return version !== 1
    },

    /** Makes the next heartbeat write the task names again. */
    renew(): void { written = undefined },

    async leave(workerId: string): Promise<void> {
      await documents.delete(PROCESSES, workerId)
    }
  }
}

type Heartbeat = Omit<PublishedProcess, 'tasks'> & { readonly taskList: string }

function fingerprintOf(names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url')
}

/** Counts by task list instead of by process, because there are few lists. */
function countByTask(processes: readonly PublishedProcess[]): Map<string, number> {
  const byList = new Map<readonly string[], number>()
  for (const { tasks } of processes) byList.set(tasks, (byList.get(tasks) ?? 0) + 1)
  const byTask = new Map<string, number>()
  for (const [names, count] of byList) for (const name of names) byTask.set(name, (byTask.get(name) ?? 0) + count)
  return byTask
}
