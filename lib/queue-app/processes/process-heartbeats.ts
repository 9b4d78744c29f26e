import type { DocumentStore } from '../../stores/documents/documents.ts'
import type { AppIdentity } from './app-identity.ts'
import { createCached, type Cached } from '../monitoring/cached.ts'
import type { SharedLists } from './shared-lists.ts'

/** A process with tasks to run. */
export interface PublishedProcess {
  readonly workerId: string
  readonly startedAt: number
  /** The tasks it can run: those whose worker reaches the broker on the connections over which it takes executions. */
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
  /**
   * Whether it takes no more executions because it is stopping. It still runs those it took, so it stays in every list and keeps its tasks,
   * but it is not counted for new executions. Published only while it stops, and not by earlier versions.
   */
  readonly isStopping?: boolean
  /** The application it belongs to. Not published by earlier versions. */
  readonly app?: AppIdentity
}

export interface KnownProcesses {
  readonly list: readonly PublishedProcess[]
  /** How many processes can run each task, except those that are stopping. */
  readonly workersByTask: ReadonlyMap<string, number>
}

export const HEARTBEAT_EVERY_MS = 5_000
/** Three heartbeats may be lost before a process counts as gone. */
export const HEARTBEAT_TTL_MS = 20_000
const FRESH_MS = 1_000
const RECENT_MS = 10_000
const PROCESSES = 'processes'

/**
 * One small document per process, which refers to its tasks by a fingerprint of their names. So a heartbeat costs the same for one task as
 * for thousands.
 */
export function createProcessHeartbeats(documents: DocumentStore, taskLists: SharedLists<string>, now: () => number) {
  let hasBegun = false

  const known: Cached<KnownProcesses> = createCached({ freshMs: FRESH_MS, recentMs: RECENT_MS, now, load: async () => {
    const beats = (await documents.list<Heartbeat>(PROCESSES)).map(document => document.value)
    await taskLists.read(new Set(beats.map(beat => beat.taskList)))
    const list = beats.map(({ taskList, ...process }) => ({ ...process, tasks: taskLists.get(taskList) ?? [] }))
    return { list, workersByTask: countByTask(list) }
  } })

  return {
    known,

    /** Whether a heartbeat was sent or attempted, so that others may know this process. */
    get hasBegun() { return hasBegun },

    /** @returns whether the broker knew this process from an earlier heartbeat */
    async beat({ tasks, ...process }: PublishedProcess): Promise<boolean> {
      hasBegun = true
      const heartbeat: Heartbeat = { ...process, taskList: await taskLists.write(tasks) }
      const version = await documents.put(PROCESSES, process.workerId, heartbeat, { ttlMs: HEARTBEAT_TTL_MS })
      known.forget()
      return version !== 1
    },

    async leave(workerId: string): Promise<void> {
      await documents.delete(PROCESSES, workerId)
    }
  }
}

type Heartbeat = Omit<PublishedProcess, 'tasks'> & { readonly taskList: string }

/** Counts by task list instead of by process, because there are few lists. */
function countByTask(processes: readonly PublishedProcess[]): Map<string, number> {
  const byList = new Map<readonly string[], number>()
  for (const { tasks, isStopping } of processes) if (!isStopping) byList.set(tasks, (byList.get(tasks) ?? 0) + 1)
  const byTask = new Map<string, number>()
  for (const [names, count] of byList) for (const name of names) byTask.set(name, (byTask.get(name) ?? 0) + count)
  return byTask
}
