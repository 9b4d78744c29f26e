import { countedNoun } from '../../../collections/counted-noun.ts'
import type { ResultBackend } from '../../../backend/result-backend.ts'
import { isRecordable } from '../../../backend/entry/ledger-entry.ts'
import { recordInHalves } from '../../../backend/upkeep/record-in-halves.ts'
import { createSlowRefusals } from '../../../backend/upkeep/slow-refusals.ts'
import type { ToldFinish } from '../../../engine/observing/events/job-stories.ts'
import type { Discovery } from '../../../engine/observing/discovery.ts'
import type { FinishedExecution } from '../../../execution.ts'
import type { ObservedServer } from '../../../engine/observing/observed-server.ts'
import { DAY_MS } from '../../../time/units.ts'
import { claimFinishes, isInQueue, wholeIdOf, type Claim } from './claim-finishes.ts'
import type { NotedFinishes } from '../noted-finishes.ts'
import { noteHistory } from '../note-history.ts'
import { createFinishedJobReader, createUnreadableJobs, type JobReader } from './read-finished-jobs.ts'
import { heldOf } from '../../../stores/documents/fence.ts'
import type { RecordingTurn } from '../recording-turn.ts'
import type { SavedProgress } from '../saved-progress.ts'
import type { EventFinishes } from '../event-finishes.ts'

export interface RecordingDependencies {
  readonly discovery: Pick<Discovery, 'queueOf'>
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'list' | 'kept'>
  readonly noted: NotedFinishes
  readonly ofEvents: EventFinishes
  readonly progress: SavedProgress
  readonly turn: Pick<RecordingTurn, 'fence'>
  /** Redacts an execution for the history. */
  recorded(execution: FinishedExecution): FinishedExecution
  /** Events of a queue up to this time, by the server's clock, may already have been recorded by a process that left no marks. */
  replayUntil(taskName: string): number
  /** Whether a server is not read for now, after a failure. */
  isAway(server: ObservedServer): boolean
  /** Called when a server does not respond. */
  fail(server: ObservedServer, error: unknown): void
  isStopped(): boolean
  onError(error: Error): void
}

export interface FinishRecorder {
  add(server: ObservedServer, finish: ToldFinish): void
  /** How many finishes are not recorded yet, of one server or of all. */
  waiting(server?: ObservedServer): number
  /** Forgets servers that are not used any more and have no finishes waiting. */
  forgetServers(isUsed: (server: ObservedServer) => boolean): void
  /** Forgets all waiting finishes: another process reads their events. */
  clear(): void
  /**
   * Records the waiting finishes. If a server cannot be read, its finishes wait, and the other servers continue. Finishes that the result
   * backend refuses while it accepts others are skipped and reported. If it accepts none, they all wait, and this rejects. Rejects with a
   * SupersededError if another process records by now.
   */
  record(): Promise<void>
  /** Sentences for health. */
  problems(): string[]
}

/** The finishes that events of one server reported and that are not recorded yet. */
interface OfServer {
  readonly server: ObservedServer
  readonly pending: ToldFinish[]
  readonly reader: JobReader
  /** The ids under which these were marked. */
  readonly marked: WeakMap<ToldFinish, string>
}

/**
 * How many executions are recorded at a time. This is more than are read at a time, because those that are rebuilt from their events take
 * no reads.
 */
const MAX_RECORDED_AT_A_TIME = 500

interface Refused { readonly of: OfServer; readonly finish: ToldFinish; readonly execution: FinishedExecution }

interface Outcome { readonly added: number; readonly refusal: unknown; readonly refused: readonly Refused[] }

/**
 * Records the finishes that events reported. A job that is still in its queue is read whole; one that is gone is rebuilt from its events.
 */
export function createFinishRecorder(dependencies: RecordingDependencies): FinishRecorder {
  const { noted, ofEvents, progress, turn, recorded, replayUntil, isAway, fail, isStopped, onError } = dependencies
  const backend = {
    ...dependencies.backend,
    record: async (executions: readonly FinishedExecution[]) =>
      dependencies.backend.record(executions, { onlyWhile: heldOf(turn.fence()) })
  }
  const slowRefusals = createSlowRefusals()
  const unreadable = createUnreadableJobs(onError)
  const servers = new Map<ObservedServer, OfServer>()
  let refusedCount = 0
  let refusedLast: { readonly executionId: string; readonly reason: string; readonly at: number } | null = null

  async function record(): Promise<void> {
    slowRefusals.begin()
    const refused: Refused[] = []
    let refusal: unknown = null
    let isAnyTaken = false
    try {
      for (const of of servers.values()) {
        for await (const outcome of recordOf(of)) {
          refused.push(...outcome.refused)
          refusal ??= outcome.refusal
          isAnyTaken ||= outcome.added > 0
        }
      }
    } finally {
      if (isAnyTaken) leaveOut(refused, refusal)
      // A backend that refuses everything has an outage. Waiting for its end loses nothing.
      else for (const { of, finish } of refused.toReversed()) of.pending.unshift(finish)
    }
    if (refused.length > 0 && !isAnyTaken) throw refusal
  }

  /** Ends early if the server cannot be read. */
  async function * recordOf(of: OfServer): AsyncGenerator<Outcome, void> {
    const { server, pending, reader } = of
    while (pending.length > 0 && !isAway(server)) {
      const claims = await claimFinishes(pending, dependencies).catch((error: unknown) => { fail(server, error) })
      if (claims === undefined) return
      await mark(of, claims)
      while (claims.length > 0) {
        const batch = firstOf(claims, reader.size())
        const fresh = await withoutMarked(batch)
        const executions = await reader.read(fresh).catch(() => null)
        // Next time, less is read from this server. Until then, the other servers continue.
        if (executions === null) return void await server.ping().catch((error: unknown) => { fail(server, error) })
        const outcome = await write(of, fresh, executions.map(recorded))
        claims.splice(0, batch.length)
        pending.splice(0, batch.length)
        yield outcome
      }
    }
  }

  function leaveOut(refused: readonly Refused[], refusal: unknown): void {
    if (refused.length === 0) return
    for (const { finish, execution } of refused) ofEvents.note(finish, execution.executionId)
    const { executionId } = refused.at(-1)!.execution
    refusedCount += refused.length
    refusedLast = { executionId, reason: refusal instanceof Error ? refusal.message : 'unknown', at: Date.now() }
    onError(new Error(`The result backend refuses ${countedNoun(refused.length, 'execution')} and takes others, so ` +
      `${refused.length === 1 ? 'it is' : 'they are'} missing in the history. The last is ${executionId}`, { cause: refusal }))
  }

  function mark({ marked }: OfServer, claims: readonly Claim[]): Promise<void> {
    return progress.mark(claims.filter(isInQueue).flatMap(({ finish, queue, finishedOn }) => {
      const executionId = wholeIdOf(finish, finishedOn)
      if (marked.get(finish) === executionId) return []
      marked.set(finish, executionId)
      return [{ queue, eventId: finish.eventId, executionId }]
    }))
  }

  async function write(of: OfServer, fresh: readonly Claim[], executions: readonly FinishedExecution[]): Promise<Outcome> {
    leaveOut(fresh.flatMap(({ finish }, index) => {
      const execution = executions[index]!
      return isRecordable(execution) ? [] : [{ of, finish, execution }]
    }), new Error('its id has more than 512 characters'))
    const due = (await withoutRemoved(await withoutRecorded(fresh, executions))).filter(isRecordable)
    const { added, refusal } = await recordInHalves(backend, due, {
      slowRefusals, isStopped, isThere: () => backend.kept().then(() => true, () => false)
    })
    const missing = refusal === null ? null : new Set(await backend.missing(due.map(({ executionId }) => executionId)))
    const refused: Refused[] = []
    for (const [index, { finish }] of fresh.entries()) {
      const execution = executions[index]!
      if (missing?.has(execution.executionId) && due.includes(execution)) refused.push({ of, finish, execution })
      else ofEvents.note(finish, execution.executionId, execution.jobName)
    }
    return { added, refusal, refused }
  }

  /** Leaves out what was recorded by a process that died before it saved its positions. */
  async function withoutMarked(batch: readonly Claim[]): Promise<readonly Claim[]> {
    const marked = batch.flatMap(each => {
      const executionId = each.queue && progress.markOf(each.queue, each.finish.eventId)
      return executionId === undefined ? [] : [{ each, executionId }]
    })
    if (marked.length === 0) return batch
    const missing = new Set(await backend.missing(marked.map(({ executionId }) => executionId)))
    const done = new Set<Claim>()
    for (const { each, executionId } of marked) {
      if (missing.has(executionId)) continue
      done.add(each)
      ofEvents.note(each.finish, executionId)
    }
    return batch.filter(each => !done.has(each))
  }

  /** Leaves out executions that were rebuilt from events although the job itself was recorded before it was removed. */
  async function withoutRecorded(batch: readonly Claim[], executions: readonly FinishedExecution[]): Promise<FinishedExecution[]> {
    const replayed = batch.flatMap(({ finish }, index) =>
      executions[index]!.missing !== undefined && finish.at <= replayUntil(finish.taskName) ? [finish] : [])
    await noteHistory(backend, noted, replayed)
    return executions.filter((execution, index) => {
      const { finish } = batch[index]!
      if (execution.missing !== undefined) return !noted.has(finish)
      noted.note([execution], () => finish.eventId)
      return true
    })
  }

  /** Leaves out what retention may already have removed: an old event may report such a finish. */
  async function withoutRemoved(executions: readonly FinishedExecution[]): Promise<readonly FinishedExecution[]> {
    if (executions.length === 0) return executions
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? executions : executions.filter(({ finishedAt }) => finishedAt > prunedBefore)
  }

  function ofServer(server: ObservedServer): OfServer {
    const known = servers.get(server) ?? { server, pending: [], reader: createFinishedJobReader(unreadable), marked: new WeakMap() }
    servers.set(server, known)
    return known
  }

  return {
    add: (server, finish) => { ofServer(server).pending.push(finish) },
    waiting: server => server === undefined
      ? [...servers.values()].reduce((sum, { pending }) => sum + pending.length, 0)
      : servers.get(server)?.pending.length ?? 0,
    forgetServers(isUsed) {
      for (const [server, { pending }] of servers) if (pending.length === 0 && !isUsed(server)) servers.delete(server)
    },
    clear() { servers.clear() },
    record,
    problems() {
      const refusal = refusedLast === null || refusedLast.at < Date.now() - DAY_MS
        ? null
        : `The result backend refused ${countedNoun(refusedCount, 'execution')} while it took others, so ` +
          `${refusedCount === 1 ? 'it is missing in the history:' : 'they are missing in the history, the last one'} ` +
          `${refusedLast.executionId} (${refusedLast.reason})`
      return [refusal, unreadable.problem()].filter(text => text !== null)
    }
  }
}

/** The first claims, with at most `maxRead` jobs to read. */
function firstOf(claims: readonly Claim[], maxRead: number): Claim[] {
  const first: Claim[] = []
  let read = 0
  for (const claim of claims) {
    if (isInQueue(claim) && ++read > maxRead || first.length === MAX_RECORDED_AT_A_TIME) break
    first.push(claim)
  }
  return first
}
