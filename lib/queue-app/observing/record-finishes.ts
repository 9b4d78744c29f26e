import type { ResultBackend } from '../../backend/result-backend.ts'
import { recordInHalves } from '../../backend/upkeep/record-in-halves.ts'
import { createSlowRefusals } from '../../backend/upkeep/slow-refusals.ts'
import { groupBy } from '../../collections/group-by.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import type { ToldFinish } from '../../engine/observing/events/job-stories.ts'
import type { Discovery, SeenQueue } from '../../engine/observing/discovery.ts'
import { readFinishedJob } from '../../engine/observing/observed-finished.ts'
import { finishedIdOf } from '../../engine/observing/observed-id.ts'
import type { FinishedExecution } from '../../execution.ts'
import { DAY_MS, SECOND_MS } from '../../time/units.ts'
import { SAME_WITHIN_MS, type NotedFinishes } from './noted-finishes.ts'
import { noteHistory } from './note-history.ts'
import type { SavedProgress } from './saved-progress.ts'
import type { ToldFinishes } from './told-finishes.ts'

export interface RecordingDependencies {
  readonly discovery: Pick<Discovery, 'queueOf'>
  readonly backend: Pick<ResultBackend, 'record' | 'missing' | 'list' | 'kept'>
  readonly noted: NotedFinishes
  readonly told: ToldFinishes
  readonly progress: SavedProgress
  /** What is recorded of an execution: redacted. */
  recorded(execution: FinishedExecution): FinishedExecution
  /** Events of a queue until then may have been recorded by a process that left no marks, by the server's clock. */
  replayUntil(taskName: string): number
  isStopped(): boolean
  onError(error: Error): void
}

export interface FinishRecorder {
  add(finish: ToldFinish): void
  /** How many are not recorded yet. */
  waiting(): number
  /** Forgets those: another process reads their events. */
  clear(): void
  /**
   * Records them. What the result backend refuses while it takes others is left out and reported. Rejects if it takes none: they wait then.
   */
  record(): Promise<void>
  /** One sentence for health; null when all is well. */
  problem(): string | null
}

/** Each may have megabytes of data, result and log. */
const RECORDED_AT_A_TIME = 50
const CLAIMED_AT_A_TIME = 1_000
/** A worker's clock that differs by more, or another finish of the same job since: its events tell which. */
const CLEARLY_SAME_MS = SECOND_MS

/** A finish, and the time of the last finish that the job in the queue has: null if the job is gone, or that is another finish. */
interface Claim { readonly finish: ToldFinish; readonly queue: SeenQueue | undefined; readonly finishedOn: number | null }

interface Refused { readonly finish: ToldFinish; readonly execution: FinishedExecution }

/** Records what events told of. A job that its queue still has is read whole; one that is gone is rebuilt from its events. */
export function createFinishRecorder(dependencies: RecordingDependencies): FinishRecorder {
  const { discovery, backend, noted, told, progress, recorded, replayUntil, isStopped, onError } = dependencies
  const slowRefusals = createSlowRefusals()
  const pending: ToldFinish[] = []
  let refusedCount = 0
  let refusedLast: { readonly executionId: string; readonly reason: string; readonly at: number } | null = null

  async function record(): Promise<void> {
    slowRefusals.begin()
    const refused: Refused[] = []
    let refusal: unknown = null
    let isAnyTaken = false
    try {
      while (pending.length > 0) {
        const claims = await claim(pending.slice(0, CLAIMED_AT_A_TIME))
        await mark(claims)
        for (const batch of inChunks(claims, RECORDED_AT_A_TIME)) {
          const outcome = await recordBatch(batch)
          refused.push(...outcome.refused)
          refusal ??= outcome.refusal
          isAnyTaken ||= outcome.added > 0
          pending.splice(0, batch.length)
        }
      }
    } finally {
      if (isAnyTaken) leaveOut(refused, refusal)
      // What refuses everything is an outage, and nothing is lost by waiting for its end.
      else pending.unshift(...refused.map(({ finish }) => finish))
    }
    if (refused.length > 0 && !isAnyTaken) throw refusal
  }

  function leaveOut(refused: readonly Refused[], refusal: unknown): void {
    if (refused.length === 0) return
    for (const { finish, execution } of refused) told.note(finish, execution.executionId)
    const { executionId } = refused.at(-1)!.execution
    refusedCount += refused.length
    refusedLast = { executionId, reason: refusal instanceof Error ? refusal.message : 'unknown', at: Date.now() }
    onError(new Error(`The result backend refuses ${refused.length} executions and takes others, so they are missing in the history. The ` +
      `last is ${executionId}`, { cause: refusal }))
  }

  /** Finds which job still has the finish that an event told of. */
  async function claim(finishes: readonly ToldFinish[]): Promise<Claim[]> {
    const lastOf = new Map(pending.map(({ taskName, jobId, eventId }) => [`${taskName}:${jobId}`, eventId]))
    const claims = await Promise.all(finishes.map(async (finish): Promise<Claim> => {
      const queue = discovery.queueOf(finish.taskName)
      // Of several finishes of one job, the queue can only have the last.
      const isLast = lastOf.get(`${finish.taskName}:${finish.jobId}`) === finish.eventId
      const finishedOn = queue === undefined || !isLast ? null : await queue.server.jobs.finishedOn(queue, finish.jobId)
      return { finish, queue, finishedOn }
    }))
    const unclear = claims.filter(({ finish, finishedOn }) => finishedOn !== null && Math.abs(finishedOn - finish.at) >= CLEARLY_SAME_MS)
    const later = await laterFinishes(unclear)
    return claims.map(each => {
      const { finish, finishedOn } = each
      if (finishedOn === null) return each
      const isAnothers = (told.eventOf(finish, idOf(finish, finishedOn)) ?? finish.eventId) !== finish.eventId
      return later.has(finish) || isAnothers ? { ...each, finishedOn: null } : each
    })
  }

  /** Those whose job ended again since, as its events tell: no clock of a worker matters. */
  async function laterFinishes(claims: readonly Claim[]): Promise<ReadonlySet<ToldFinish>> {
    const later = new Set<ToldFinish>()
    for (const [queue, ofQueue] of groupBy(claims, ({ queue }) => queue!)) {
      const last = await queue.server.events.lastFinishes(queue, ofQueue[0]!.finish.eventId).catch(async () => {
        // While the server is away, all wait. If it is there, these events cannot be read, and the clocks have to tell.
        await queue.server.ping()
        return null
      })
      for (const { finish, finishedOn } of ofQueue) {
        const isLater = last === null
          ? finishedOn! - finish.at >= SAME_WITHIN_MS
          : (last.get(finish.jobId) ?? finish.eventId) !== finish.eventId
        if (isLater) later.add(finish)
      }
    }
    return later
  }

  function mark(claims: readonly Claim[]): Promise<void> {
    return progress.mark(claims.flatMap(({ finish, queue, finishedOn }) =>
      queue === undefined || finishedOn === null ? [] : [{ queue, eventId: finish.eventId, executionId: idOf(finish, finishedOn) }]))
  }

  async function recordBatch(batch: readonly Claim[]) {
    const fresh = await withoutMarked(batch)
    const executions = await Promise.all(fresh.map(toExecution))
    const due = await withoutRemoved(await withoutRecorded(fresh, executions))
    const { added, refusal } = await recordInHalves(backend, due, {
      slowRefusals, isStopped, isThere: () => backend.kept().then(() => true, () => false)
    })
    const missing = refusal === null ? null : new Set(await backend.missing(due.map(({ executionId }) => executionId)))
    const refused: Refused[] = []
    for (const [index, { finish }] of fresh.entries()) {
      const execution = executions[index]!
      if (missing?.has(execution.executionId) && due.includes(execution)) refused.push({ finish, execution })
      else told.note(finish, execution.executionId)
    }
    return { added, refusal, refused }
  }

  /** Leaves out what a process recorded that died before it saved how far it came. */
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
      told.note(each.finish, executionId)
    }
    return batch.filter(each => !done.has(each))
  }

  async function toExecution({ finish, queue, finishedOn }: Claim): Promise<FinishedExecution> {
    const state = finish.status === 'success' ? 'completed' : 'failed'
    const whole = queue === undefined || finishedOn === null ? null : await readFinishedJob(queue, idOf(finish, finishedOn), state)
    if (whole === null) return recorded(finish.rebuild())
    // Of a job that started again the queue knows only the last start.
    return recorded(whole.waitMs === null ? { ...whole, waitMs: finish.rebuild().waitMs } : whole)
  }

  /** Leaves out what would be rebuilt although the job itself was recorded before it was removed. */
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

  /** Retention may have removed what an old event tells of. */
  async function withoutRemoved(executions: readonly FinishedExecution[]): Promise<readonly FinishedExecution[]> {
    if (executions.length === 0) return executions
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? executions : executions.filter(({ finishedAt }) => finishedAt > prunedBefore)
  }

  return {
    add: finish => { pending.push(finish) },
    waiting: () => pending.length,
    clear() { pending.length = 0 },
    record,
    problem: () => refusedLast === null || refusedLast.at < Date.now() - DAY_MS
      ? null
      : `The result backend refused ${refusedCount} executions while it took others, so they are missing in the history, the last one ` +
        `${refusedLast.executionId} (${refusedLast.reason})`
  }
}

function idOf({ taskName, jobId }: ToldFinish, finishedOn: number): string {
  return finishedIdOf(taskName, jobId, finishedOn)
}
