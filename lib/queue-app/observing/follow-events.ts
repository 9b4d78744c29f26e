import type { ResultBackend } from '../../backend/result-backend.ts'
import { groupBy } from '../../collections/group-by.ts'
import { inChunks } from '../../collections/in-chunks.ts'
import { EVENTS_AT_A_TIME, readEvents, readStream, STREAMS_AT_A_TIME } from '../../engine/observing/events/read-events.ts'
import { createJobStories, type JobStories, type ToldFinish } from '../../engine/observing/events/job-stories.ts'
import type { Discovery, SeenQueue } from '../../engine/observing/discovery.ts'
import { readFinishedJob } from '../../engine/observing/observed-finished.ts'
import { finishedIdOf } from '../../engine/observing/observed-id.ts'
import { jobKey } from '../../engine/observing/observed-queue.ts'
import type { FinishedExecution } from '../../execution.ts'
import type { ReadClient } from '../../stores/redis/observing/read-client.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../time/units.ts'
import { SAME_WITHIN_MS, type NotedFinishes } from './noted-finishes.ts'
import { afterEvents, compareWithStream, isBefore, NOT_BEGUN, sayGap, type StreamPosition } from './stream-positions.ts'

export interface FollowerDependencies {
  readonly discovery: Pick<Discovery, 'queues' | 'queueOf'>
  readonly backend: Pick<ResultBackend, 'record' | 'list' | 'kept'>
  /** Of the result backend. */
  readonly documents: Pick<DocumentStore, 'getMany' | 'putMany' | 'acquireLease'>
  readonly holder: string
  readonly noted: NotedFinishes
  /** What is recorded of an execution: redacted. */
  recorded(execution: FinishedExecution): FinishedExecution
  onError(error: Error): void
}

export interface Follower {
  /** Returns at once. */
  start(): void
  /** Saves how far it came. Idempotent; never rejects. */
  stop(): Promise<void>
  /** One sentence for health; null when all is well. */
  problem(): string | null
}

const READ_EVERY_MS = 250
const COMPARE_EVERY_MS = 5 * SECOND_MS
const SAVE_EVERY_MS = SECOND_MS
const LEASE_MS = MINUTE_MS
const RENEW_EVERY_MS = 10 * SECOND_MS
/** Another process follows; this one asks again. */
const WAIT_MS = 5 * SECOND_MS
const MAX_BACK_OFF_MS = 5 * SECOND_MS
/** Each may have megabytes of data, result and log. */
const RECORDED_AT_A_TIME = 50
/** One event of one stream. */
const MIN_SHARE = 1 / EVENTS_AT_A_TIME
/** The lease of the reconciler: what both record is compared in memory, so one process does both. */
const LEASE = 'result-backend:reconciler'
const POSITIONS = 'observed-streams'
const KEPT_MS = 30 * DAY_MS
/** Pages of the history that are compared after a restart. */
const PAGES_COMPARED = 50

/**
 * Records what finishes in observed queues from their streams of events: many streams with one command, on the connection that reads
 * everything else. A job that its queue still has is read whole; one that is gone is rebuilt from its events.
 */
export function createFollower(dependencies: FollowerDependencies): Follower {
  const { discovery, backend, documents, holder, noted, recorded, onError } = dependencies
  let stories: JobStories = createJobStories()
  const positions = new Map<string, StreamPosition>()
  /** The last event that was read: before the position while events are read again. */
  const cursors = new Map<string, string>()
  const unsaved = new Set<string>()
  /** Where each stream ended when this process began to follow it: before, another process may have recorded the same. */
  const replayUntil = new Map<string, number>()
  /** How much of what is usual is read of a server at a time. */
  const shares = new Map<ReadClient, number>()
  let pending: ToldFinish[] = []
  let heldUntil = 0
  let comparedAt = -Infinity
  let savedAt = -Infinity
  let failures = 0
  let failingSince: number | null = null
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  function plan(ms: number): void {
    if (!isStopped) timer = setTimeout(() => { running = step() }, ms).unref()
  }

  async function step(): Promise<void> {
    try {
      if (!await holdsLease()) return plan(WAIT_MS)
      const isMore = await follow()
      failures = 0
      failingSince = null
      plan(isMore ? 0 : READ_EVERY_MS)
    } catch (error) {
      if (failures++ === 3 && !isStopped) onError(error as Error)
      failingSince ??= Date.now()
      plan(Math.min(READ_EVERY_MS * 2 ** failures, MAX_BACK_OFF_MS))
    }
  }

  async function holdsLease(): Promise<boolean> {
    if (performance.now() < heldUntil) return true
    const wasHeld = heldUntil > 0
    const isHeld = await documents.acquireLease(LEASE, holder, LEASE_MS)
    heldUntil = isHeld ? performance.now() + RENEW_EVERY_MS : 0
    if (!isHeld && wasHeld) forget()
    return isHeld
  }

  function forget(): void {
    stories = createJobStories()
    positions.clear()
    cursors.clear()
    unsaved.clear()
    replayUntil.clear()
    pending = []
  }

  /** @returns whether more events are waiting */
  async function follow(): Promise<boolean> {
    // What could not be recorded comes first: the positions are beyond it.
    await recordPending()
    const isComparing = performance.now() - comparedAt > COMPARE_EVERY_MS
    if (isComparing) comparedAt = performance.now()
    let isMore = false
    const problems: unknown[] = []
    for (const [client, ofServer] of groupBy(discovery.queues(), ({ client }) => client)) {
      try {
        isMore = await followServer(client, ofServer, isComparing) || isMore
      } catch (error) {
        // The others go on. What was read and not recorded concerns all of them.
        if (pending.length > 0) throw error
        problems.push(error)
      }
    }
    if (performance.now() - savedAt > SAVE_EVERY_MS) await save()
    if (problems.length > 0) throw problems[0]
    return isMore
  }

  async function followServer(client: ReadClient, ofServer: readonly SeenQueue[], isComparing: boolean): Promise<boolean> {
    await begin(ofServer)
    if (isComparing) await Promise.all(ofServer.map(compare))
    const share = shares.get(client) ?? 1
    let isMore = false
    for (const queues of inChunks(ofServer, Math.ceil(STREAMS_AT_A_TIME * share))) {
      const count = Math.ceil(EVENTS_AT_A_TIME * share)
      // Results have no limit: what is too much for one answer is asked for in smaller parts.
      shares.set(client, Math.max(share / 4, MIN_SHARE))
      const found = await readEvents(client, queues.map(queue => ({ queue, after: cursors.get(queue.taskName)! })), count)
      for (const queue of queues) {
        const events = found.get(queue.taskName) ?? []
        const last = events.at(-1)
        if (last === undefined) continue
        isMore ||= events.length === count
        const known = positions.get(queue.taskName)!
        const fresh = events.filter(({ id }) => isBefore(known.position, id))
        for (const event of events) {
          const finish = stories.tell(queue, event)
          // What ended before the position was recorded; its events are read again for jobs that had begun.
          if (finish !== null && isBefore(known.position, event.id)) pending.push(finish)
        }
        cursors.set(queue.taskName, last.id)
        if (fresh.length === 0) continue
        positions.set(queue.taskName, afterEvents(known, last.id, fresh.length))
        unsaved.add(queue.taskName)
      }
      await recordPending()
    }
    shares.set(client, Math.min(share * 2, 1))
    return isMore
  }

  async function begin(queues: readonly SeenQueue[]): Promise<void> {
    const fresh = queues.filter(({ taskName }) => !positions.has(taskName))
    if (fresh.length === 0) return
    const stored = await documents.getMany<StreamPosition>(POSITIONS, fresh.map(({ taskName }) => taskName))
    const streams = await Promise.all(fresh.map(readStream))
    for (const [index, queue] of fresh.entries()) {
      const stream = streams[index] ?? null
      const known = stored[index]?.value ?? NOT_BEGUN
      const compared = compareWithStream(known, stream, await queue.client.now())
      reportGap(queue.taskName, known, compared)
      settle(queue.taskName, compared)
      // Jobs that had begun when this was stored.
      if (known.openFrom !== undefined && cursors.get(queue.taskName) === known.position) cursors.set(queue.taskName, known.openFrom)
      if (stream !== null) replayUntil.set(queue.taskName, Number(stream.lastId.split('-', 1)[0]))
      unsaved.add(queue.taskName)
    }
  }

  async function compare(queue: SeenQueue): Promise<void> {
    const known = positions.get(queue.taskName)!
    const compared = compareWithStream(known, await readStream(queue), await queue.client.now())
    if (compared === known) return
    reportGap(queue.taskName, known, compared)
    settle(queue.taskName, compared)
    unsaved.add(queue.taskName)
  }

  function reportGap(taskName: string, known: StreamPosition, compared: StreamPosition): void {
    if (compared.gaps.at(-1) !== known.gaps.at(-1)) onError(new Error(sayGap(taskName, compared)))
  }

  function settle(taskName: string, position: StreamPosition): void {
    const before = positions.get(taskName)
    positions.set(taskName, position)
    if (before?.position !== position.position) cursors.set(taskName, position.position)
  }

  async function recordPending(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending.slice(0, RECORDED_AT_A_TIME)
      const executions = await withoutRecorded(batch, await Promise.all(batch.map(toExecution)))
      if (executions.length > 0) await backend.record(await withoutRemoved(executions))
      pending.splice(0, batch.length)
    }
  }

  /** Of several finishes of one job in a batch, the queue can only have the last. */
  async function toExecution(finish: ToldFinish, index: number, batch: readonly ToldFinish[]): Promise<FinishedExecution> {
    const queue = discovery.queueOf(finish.taskName)
    const isLast = !batch.some((other, at) => at > index && other.jobId === finish.jobId && other.taskName === finish.taskName)
    if (queue === undefined || !isLast) return recorded(finish.rebuild())
    const finishedOn = await queue.client.read<string | null>('HGET', jobKey(queue, finish.jobId), 'finishedOn').catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return null
      throw error
    })
    // It ended again since: that finish has an event of its own.
    const isLater = Number(finishedOn) - finish.at >= SAME_WITHIN_MS
    const idOf = (): string => finishedIdOf(finish.taskName, finish.jobId, Number(finishedOn))
    const whole = finishedOn === null || isLater ? null : await readFinishedJob(queue, idOf())
    return recorded(whole?.status === finish.status ? whole : finish.rebuild())
  }

  /** Leaves out what was rebuilt although the job itself was recorded before it was removed. */
  async function withoutRecorded(batch: readonly ToldFinish[], executions: readonly FinishedExecution[]): Promise<FinishedExecution[]> {
    const rebuilt = batch.flatMap((finish, index) => executions[index]!.missing === undefined ? [] : [finish])
    const replayed = rebuilt.filter(({ taskName, at }) => at <= (replayUntil.get(taskName) ?? 0))
    await Promise.all([...groupBy(replayed, ({ taskName }) => taskName)].map(([taskName, finishes]) => noteHistory(taskName, finishes)))
    return executions.filter((execution, index) => {
      if (execution.missing === undefined) {
        noted.note([execution], () => batch[index]!.eventId)
        return true
      }
      return !noted.has(batch[index]!)
    })
  }

  /** What another process, or this one before it died, recorded around these finishes. */
  async function noteHistory(taskName: string, finishes: readonly ToldFinish[]): Promise<void> {
    const times = finishes.map(({ at }) => at)
    const range = { taskName, from: Math.min(...times) - MINUTE_MS, to: Math.max(...times) + MINUTE_MS }
    let after: { readonly finishedAt: number; readonly executionId: string | null } | undefined
    for (let page = 0; page < PAGES_COMPARED; page++) {
      const found = await backend.list({ ...range, text: [], order: 'oldest', limit: 200, ...after && { after } })
      noted.note(found.executions)
      if (found.next === null) return
      after = found.next
    }
  }

  /** Retention may have removed what an old event tells of. */
  async function withoutRemoved(executions: readonly FinishedExecution[]): Promise<readonly FinishedExecution[]> {
    const { prunedBefore } = await backend.kept()
    return prunedBefore === null ? executions : executions.filter(({ finishedAt }) => finishedAt > prunedBefore)
  }

  async function save(): Promise<void> {
    const open = stories.openFrom()
    const changed = [...unsaved].flatMap(taskName => {
      const known = positions.get(taskName)
      if (known === undefined) return []
      const { openFrom: _before, ...position } = known
      const openFrom = open.get(taskName)
      return [{ id: taskName, value: { ...position, ...openFrom !== undefined && { openFrom } } }]
    })
    if (changed.length > 0) await documents.putMany(POSITIONS, changed, { ttlMs: KEPT_MS })
    for (const { id } of changed) unsaved.delete(id)
    savedAt = performance.now()
  }

  return {
    start: () => plan(0),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      clearTimeout(timer)
      if (performance.now() < heldUntil && pending.length === 0) await save().catch(() => {})
    },
    problem() {
      if (failingSince !== null && Date.now() - failingSince > MINUTE_MS)
        return `The history may lack executions that finished since ${new Date(failingSince).toISOString()}: reading events keeps failing`
      const recent = [...positions].filter(([, { gaps }]) => (gaps.at(-1)?.to ?? 0) > Date.now() - DAY_MS)
      const texts = recent.slice(0, 3).map(([taskName, position]) => sayGap(taskName, position))
      if (recent.length > texts.length) texts.push(`the same in ${recent.length - texts.length} other queues`)
      return texts.length === 0 ? null : texts.join('; ')
    }
  }
}
