import { groupBy } from '../../collections/group-by.ts'
import type { Discovery, SeenQueue } from '../../engine/observing/discovery.ts'
import type { ObservedServer } from '../../engine/observing/observed-server.ts'
import type { ObservedSource } from '../../engine/observing/observed-source.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { SupersededError } from '../../stores/documents/fence.ts'
import { MINUTE_MS, SECOND_MS } from '../../time/units.ts'
import { createEarlierQueues } from './gaps/earlier-queues.ts'
import { createFollowedStreams } from './streams/followed-streams.ts'
import { createFinishRecorder, type RecordingDependencies } from './finishes/record-finishes.ts'
import type { SchedulesOf } from './gaps/schedules-lost.ts'
import type { JobNames } from './names/job-names.ts'
import type { RecordingTurn } from './recording-turn.ts'
import { createSavedProgress } from './saved-progress.ts'
import { createStreamReader } from './streams/read-streams.ts'

export interface FollowerDependencies extends Pick<RecordingDependencies, 'backend' | 'noted' | 'ofEvents' | 'recorded' | 'onError'> {
  readonly discovery: Pick<Discovery, 'queues' | 'queueOf'>
  /** Where queues that were followed before should be. Default: nowhere. */
  readonly sources?: readonly ObservedSource[]
  /** Of the result backend. */
  readonly documents: Pick<DocumentStore, 'getMany' | 'putMany' | 'list' | 'acquireLease'>
  readonly holder: string
  /** The follower begins and ends it. */
  readonly turn: RecordingTurn
  /** Receives the names of added jobs. Default: names are not noted. */
  readonly names?: Pick<JobNames, 'note'>
  /** Default: unknown. */
  readonly schedulesOf?: SchedulesOf
}

export interface Follower {
  /** Returns at once. */
  start(): void
  /** Saves its progress. Idempotent; never rejects. */
  stop(): Promise<void>
  /**
   * Waits until every finish that the events of a task's queue have reported so far is recorded.
   * @returns false if that is not possible: reading keeps failing, or another process records
   */
  caughtUp(taskName: string): Promise<boolean>
  /** One sentence for health; null when all is well. */
  problem(): string | null
  /** What health says besides, although it is no problem any more; null for nothing. */
  mention(): string | null
}

const FIRST_BACK_OFF_MS = 250
/** If this process pauses for longer than this, all streams are compared, so that a gap gets the right time. */
const PAUSE_MS = 2 * SECOND_MS
const SAVE_EVERY_MS = SECOND_MS
const LEASE_MS = MINUTE_MS
const RENEW_EVERY_MS = 10 * SECOND_MS
/** While another process holds the lease, this one tries to get it this often. */
const WAIT_MS = 5 * SECOND_MS
const MAX_BACK_OFF_MS = 5 * SECOND_MS
/** A failure that passes within a few seconds is not reported. */
const REPORTED_AFTER = 3
/** After failing for this long, `caughtUp` no longer waits. */
const GIVEN_UP_AFTER_MS = 10 * SECOND_MS
/**
 * How many finishes may wait while the result backend refuses writes. Until then, events are still read, because the backend may refuse
 * only one of the finishes.
 */
const MAX_WAITING = 2_000
/** Shared with the reconciler. Both compare what they record in memory, so one process must do both. */
const LEASE = 'result-backend:reconciler'

interface Outage { readonly failures: number; readonly since: number; readonly untilMs: number }

/**
 * Records the jobs that finish in observed queues, from the queues' event streams. One command reads many streams, on the connection that
 * is used for all other reads.
 */
export function createFollower(dependencies: FollowerDependencies): Follower {
  const { discovery, sources = [], documents, holder, turn, names, schedulesOf, noted, ofEvents, onError } = dependencies
  const progress = createSavedProgress(documents, turn.fence)
  const reader = createStreamReader()
  const streams = createFollowedStreams({ progress, onError, ...names && { names }, ...schedulesOf && { schedulesOf } })
  const earlier = createEarlierQueues({ sources, progress, tellGone: streams.tellGone })
  const recorder = createFinishRecorder({
    ...dependencies, progress, replayUntil: streams.replayUntil, isAway, fail, isStopped: () => isStopped
  })
  /** Servers whose events were all read once, including those that another process may have marked. */
  let replayed = new Set<ObservedServer>()
  let waiting: Array<{ readonly taskName: string; readonly since: number; settle(isCaughtUp: boolean): void }> = []
  const outages = new Map<ObservedServer, Outage>()
  let round = 0
  let heldUntil = -Infinity
  let followedAt = -Infinity
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
    timer = undefined
    try {
      if (!await holdsLease()) {
        answer(() => true, false)
        return plan(WAIT_MS)
      }
      const begunAt = performance.now()
      const isMore = await follow()
      failures = 0
      failingSince = null
      plan(waiting.length > 0 ? 0 : streams.pauseMs({ isMore, tookMs: performance.now() - begunAt }))
    } catch (error) {
      if (error instanceof SupersededError) {
        turn.end()
        heldUntil = -Infinity
        answer(() => true, false)
        return plan(FIRST_BACK_OFF_MS)
      }
      if (failures++ === REPORTED_AFTER && !isStopped) onError(error as Error)
      failingSince ??= Date.now()
      if (Date.now() - failingSince > GIVEN_UP_AFTER_MS) answer(() => true, false)
      plan(backOffMs(failures))
    }
  }

  async function holdsLease(): Promise<boolean> {
    if (performance.now() < heldUntil) return true
    // After a long pause, another process may have held the lease in between.
    const wasHeld = performance.now() < heldUntil + LEASE_MS - 2 * RENEW_EVERY_MS
    const isHeld = await documents.acquireLease(LEASE, holder, LEASE_MS)
    if (isHeld && (!wasHeld || turn.fence() === null)) {
      // Begin the turn first and load afterwards: from then on the store refuses the writes of others, so what is loaded is complete.
      await turn.begin()
      for (const each of [streams, recorder, noted, ofEvents]) each.clear()
      replayed = new Set()
      try {
        await Promise.all([progress.load(), earlier.load()])
      } catch (error) {
        turn.end()
        throw error
      }
    }
    heldUntil = isHeld ? performance.now() + RENEW_EVERY_MS : -Infinity
    return isHeld
  }

  /** @returns whether more events are waiting */
  async function follow(): Promise<boolean> {
    const thisRound = ++round
    const queues = discovery.queues()
    const present = new Set(queues.map(({ taskName }) => taskName))
    await streams.forget(taskName => !present.has(taskName))
    await earlier.tell(taskName => present.has(taskName))
    reader.forget(taskName => !present.has(taskName))
    const used = new Set(queues.map(({ server }) => server))
    // A server without queues is never read, so its outage would never end.
    for (const each of [outages, replayed]) for (const server of each.keys()) if (!used.has(server)) each.delete(server)
    recorder.forgetServers(server => used.has(server))
    // Record first what could not be recorded before: the positions are already past those events.
    let refusal = await record()
    const unfinished = new Set<string>()
    const isAfterPause = performance.now() - followedAt > PAUSE_MS
    for (const [server, ofServer] of groupBy(queues, ({ server }) => server)) {
      // While finishes of this server wait until their jobs can be read, no more of its events are read. So only a limited number waits.
      if (isAway(server) || refusal === null && recorder.waiting(server) > 0) continue
      try {
        await streams.begin(server, ofServer)
        await streams.compare(server, ofServer, isAfterPause || outages.has(server))
        for await (const part of reader.read(server, ofServer, streams.cursorOf)) {
          for (const finish of await streams.take(server, part)) recorder.add(server, finish)
          for (const taskName of part.unfinished) unfinished.add(taskName)
          refusal ??= await record()
          if (refusal !== null && recorder.waiting() > MAX_WAITING) throw refusal.error
          if (refusal === null && recorder.waiting(server) > 0) break
          // The next follower continues from here. Reading all queues of a slow server may take a minute.
          if (isStopped) return false
        }
        if (!isAway(server)) outages.delete(server)
      } catch (error) {
        if (refusal !== null) throw refusal.error
        if (error instanceof SupersededError) throw error
        // The other servers continue.
        fail(server, error)
        await failSilent(queues)
      }
    }
    followedAt = performance.now()
    if (refusal !== null) throw refusal.error
    const isBehind = ({ server, taskName }: SeenQueue): boolean =>
      unfinished.has(taskName) || outages.has(server) || recorder.waiting(server) > 0 || reader.isAside(taskName)
    const behind = new Set(queues.filter(isBehind).map(({ taskName }) => taskName))
    for (const [server, ofServer] of groupBy(queues, ({ server }) => server))
      if (!ofServer.some(({ taskName }) => behind.has(taskName))) replayed.add(server)
    answer(({ taskName }) => reader.isRefused(taskName), false)
    answer(({ taskName, since }) => since <= thisRound && !behind.has(taskName), true)
    answer(({ taskName }) => isGivenUp(taskName), false)
    if (performance.now() - savedAt > SAVE_EVERY_MS || progress.isFull()) await save()
    return unfinished.size > 0
  }

  /** @returns the error that kept finishes from being recorded; null if there was none */
  async function record(): Promise<{ readonly error: unknown } | null> {
    try {
      await recorder.record()
    } catch (error) {
      if (error instanceof SupersededError) throw error
      return { error }
    }
    if (progress.isFull()) await save()
    return null
  }

  function isAway(server: ObservedServer): boolean {
    return performance.now() < (outages.get(server)?.untilMs ?? 0)
  }

  function fail(server: ObservedServer, error: unknown): void {
    const { failures = 0, since = Date.now() } = outages.get(server) ?? {}
    outages.set(server, { failures: failures + 1, since, untilMs: performance.now() + backOffMs(failures + 1) })
    if (failures === REPORTED_AFTER && !isStopped) onError(error as Error)
  }

  /** Many parts of a cluster may stop responding at once. Pinging them in parallel takes no longer than pinging one of them. */
  async function failSilent(queues: readonly SeenQueue[]): Promise<void> {
    const servers = [...new Set(queues.map(({ server }) => server))].filter(server => !isAway(server))
    await Promise.all(servers.map(server => server.ping().catch((error: unknown) => { fail(server, error) })))
  }

  function isGivenUp(taskName: string): boolean {
    const queue = discovery.queueOf(taskName)
    const since = failingSince ?? (queue && outages.get(queue.server)?.since)
    return queue === undefined || since !== undefined && Date.now() - since > GIVEN_UP_AFTER_MS
  }

  async function save(isLast = false): Promise<void> {
    const stateOf = (server: ObservedServer) =>
      recorder.waiting(server) > 0 ? 'waits' : replayed.has(server) ? 'is replayed' : 'is being replayed'
    await streams.save(stateOf, isLast)
    savedAt = performance.now()
  }

  function answer(isDue: (each: (typeof waiting)[number]) => boolean, isCaughtUp: boolean): void {
    const due = waiting.filter(isDue)
    waiting = waiting.filter(each => !due.includes(each))
    for (const { settle } of due) settle(isCaughtUp)
  }

  return {
    start: () => plan(0),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      answer(() => true, false)
      await running
      clearTimeout(timer)
      if (performance.now() < heldUntil) await save(true).catch(() => {})
    },
    caughtUp(taskName) {
      if (isStopped || isGivenUp(taskName)) return Promise.resolve(false)
      return new Promise(resolve => {
        // The round that runs now may already be past this queue.
        waiting.push({ taskName, since: round + 1, settle: resolve })
        if (timer === undefined) return
        clearTimeout(timer)
        plan(0)
      })
    },
    problem() {
      const since = Math.min(failingSince ?? Infinity, ...[...outages.values()].map(outage => outage.since))
      if (Date.now() - since > MINUTE_MS)
        return `The history may lack executions that finished since ${new Date(since).toISOString()}: reading events keeps failing`
      const texts = [...streams.gaps('new'), streams.blindness(reader.isRefused), ...recorder.problems(), ...reader.problems().slice(0, 3)]
      return texts.filter(text => text !== null).join('; ') || null
    },
    mention: () => streams.gaps('old').join('; ') || null
  }
}

function backOffMs(failures: number): number {
  return Math.min(FIRST_BACK_OFF_MS * 2 ** failures, MAX_BACK_OFF_MS)
}
