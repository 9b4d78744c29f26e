import { groupBy } from '../../../collections/group-by.ts'
import { createJobStories, isBefore, type JobStories, type ToldFinish } from '../../../engine/observing/events/job-stories.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ObservedServer } from '../../../engine/observing/observed-server.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import { afterCheck, checkStreams, clockOf, withoutStreams } from '../gaps/check-streams.ts'
import { createGoneQueues, type GoneQueues } from '../gaps/gone-queues.ts'
import { sayBlindness } from '../gaps/say-gap.ts'
import { recentGaps, reportGaps, type GapAge } from '../gaps/tell-gaps.ts'
import { withSchedules, type SchedulesOf } from '../gaps/schedules-lost.ts'
import type { JobNames } from '../names/job-names.ts'
import type { StreamsPart } from './read-streams.ts'
import { createReadingPace, type PacedStream, type ReadingPace } from './reading-pace.ts'
import type { SavedProgress } from '../saved-progress.ts'
import { markOf, readOn, type StreamMark } from './stream-mark.ts'
import { beginningOf, NOT_BEGUN, recordedUntil, stepPast, type StreamPosition } from './stream-positions.ts'

/** Tracks how far the event stream of each queue was read, what its events reported, and which events were lost. */
export interface FollowedStreams extends ReadingPace {
  /** Resumes the queues of a server at their saved positions. */
  begin(server: ObservedServer, queues: readonly SeenQueue[]): Promise<void>
  /** Compares what was read with the server's counts: for the queues that are due, or for all of them. */
  compare(server: ObservedServer, queues: readonly SeenQueue[], isAll: boolean): Promise<void>
  /** The last event that was read. */
  cursorOf(taskName: string): string
  /** Events up to this time, by the server's clock, may already have been recorded by a process that left no marks. */
  replayUntil(taskName: string): number
  /** @returns the finishes that are new */
  take(server: ObservedServer, part: StreamsPart): Promise<ToldFinish[]>
  /** @param isLast writes all positions, with the times of their last checks */
  save(stateOf: (server: ObservedServer) => ServerState, isLast?: boolean): Promise<void>
  /**
   * Drops queues that are gone from memory, and reports those that their servers do not have any more. A queue that comes back resumes at
   * its saved position.
   */
  forget(isGone: (taskName: string) => boolean): Promise<void>
  readonly tellGone: GoneQueues['tell']
  clear(): void
  /** What was lost in the last day, as sentences. */
  gaps(age: GapAge): string[]
  /** Why lost events go unnoticed of queues that no other sentence is about; null if none do. */
  blindness(isTold: (taskName: string) => boolean): string | null
}

/**
 * `waits`: some finishes that its events reported are not recorded yet, so a restart begins at the positions that were saved before.
 * `is being replayed`: some events that another process may have marked are not read yet.
 */
export type ServerState = 'waits' | 'is being replayed' | 'is replayed'

/**
 * A queue without events is compared this often. A busy one is compared sooner, after `COMPARED_AFTER_EVENTS` events, before the stream can
 * trim that many unread.
 */
const COMPARE_EVERY_MS = MINUTE_MS
const COMPARED_AFTER_EVENTS = 2_500
/** A queue with unread events is compared this soon after it was found. */
const COMPARED_FIRST_MS = 5 * SECOND_MS
/** A gap begins at the last check that is on record, even in a queue without events. */
const SAVED_AGAIN_MS = HOUR_MS
/** From this share of what a stream keeps, unread events may have been trimmed. */
const FULL_SHARE = 1 / 2
/** BullMQ's default. */
const USUAL_LENGTH = 10_000

/** What is known about the events of a queue, in memory. */
interface Followed extends PacedStream {
  readonly queue: SeenQueue
  position: StreamPosition
  /** The last event that was read. It lies before the position while events are being read again. */
  cursor: string
  comparedAt: number
  /** How much the clock of the server is ahead. */
  aheadMs: number
  eventsSince: number
  /** How many events were taken since the last time that no more were waiting. */
  backlog: number
  /** Events may have been trimmed unread. More may be trimmed during a backlog, so the stream is compared as soon as that is read. */
  isDoubtful: boolean
  mark: StreamMark | null
  /** How many events the stream keeps, as of the last comparison; 0 if unknown. */
  maxLength: number
  isUnsaved: boolean
  savedAt: number
  replayUntil: number
  /** Why the server refuses to tell the state of its stream. */
  refusal: string | undefined
}

export interface FollowedStreamsDependencies {
  readonly progress: SavedProgress
  /** Receives the names of added jobs before anything about them is recorded. Default: names are not noted. */
  readonly names?: Pick<JobNames, 'note'>
  /** Default: unknown. */
  readonly schedulesOf?: SchedulesOf
  readonly onError: (error: Error) => void
}

export function createFollowedStreams({ progress, names, schedulesOf, onError }: FollowedStreamsDependencies): FollowedStreams {
  const gone = createGoneQueues({ schedulesOf, onError })
  const followed = new Map<string, Followed>()
  let stories: JobStories = createJobStories()
  const pace = createReadingPace(() => followed.values())

  async function begin(server: ObservedServer, queues: readonly SeenQueue[]): Promise<void> {
    const fresh = queues.filter(({ taskName }) => !followed.has(taskName))
    if (fresh.length === 0) return
    const [{ at, aheadMs }, stored] = await Promise.all([clockOf(server), progress.positions(fresh)])
    const before = new Map(fresh.map((queue, index) => [queue, stored[index] ?? NOT_BEGUN]))
    const check = await checkStreams(server, before, at)
    const begun = new Map(fresh.map((queue, index) => {
      const absentAt = queue.absentAt === undefined ? undefined : queue.absentAt + aheadMs
      return [queue, beginningOf(stored[index] ?? null, check.streams.get(queue), absentAt)]
    }))
    const positions = await withSchedules(new Map([...begun].map(([queue, known]) =>
      [queue, { before: before.get(queue)!, position: afterCheck(queue, known, check) }])), schedulesOf)
    for (const [queue, known] of begun) {
      const position = positions.get(queue)!
      const stream = check.streams.get(queue)
      gone.forget(queue.taskName)
      followed.set(queue.taskName, {
        queue, position, aheadMs,
        // From `openFrom` on, events are read again for the jobs that had begun when the position was stored.
        cursor: known.openFrom !== undefined && position.position === known.position ? known.openFrom : position.position,
        // Until all of it is read once, a gap would begin long ago.
        comparedAt: performance.now() - (position.sureUntil === check.at ? 0 : COMPARE_EVERY_MS - COMPARED_FIRST_MS),
        eventsSince: 0, eventsTaken: 0, backlog: 0, isDoubtful: false, mark: null, maxLength: stream?.maxLength ?? 0,
        isUnsaved: true, savedAt: -Infinity,
        replayUntil: position.position === '0-0' ? recordedUntil(stream, check.at) : 0,
        refusal: check.refusals.get(queue)
      })
    }
    reportGaps(server, before, positions, onError)
  }

  async function compare(server: ObservedServer, all: readonly SeenQueue[], isAll: boolean): Promise<void> {
    const queues = all.filter(({ taskName }) => {
      const { comparedAt, eventsSince, isDoubtful, backlog } = followed.get(taskName)!
      const sinceMs = performance.now() - comparedAt
      const isSoon = isAll || eventsSince >= COMPARED_AFTER_EVENTS || isDoubtful && backlog === 0
      return sinceMs > COMPARE_EVERY_MS || sinceMs > SECOND_MS && isSoon
    })
    if (queues.length === 0) return
    const positions = new Map(queues.map(queue => [queue, followed.get(queue.taskName)!.position]))
    const { at, aheadMs } = await clockOf(server)
    const check = await checkStreams(server, positions, at)
    const compared = await withSchedules(new Map([...positions].map(([queue, before]) =>
      [queue, { before, position: afterCheck(queue, before, check) }])), schedulesOf)
    for (const [queue, known] of positions) {
      const state = followed.get(queue.taskName)!
      Object.assign(state, { comparedAt: performance.now(), aheadMs, eventsSince: 0, refusal: check.refusals.get(queue) })
      const stream = check.streams.get(queue)
      const position = compared.get(queue)!
      // Also if its state could not be read: the answer may be too large, and reading it again soon would hold up everything else.
      if (state.backlog === 0 || position.sureUntil === at) state.isDoubtful = false
      if (stream === undefined) continue
      state.maxLength = stream?.maxLength ?? 0
      state.mark = markOf(stream, { before: known, compared: position, at }, state.mark)
      settle(queue, position)
      if (position.position !== known.position && position.position === '0-0')
        state.replayUntil = recordedUntil(stream, check.at)
    }
    reportGaps(server, positions, compared, onError)
  }

  async function take(server: ObservedServer, { queues, events: found, unfinished, isTooLarge }: StreamsPart): Promise<ToldFinish[]> {
    const finishes: ToldFinish[] = []
    for (const queue of queues) {
      const { taskName } = queue
      const state = followed.get(taskName)!
      if (isTooLarge === true) {
        onError(new Error(`An event of the queue ${taskName} is too large to be read within a minute, and is left out`))
        settle(queue, stepPast(state.position, await server.now()))
        continue
      }
      const events = found.get(taskName) ?? []
      // Owners may publish events of their own, with any fields.
      const added = events.filter(({ fields: { event, jobId } }) => event === 'added' && jobId !== undefined)
      names?.note(added.flatMap(({ fields: { name: jobName } }) => jobName === undefined ? [] : [{ taskName, jobName }]))
      const known = state.position
      state.backlog += events.length
      // How many events a new stream keeps is not known yet.
      const isNew = known.position === '0-0' && events.length > 0
      if (isNew || state.backlog >= (state.maxLength || USUAL_LENGTH) * FULL_SHARE) state.isDoubtful = true
      if (!unfinished.includes(taskName)) state.backlog = 0
      const last = events.at(-1)
      if (last === undefined) continue
      // Finishes up to the position are already recorded. Their events are read again only for the jobs that had begun.
      const fresh = events.findIndex(({ id }) => isBefore(known.position, id))
      const firstFresh = fresh === -1 ? events.length : fresh
      for (const [index, event] of events.entries()) {
        const finish = stories.tell(queue, event)
        if (finish !== null && index >= firstFresh) finishes.push(finish)
      }
      state.cursor = last.id
      state.eventsTaken += events.length
      if (firstFresh === events.length) continue
      const { position, mark } = readOn(known, events.slice(firstFresh), state.mark)
      Object.assign(state, { position, mark, isUnsaved: true })
      state.eventsSince += events.length - firstFresh
      if (position.gaps !== known.gaps) reportGaps(server, new Map([[queue, known]]), new Map([[queue, position]]), onError)
    }
    return finishes
  }

  function settle({ taskName }: SeenQueue, position: StreamPosition): void {
    const state = followed.get(taskName)!
    const { position: before } = state
    state.position = position
    if (before.position !== position.position) state.cursor = position.position
    if (before.position !== position.position || before.counted !== position.counted || before.gaps !== position.gaps ||
      before.process?.runId !== position.process?.runId || before.had?.waiting !== position.had?.waiting)
      state.isUnsaved = true
  }

  async function forget(isGone: (taskName: string) => boolean): Promise<void> {
    const left = new Map([...followed.values()].filter(({ queue }) => isGone(queue.taskName)).map(state => [state.queue, state.position]))
    if (left.size === 0) return
    for (const [server, absent] of groupBy(await withoutStreams(left), ({ server }) => server)) await forgetAbsent(server, absent, left)
    for (const { taskName } of left.keys()) followed.delete(taskName)
  }

  async function forgetAbsent(server: ObservedServer, absent: readonly SeenQueue[], left: ReadonlyMap<SeenQueue, StreamPosition>) {
    const positions = await gone.tell(server, new Map(absent.map(queue => [queue, left.get(queue)!])))
    for (const [queue, position] of positions) settle(queue, position)
    await progress.savePositions([...positions].map(([queue, position]) => ({ queue, position })))
  }

  async function save(stateOf: (server: ObservedServer) => ServerState, isLast = false): Promise<void> {
    const open = stories.openFrom()
    const now = performance.now()
    const changed = [...followed].flatMap(([taskName, state]) => {
      const { queue } = state
      if (stateOf(queue.server) === 'waits' || !isLast && !state.isUnsaved && now - state.savedAt < SAVED_AGAIN_MS) return []
      const { openFrom: _before, ...position } = state.position
      const openFrom = open.get(taskName)
      return [{ queue, state, position: { ...position, ...openFrom !== undefined && { openFrom } } }]
    })
    await progress.savePositions(changed)
    for (const server of new Set([...followed.values()].map(({ queue }) => queue.server)))
      if (stateOf(server) !== 'waits') progress.forgetMarks(server, stateOf(server) === 'is replayed')
    for (const { state } of changed) Object.assign(state, { isUnsaved: false, savedAt: now })
  }

  return {
    begin,
    compare,
    pauseMs: pace.pauseMs,
    take,
    save,
    cursorOf: taskName => followed.get(taskName)!.cursor,
    replayUntil: taskName => followed.get(taskName)?.replayUntil ?? 0,
    forget,
    tellGone: gone.tell,
    clear() {
      followed.clear()
      stories = createJobStories()
    },
    gaps: age => recentGaps(
      [...[...followed].map(([taskName, { position, aheadMs }]) => [taskName, position.gaps, aheadMs] as const), ...gone.all()], age),
    blindness(isTold) {
      const [first, ...others] = [...followed.values()].filter(({ queue, refusal }) => refusal !== undefined && !isTold(queue.taskName))
      return first === undefined ? null : sayBlindness(first.queue.taskName, others.length, first.refusal!)
    }
  }
}
