import { groupBy } from '../../../collections/group-by.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import type { QueueEvent } from '../../../engine/observing/events/job-stories.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import { EVENTS_AT_A_TIME, STREAMS_AT_A_TIME, type ObservedServer } from '../../../engine/observing/observed-server.ts'
import { DeadlineError } from '../../../time/deadline.ts'
import { MINUTE_MS } from '../../../time/units.ts'

/** What one command read from some queues of a server. */
export interface StreamsPart {
  readonly queues: readonly SeenQueue[]
  readonly events: ReadonlyMap<string, readonly QueueEvent[]>
  /** Queues that have more events. */
  readonly unfinished: readonly string[]
  /** This part has only one queue. Its next event could not be read within a minute. */
  readonly isTooLarge?: true
}

export interface StreamReader {
  /**
   * Reads once from each queue of a server, in parts. Events have no size limit. If a response is too large, smaller parts are read the
   * next time. A single event that is too large is read separately, in the background. Rejects after the last part if some queues could not
   * be read, and at once if the server does not respond.
   * @param after the last event that was read from a task's queue
   */
  read(server: ObservedServer, queues: readonly SeenQueue[], after: (taskName: string) => string): AsyncGenerator<StreamsPart, void>
  /** Whether a large event of its queue is being read in the background, which takes up to a minute. */
  isAside(taskName: string): boolean
  /** Whether its stream cannot be read although its server responds. It is tried again every minute. */
  isRefused(taskName: string): boolean
  /** What keeps streams from being read although their server responds, as sentences. */
  problems(): string[]
  forget(isGone: (taskName: string) => boolean): void
}

/** One event of one stream. */
const MIN_SHARE = 1 / EVENTS_AT_A_TIME
/** A few events of one stream. Their size is not known yet, and one event may have megabytes. */
const FIRST_SHARE = 1 / 64
/** Doubling the share reads twice the events from twice the streams, so up to this many times as much. */
const MAX_GROWTH = 4
/** A response should not exceed this size, in characters of its fields. */
const MAX_ANSWER = 32 * 2 ** 20
/** The most events that one command requests. They take some ten milliseconds, in which this process does nothing else. */
const MAX_ANSWER_EVENTS = 4_000

/**
 * How often the server is pinged while a large event is read. If it does not respond, a timeout says nothing about the size of the event.
 */
const LOOK_EVERY_MS = 15_000

interface Aside { readonly after: string; readonly outcome: readonly QueueEvent[] | 'too large' | null }

export function createStreamReader(): StreamReader {
  /** The share of the maximum that is read from a queue at a time. */
  const shares = new Map<string, number>()
  const asides = new Map<string, Aside>()
  const refused = new Map<string, { readonly reason: string; readonly untilMs: number }>()

  async function * read(server: ObservedServer, queues: readonly SeenQueue[], after: (taskName: string) => string) {
    let problem: unknown
    const readable = queues.filter(({ taskName }) => !asides.has(taskName) && !isRefused(taskName))
    const byShare = [...groupBy(readable, ({ taskName }) => shares.get(taskName) ?? FIRST_SHARE)].sort(([one], [other]) => other - one)
    for (const [share, same] of byShare) {
      for (const part of inChunks(same, Math.max(Math.floor(STREAMS_AT_A_TIME * share), 1))) {
        const count = Math.max(Math.floor(Math.min(EVENTS_AT_A_TIME * share, MAX_ANSWER_EVENTS / part.length)), 1)
        // Reduced before the request, so that less is read the next time if this one fails.
        for (const { taskName } of part) shares.set(taskName, Math.max(share / 4, MIN_SHARE))
        try {
          const events = await server.events.read(part.map(queue => ({ queue, after: after(queue.taskName) })), count)
          resize(part, share, sizeOf(events))
          const unfinished = [...events].filter(([, { length }]) => length === count).map(([taskName]) => taskName)
          yield { queues: part, events, unfinished }
        } catch (error) {
          await failed(error, part, count, server, after)
          problem ??= error
        }
      }
    }
    for (const queue of queues) {
      const aside = takeAside(queue, after(queue.taskName))
      if (aside === 'too large') yield { queues: [queue], events: new Map(), unfinished: [queue.taskName], isTooLarge: true as const }
      else if (aside !== null)
        yield { queues: [queue], events: new Map([[queue.taskName, aside]]), unfinished: [queue.taskName] }
    }
    if (problem !== undefined) throw problem as Error
  }

  function resize(part: readonly SeenQueue[], share: number, size: number): void {
    const next = size > MAX_ANSWER ? Math.max(share / 4, MIN_SHARE) : size * MAX_GROWTH > MAX_ANSWER ? share : Math.min(share * 2, 1)
    for (const { taskName } of part) shares.set(taskName, next)
  }

  async function failed(
    error: unknown, part: readonly SeenQueue[], count: number, server: ObservedServer, after: (taskName: string) => string
  ): Promise<void> {
    const [only] = part
    // Reading one queue at a time shows which one is refused.
    if (server.events.isRefusal(error)) {
      if (part.length > 1) for (const { taskName } of part) shares.set(taskName, MIN_SHARE)
      else refused.set(only!.taskName, { reason: (error as Error).message.slice(0, 200), untilMs: performance.now() + MINUTE_MS })
      return
    }
    if (part.length === 1 && count === 1) readAside(only!, after(only!.taskName))
    // Rejects if the server does not respond, or is still sending what was too large.
    await server.ping()
  }

  function readAside(queue: SeenQueue, after: string): void {
    const settle = (outcome: Aside['outcome']): void => { asides.set(queue.taskName, { after, outcome }) }
    const { events, ping } = queue.server
    let isSilent = false
    const look = (): Promise<unknown> => ping().catch(() => { isSilent = true })
    // Not at once: the response that was too large may still be on its way.
    const looks = setInterval(() => { void look() }, LOOK_EVERY_MS).unref()
    settle(null)
    events.readLarge(queue, after).then(settle, async (error: unknown) => {
      await look()
      // After an outage, or if the server did not respond for a while, the next read finds the same event again.
      if (isSilent || !(error instanceof DeadlineError)) asides.delete(queue.taskName)
      else settle('too large')
    }).finally(() => clearInterval(looks))
  }

  function takeAside({ taskName }: SeenQueue, after: string): Exclude<Aside['outcome'], null> | null {
    const aside = asides.get(taskName)
    if (aside === undefined || aside.outcome === null) return null
    asides.delete(taskName)
    return aside.after === after ? aside.outcome : null
  }

  function isRefused(taskName: string): boolean {
    const found = refused.get(taskName)
    if (found !== undefined && found.untilMs <= performance.now()) refused.delete(taskName)
    return refused.has(taskName)
  }

  return {
    read,
    isAside: taskName => asides.has(taskName),
    isRefused,
    problems: () => [...refused].map(([taskName, { reason }]) => `The events of the queue ${taskName} cannot be read (${reason}), so ` +
      'jobs that it removes on completion are missing'),
    forget(isGone) {
      for (const map of [shares, asides, refused]) for (const taskName of map.keys()) if (isGone(taskName)) map.delete(taskName)
    }
  }
}

/** Characters of all fields. */
function sizeOf(events: StreamsPart['events']): number {
  let size = 0
  for (const ofQueue of events.values()) for (const event of ofQueue) size += event.size
  return size
}
