import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import type { ObservedServer } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { createFairReads } from './fair-reads.ts'
import { findJob, hasJob } from './find-job.ts'
import { standingOf } from './job-standing.ts'
import { oldestDueAt } from './oldest-due.ts'
import { schemaOf } from './postgres-queue.ts'
import { createPostgresEvents } from './read-events.ts'
import { finishedOnOf, readData, readPayload } from './read-jobs.ts'
import { readBriefs, readLinks } from './read-links.ts'
import { countQueues, finishedPage, newestFinished, readRanges, readSettings } from './read-queues.ts'
import { haveSchedulers, optionsOfNext, readScheduler, readSchedulers } from './read-schedulers.ts'
import { scanQueues } from './scan-queues.ts'

/**
 * Queues of BullMQ 6 on PostgreSQL. A schema takes the place of the key prefix on Redis. Each schema is a separate part: its tables can be
 * locked, dropped or closed to the user while others are read.
 */
export function createObservedPostgres(database: ReadDatabase): ObservedServer {
  const parts = new Map<string, ObservedServer>()
  /** The queues of each schema, as they were last read. */
  const known = new Map<string, ReadonlySet<string>>()
  const reads = createFairReads(database.read)

  function partFor({ prefix }: Pick<QueuePlace, 'prefix'>): ObservedServer {
    const part = parts.get(prefix) ?? createSchema(prefix)
    parts.set(prefix, part)
    return part
  }

  function createSchema(prefix: string): ObservedServer {
    const read = reads.of(prefix)
    return {
      ...createPart({ ...database, read }, prefix, partFor),
      // A locked schema does not respond, even if its server does.
      async ping() {
        const startedAt = performance.now()
        await read(`SELECT 1 FROM ${schemaOf({ prefix })}.job LIMIT 0`)
        return performance.now() - startedAt
      }
    }
  }

  return {
    ...createPart(database, '', partFor),
    scan: options => scanQueues({ ...database, readOf: reads.of }, options, known),
    async settle(_isShown, isUsed) {
      for (const [schema, part] of parts) if (!isUsed(part)) parts.delete(schema)
      reads.forget(schema => parts.has(schema))
    }
  }
}

function createPart(database: ReadDatabase, schema: string, partFor: ObservedServer['partFor']): ObservedServer {
  const { read } = database
  return {
    kind: 'postgres',
    label: database.label,
    identity: database.identity,
    part: schema,
    start: database.start,
    stop: database.stop,
    now: database.now,
    ping: database.ping,
    describe: async () => ({ version: await database.version(), evictionPolicy: null }),
    scan: options => scanQueues({ ...database, readOf: () => read }, options, new Map()),
    partFor,
    async exists(queue) {
      const [row] = await read<{ is_there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS is_there', [`${schemaOf(queue)}.meta`])
      if (row?.is_there !== true) return false
      return (await read(`SELECT 1 FROM ${schemaOf(queue)}.meta WHERE queue = $1 LIMIT 1`, [queue.name])).length > 0
    },
    settle: async () => {},
    problems: () => [],
    isRefused: () => false,
    // All owners have version 6.
    ownersProblems: () => [],
    versionsOf: () => '',
    queues: {
      counts: (queues, now) => countQueues(read, queues, now),
      oldestDueAt: (queues, now) => oldestDueAt(read, queues.map(({ queue }) => queue), now),
      settings: queues => readSettings(read, queues),
      ranges: (requests, now) => readRanges(read, requests, now),
      finished: (queue, state, start, size) => finishedPage(read, queue, state, start, size),
      newestFinished: (queue, state, sinceMs, limit) => newestFinished(read, queue, state, sinceMs, limit)
    },
    jobs: {
      find: (queue, jobId) => findJob(read, queue, jobId),
      has: (queue, jobId) => hasJob(read, queue, jobId),
      complete: async jobs => jobs.map(({ job }) => job),
      read: async (queue, jobId) => (await findJob(read, queue, jobId))?.job ?? null,
      payload: (queue, jobId) => readPayload(read, queue, jobId),
      data: (queue, jobId, maxBytes) => readData(read, queue, jobId, maxBytes),
      finishedOn: jobs => finishedOnOf(read, jobs),
      // A row has one finish time, which lists use too.
      listedAt: async (queue, _state, jobId) => {
        const [finishedOn = null] = await finishedOnOf(read, [{ queue, jobId }])
        if (finishedOn instanceof Error) throw finishedOn
        return finishedOn
      },
      standing: (queue, found) => standingOf(read, queue, found),
      links: (queue, job) => readLinks(read, queue, job),
      briefs: (queue, jobIds) => readBriefs(read, queue, jobIds)
    },
    events: createPostgresEvents(database),
    schedulers: {
      haveAny: queues => haveSchedulers(read, queues),
      list: queue => readSchedulers(read, queue),
      find: (queue, id) => readScheduler(read, queue, id),
      optionsOfNext: (queue, scheduler) => optionsOfNext(read, queue, scheduler)
    }
  }
}
