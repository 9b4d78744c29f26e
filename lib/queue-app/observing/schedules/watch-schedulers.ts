import { createLeasedLoop, renewing, type Upkeep, type UpkeepOptions } from '../../../backend/upkeep/leased-loop.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import type { Discovery, SeenQueue } from '../../../engine/observing/discovery.ts'
import { scheduleIdOf, type ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../time/units.ts'
import { countMisses, type Seen } from './count-misses.ts'
import { readAllSchedulers, type OwnersSchedulers } from './owners-schedulers.ts'
import { newBook, withLook, type ScheduleBook, type ScheduleBooks, type StoredBook } from './schedule-book.ts'
import { isDisabled } from './to-observed-record.ts'

export interface WatchOptions extends UpkeepOptions {
  readonly discovery: Pick<Discovery, 'queues' | 'queueOf'>
  readonly books: ScheduleBooks
  readonly reads: SchedulerReads<SeenQueue>
  /** Applies a person's decision again if the owner's code has overwritten it. Returns whether something was changed. */
  settle?(scheduler: ObservedScheduler, scheduleId: string, book: ScheduleBook): Promise<boolean>
  /** Called when the queue has not had the scheduler for a month, so that nothing of it is kept. */
  onForgotten(scheduleId: string): Promise<void>
}

export type SchedulerWatch = Upkeep

/**
 * How often schedulers are checked. A run is planned when the previous one begins, so a miss is on record soon after the next run began.
 */
const LOOK_EVERY_MS = 10 * SECOND_MS
/** Checks take at most this share of time. */
const SHARE = 1 / 30
/** How long the book of a scheduler that is gone is kept. Owners may create temporary schedulers under ever new names. */
const GONE_KEPT_MS = 30 * DAY_MS
/** Another process may have changed a book without increasing the revision. */
const READ_AGAIN_MS = MINUTE_MS
const WRITES_AT_ONCE = 20

/** Checks the schedulers of existing queues repeatedly and notes in their books what changed. One process does it at a time. */
export function createSchedulerWatch(
  { discovery, books, reads, leases, holder, settle = async () => false, onForgotten, everyMs = LOOK_EVERY_MS, onError }: WatchOptions
): SchedulerWatch {
  let known: { readonly revision: number; readonly at: number; readonly byId: Map<string, StoredBook> } | undefined
  /** The last checks. They are more recent than the books, because not every check is written. */
  const looks = new Map<string, Seen>()
  let tookMs = 0
  let settling: string | null = null
  const loop = createLeasedLoop<number | null>({
    lease: 'observed-schedules', leases, holder, everyMs, startsAtOnce: true, onError,
    pauseMs: () => Math.max(everyMs, tookMs / SHARE),
    async pass({ signal, holdLease }) {
      if (!await holdLease()) {
        known = undefined
        looks.clear()
        return null
      }
      const startedAt = performance.now()
      const noted = await look(signal, renewing(holdLease))
      tookMs = performance.now() - startedAt
      return noted
    }
  })

  async function look(signal: AbortSignal, isHeld: () => Promise<boolean>): Promise<number> {
    const byId = await knownBooks()
    const found = await readAllSchedulers(reads, discovery.queues())
    settling = null
    const times = new Map<string, Promise<number | null>>()
    let { failure } = found
    let noted = 0
    await inTurns(found.schedulers, async scheduler => {
      const queue = discovery.queueOf(scheduler.taskName)
      if (signal.aborted || queue === undefined || !await isHeld()) return
      const server = reads.serverOf(queue)
      // A server that has gone down since does not keep others from being checked.
      const time = times.get(server) ?? reads.now(queue).catch((error: unknown) => {
        failure ??= error
        return null
      })
      times.set(server, time)
      const at = await time
      if (at !== null && await note(byId, scheduler, at)) noted++
    }, WRITES_AT_ONCE)
    if (await isHeld()) await forgetGone(byId, found)
    if (failure !== null) throw failure as Error
    return noted
  }

  async function knownBooks(): Promise<Map<string, StoredBook>> {
    const revision = await books.revision()
    if (known === undefined || known.revision !== revision || performance.now() - known.at > READ_AGAIN_MS)
      known = { revision, at: performance.now(), byId: new Map((await books.list()).map(book => [book.id, book])) }
    return known.byId
  }

  async function note(byId: Map<string, StoredBook>, scheduler: ObservedScheduler, at: number): Promise<boolean> {
    const scheduleId = scheduleIdOf(scheduler.taskName, scheduler.id)
    const stored = byId.get(scheduleId)
    const book = stored?.value ?? newBook(scheduler, at)
    if (stored !== undefined && await settled(scheduler, scheduleId, book)) return false
    const seen = toSeen(scheduler, at)
    const before = laterOf(looks.get(scheduleId) ?? null, book.seen)
    looks.set(scheduleId, seen)
    const isNew = stored === undefined || before === null || book.goneAt !== null
    if (!isNew && isSameLook(before, seen)) return false
    const next = withLook(book, seen, before === null ? { missed: null, lateDueAt: null } : countMisses(before, seen))
    const written = await books.write(scheduleId, next, stored?.version ?? 0)
    if (written === null) {
      // A person changed it during this check: the next check compares with the previous result.
      known = undefined
      if (before === null) looks.delete(scheduleId)
      else looks.set(scheduleId, before)
      return false
    }
    byId.set(scheduleId, written)
    return true
  }

  async function settled(scheduler: ObservedScheduler, scheduleId: string, book: ScheduleBook): Promise<boolean> {
    try {
      if (!await settle(scheduler, scheduleId, book)) return false
      looks.delete(scheduleId)
      return true
    } catch (error) {
      settling ??= `The schedule ${scheduleId} cannot be kept as a person set it (${error instanceof Error ? error.message : 'unknown'})`
      return false
    }
  }

  async function forgetGone(byId: Map<string, StoredBook>, { schedulers, complete }: OwnersSchedulers): Promise<void> {
    const there = new Set(schedulers.map(({ taskName, id }) => scheduleIdOf(taskName, id)))
    const now = Date.now()
    for (const id of looks.keys()) if (!there.has(id)) looks.delete(id)
    const gone = [...byId.values()].filter(({ id, value }) => !there.has(id) && complete.has(value.taskName))
    await inTurns(gone, async ({ id, version, value }) => {
      if (value.goneAt === null) {
        const written = await books.write(id, { ...value, goneAt: now }, version)
        if (written === null) return
        byId.set(id, written)
        if (isDecided(value)) onError(new Error(lostText(value)))
      } else if (value.goneAt < now - GONE_KEPT_MS && await books.write(id, value, version) !== null) {
        await onForgotten(id)
        await books.delete(id)
        byId.delete(id)
      }
    }, WRITES_AT_ONCE)
  }

  return {
    start: loop.start,
    stop: loop.stop,
    runOnce: loop.runOnce,
    problem: () => settling
  }
}

function isDecided({ disabled, edits }: ScheduleBook): boolean {
  return disabled !== null || Object.keys(edits).length > 0
}

/** Its owner may have given it another id: then the new one runs as the owner planned it. */
function lostText({ taskName, schedulerId, disabled }: ScheduleBook): string {
  return `The queue ${taskName} no longer has the job scheduler ${JSON.stringify(schedulerId)}, which was ` +
    `${disabled === null ? 'edited' : 'disabled'} in the dashboard. If its owner has renamed it, decide again for the new one`
}

function toSeen(scheduler: ObservedScheduler, at: number): Seen {
  const { pattern, everyMs, timezone, startAt, endAt, plannedAt, iterations } = scheduler
  return {
    pattern, everyMs, timezone, startAt, endAt, plannedAt, isDisabled: isDisabled(scheduler), at,
    iterations: iterations ?? 0
  }
}

/** Another process may have checked since this one did, and counted what was missed until then. */
function laterOf(own: Seen | null, written: Seen | null): Seen | null {
  return own === null || written !== null && written.at > own.at ? written : own
}

function isSameLook(one: Seen, other: Seen): boolean {
  return (Object.keys(one) as Array<keyof Seen>).every(field => field === 'at' || one[field] === other[field])
}
