import { createTaskDashboardError } from '../../../errors.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import type { FoundQueues, ObservedServer } from '../observed-server.ts'
import { createPostgresEvents } from './event-rows.ts'
import { findJob, finishedOnOf, hasJob, readData, readPayload, standingOf } from './job-rows.ts'
import { readBriefs, readLinks } from './link-rows.ts'
import { schemaOf } from './postgres-job.ts'
import { countQueues, finishedPage, newestFinished, oldestDueAt, readRanges, readSettings } from './queue-rows.ts'
import { haveSchedulers, optionsOfNext, readScheduler, readSchedulers } from './scheduler-rows.ts'

/** Schemas of one database that are looked at, and queues of one. */
const MAX_SCHEMAS = 100
const MAX_QUEUES = 20_000

/** Queues of BullMQ 6 on PostgreSQL. A schema stands where a prefix of keys does on Redis. */
export function createObservedPostgres(database: ReadDatabase): ObservedServer {
  const { read } = database

  async function scan(): Promise<FoundQueues> {
    const schemas = await read<{ schema: string; may: boolean }>(`
      SELECT namespace.nspname AS schema,
        bool_and(has_schema_privilege(namespace.oid, 'USAGE') AND has_table_privilege(tables.oid, 'SELECT')) AS may
      FROM pg_class AS tables JOIN pg_namespace AS namespace ON namespace.oid = tables.relnamespace
      WHERE tables.relkind IN ('r', 'p') AND tables.relname IN ('job', 'meta', 'event', 'scheduler', 'job_log', 'rate_limit', 'dedup')
      GROUP BY namespace.nspname HAVING count(*) = 7 ORDER BY namespace.nspname LIMIT ${MAX_SCHEMAS}`)
    const mine = schemas.filter(({ may }) => may)
    const [closed] = schemas
    if (mine.length === 0 && closed !== undefined) {
      const name = schemaOf({ prefix: closed.schema })
      throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', database.label, 'its user may not read the tables of BullMQ. Run ' +
        `GRANT USAGE ON SCHEMA ${name} TO <its user>; GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO <its user>`])
    }
    const byPrefix = new Map<string, Set<string>>()
    for (const { schema } of mine) {
      const rows = await read<{ queue: string }>(
        `SELECT DISTINCT queue FROM ${schemaOf({ prefix: schema })}.meta ORDER BY queue LIMIT ${MAX_QUEUES}`
      )
      if (rows.length > 0) byPrefix.set(schema, new Set(rows.map(({ queue }) => queue)))
    }
    return { byPrefix, isAll: schemas.length < MAX_SCHEMAS }
  }

  const server: ObservedServer = {
    kind: 'postgres',
    label: database.label,
    identity: database.identity,
    part: '',
    start: database.start,
    stop: database.stop,
    now: database.now,
    ping: database.ping,
    describe: async () => ({ version: await database.version(), evictionPolicy: null }),
    scan,
    partFor: () => server,
    async exists(queue) {
      const [row] = await read<{ is_there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS is_there', [`${schemaOf(queue)}.meta`])
      if (row?.is_there !== true) return false
      return (await read(`SELECT 1 FROM ${schemaOf(queue)}.meta WHERE queue = $1 LIMIT 1`, [queue.name])).length > 0
    },
    settle: async () => {},
    problems: () => [],
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
  return server
}
