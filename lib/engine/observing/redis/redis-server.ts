import { isRefusal, type ReadClient } from '../../../stores/redis/observing/read-client.ts'
import type { QueuePlace } from '../queue-place.ts'
import type { ObservedServer } from '../observed-server.ts'
import { findJob } from './find-job.ts'
import { standingOf } from './job-standing.ts'
import { oldestDueAt } from './oldest-due.ts'
import { listedAt } from './listed-at.ts'
import { lastFinishes, readEvents, readLargeEvent, readStream, wasRemovedSince } from './read-events.ts'
import { createOddKeys } from './odd-keys.ts'
import { createOwnersVersions } from './owners-versions.ts'
import { readProcess } from './read-process.ts'
import { completeJobs, finishedOnOf, readData, readJob, readPayload } from './read-jobs.ts'
import { isOtherType } from './read-key.ts'
import { readBriefs, readLinks } from './read-links.ts'
import { countQueues, finishedPage, newestFinished, readRanges, readSettings } from './read-queues.ts'
import { haveSchedulers, optionsOfNext, readScheduler, readSchedulers } from './read-schedulers.ts'
import { createRefusedQueues } from './refused-queues.ts'
import { jobKey, queueKey, queueStart, type QueueKey, type RedisQueue } from './redis-queue.ts'
import { scanQueues } from './scan-queues.ts'

const itself = (queue: RedisQueue): RedisQueue => queue
const ofIts = ({ queue }: { readonly queue: RedisQueue }): RedisQueue => queue

/** Queues on one Redis server or in a cluster. All commands only read. */
export function createObservedRedis(client: ReadClient): ObservedServer {
  const oddKeys = createOddKeys()
  const refused = createRefusedQueues(client.label)
  const versions = createOwnersVersions(client.label)
  const byPlace = new WeakMap<QueuePlace, RedisQueue>()
  /** Each search for queues creates new places. What is known about their keys stays true, so it is kept here. */
  const seenOf = new Map<string, RedisQueue>()
  const at = (place: QueuePlace): RedisQueue => {
    const opened = byPlace.get(place) ?? open(place)
    byPlace.set(place, opened)
    return opened
  }
  function open({ taskName, name, prefix }: QueuePlace): RedisQueue {
    const start = queueStart({ name, prefix })
    const { seen } = seenOf.get(start) ?? { seen: new Set<QueueKey>() }
    const noteOddKey = (kind: QueueKey): void => {
      // The key exists. Unless it is marked as seen, each read would check for it again.
      seen.add(kind)
      oddKeys.note(queue, kind)
    }
    const noteVersion = (version: string | null): void => { versions.note(queue, version) }
    const queue: RedisQueue = { taskName, name, prefix, client, seen, noteOddKey, noteVersion }
    seenOf.set(start, queue)
    return queue
  }
  const [known, missed] = [new Map<string, boolean>(), new Set<string>()]
  /** The parts of a cluster, by `ReadClient.tag`. */
  const parts = new Map<string, ObservedServer>()

  const server: ObservedServer = {
    kind: 'redis',
    label: client.label,
    identity: client.identity,
    part: client.tag,
    start: client.start,
    stop: client.stop,
    now: client.now,
    ping: client.ping,
    process: at => readProcess(client, at),
    async describe() {
      const [version = null, evictionPolicy = null] = await client.info('redis_version', 'maxmemory_policy')
      return { version, evictionPolicy }
    },
    scan: options => scanQueues(client, { ...options, known, missed }),
    partFor(queue) {
      const own = client.forKey(queueStart(queue))
      if (own === client) return server
      const part = parts.get(own.tag) ?? createObservedRedis(own)
      parts.set(own.tag, part)
      return part
    },
    exists: async queue => await client.read<number>('EXISTS', queueKey(queue, 'meta')) === 1,
    async settle(isShown, isUsed, shownOn = () => []) {
      for (const [tag, part] of parts) if (!isUsed(part)) parts.delete(tag)
      refused.forget(isShown)
      for (const [start, { taskName }] of seenOf) if (!isShown(taskName)) seenOf.delete(start)
      // Another process may record, and nobody may ask this one for any queue. It must know the versions of their owners all the same.
      for (const queue of shownOn(server)) at(queue)
      await Promise.all([
        oddKeys.look(isShown), versions.look([...seenOf.values()]),
        ...[...parts.values()].map(part => part.settle(isShown, isUsed, shownOn))
      ])
    },
    problems: () => [...oddKeys.problems(), ...refused.problems(), ...[...parts.values()].flatMap(part => part.problems())],
    ownersProblems: () => [...versions.problems(), ...[...parts.values()].flatMap(part => part.ownersProblems())],
    isRefused: refused.has,
    versionsOf: versions.of,
    queues: {
      counts: (queues, now) => refused.apart('counts', queues.map(at), itself, some => countQueues(some, now)),
      oldestDueAt: (queues, now) => refused.apart(
        'oldest', queues.map(({ queue, counts }) => ({ queue: at(queue), counts })), ofIts, some => oldestDueAt(some, now)
      ),
      settings: queues => refused.apart('settings', queues.map(at), itself, readSettings),
      ranges: (requests, now) => refused.apart(
        'ranges', requests.map(({ queue, request }) => ({ queue: at(queue), request })), ofIts, some => readRanges(some, now)
      ),
      finished: (queue, state, start, size) => finishedPage(at(queue), state, start, size),
      newestFinished: (queue, state, sinceMs, limit) => newestFinished(at(queue), state, sinceMs, limit)
    },
    jobs: {
      find: (queue, jobId) => findJob(at(queue), jobId),
      has: async (queue, jobId) => await client.read<number>('EXISTS', jobKey(queue, jobId)) === 1,
      async complete(jobs) {
        const found = await refused.apart('jobs', jobs.map(({ queue, job }) => ({ queue: at(queue), job })), ofIts, completeJobs)
        return found.map(each => each instanceof Error ? null : each)
      },
      read: (queue, id) => readJob({ queue: at(queue), id, score: null }),
      payload: (queue, jobId) => readPayload(at(queue), jobId),
      data: (queue, jobId, maxBytes) => readData(at(queue), jobId, maxBytes),
      finishedOn: jobs => finishedOnOf(jobs.map(({ queue, jobId }) => ({ queue: at(queue), id: jobId }))),
      listedAt: (queue, state, jobId) => listedAt(at(queue), state, jobId),
      standing: (queue, found) => standingOf(at(queue), found),
      links: (queue, job) => readLinks(at(queue), job),
      briefs: (queue, jobIds) => readBriefs(at(queue), jobIds)
    },
    events: {
      read: (wanted, count) => readEvents(client, wanted, count),
      readLarge: (queue, after) => readLargeEvent(at(queue), after),
      stream: queue => readStream(at(queue)),
      lastFinishes: (queue, after) => lastFinishes(at(queue), after),
      wasRemoved: (queue, jobId, sinceMs) => wasRemovedSince(at(queue), jobId, sinceMs),
      // Another tool's key, or one that this user may not read. Other errors will pass: BUSY, LOADING, MASTERDOWN.
      isRefusal: error => isRefusal(error) || isOtherType(error)
    },
    schedulers: {
      haveAny: queues => haveSchedulers(queues.map(at)),
      list: queue => readSchedulers(at(queue)),
      find: (queue, id) => readScheduler(at(queue), id),
      optionsOfNext: (queue, scheduler) => optionsOfNext(at(queue), scheduler)
    }
  }
  return server
}
