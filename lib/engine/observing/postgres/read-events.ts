import { setTimeout as sleep } from 'node:timers/promises'
import { groupBy } from '../../../collections/group-by.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { DeadlineError } from '../../../time/deadline.ts'
import { MINUTE_MS } from '../../../time/units.ts'
import { PLANNED_ID_PREFIX } from '../../schedulers/planned-job-id.ts'
import { serialEventId, serialOf, timeOfEvent, type QueueEvent } from '../events/job-stories.ts'
import type { EventsOfServer, StreamState } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { isWithin } from './job-row.ts'
import { schemaOf } from './postgres-queue.ts'

interface EventRow {
  readonly queue: string
  /** Identifies the table. It changes if the tables are created again, and the numbers then start again. */
  readonly table: number
  readonly id: string
  readonly event: string
  /** Null if it is too large. */
  readonly data: Readonly<Record<string, unknown>> | null
  /** In that case, the fields that are used, each cut to a limit, without the result. */
  readonly small: Readonly<Record<string, unknown>> | null
  readonly created_at_ms: string
  /** Of a started run of a job scheduler, the name of its job. */
  readonly run_name: string | null
}

/** An event contains the result or the error of a job, which have no size limit. */
const MAX_EVENT_BYTES = 1_048_576
const MAX_TEXT_LENGTH = 65_536
const SMALL_DATA = `jsonb_build_object(${['jobId', 'name', 'delay', 'prev', 'failedReason']
  .map(field => `'${field}', left(data ->> '${field}', ${MAX_TEXT_LENGTH})`).join(', ')})`
/**
 * BullMQ writes no event when it adds a run of a job scheduler, so no event has its name. All runs have the name of their scheduler, unless
 * their owner has changed it since.
 */
function runName(schema: string): string {
  const isJob = `job.queue = event.queue AND job.id = event.data ->> 'jobId'`
  const schedulerId = `substring(event.data ->> 'jobId' from '^${PLANNED_ID_PREFIX}(.+):')`
  const isItsScheduler = `scheduler.queue = event.queue AND scheduler.scheduler_id = ${schedulerId}`
  return `left(COALESCE((SELECT name FROM ${schema}.job WHERE ${isJob}), (SELECT name FROM ${schema}.scheduler WHERE ${isItsScheduler})),
    ${MAX_TEXT_LENGTH})`
}

/** BullMQ's own default. */
const MAX_EVENTS_KEPT = 10_000
const MAX_SCANNED = 20_000
/** How often open transactions are checked. Owners write an event in a transaction of milliseconds. */
const WAIT_MS = 20
const MAX_WAIT_MS = 1_000
/**
 * A hot standby does not tell which transactions are open on its primary. So reads wait for transactions that end within this time after an
 * event was written.
 */
const STANDBY_WAIT_MS = 1_000
/** A transaction that is open for longer is not waited for. */
const IGNORED_AFTER_MS = MINUTE_MS

/**
 * Events have rising numbers. A number is assigned before its event is committed, so an event with a lower number can appear after one with
 * a higher number. Therefore events are read a second time, once every transaction has ended that could have a lower number. Only then are
 * they returned. Such a transaction holds a lock on the table until it ends.
 */
export function createPostgresEvents(database: ReadDatabase): EventsOfServer {
  const { read } = database
  /** By schema: up to this number, no more events can appear in this table. */
  const complete = new Map<string, { readonly table: number; readonly until: number }>()
  /** By task: the event that was read last when its stream was checked, or the first one that was there or was read. */
  const checkedAt = new Map<string, number>()
  /** By task: all events up to this number were read. */
  const clearUntil = new Map<string, number>()
  const openSince = new Map<string, number>()

  async function readEvents(
    wanted: ReadonlyArray<{ readonly queue: QueuePlace; readonly after: string }>, count: number
  ): Promise<Map<string, QueueEvent[]>> {
    const found = new Map<string, QueueEvent[]>()
    for (const [schema, ofSchema] of groupBy(wanted, ({ queue }) => schemaOf(queue))) {
      let rows = await rowsAfter(schema, ofSchema, count)
      const last = rows.at(-1)
      const known = complete.get(schema)
      // The numbers have started again.
      if (last !== undefined && known !== undefined && known.table !== last.table) clearUntil.clear()
      if (last !== undefined && (known?.table !== last.table || Number(last.id) > known.until)) {
        await writersEnded(schema, Number(last.created_at_ms))
        rows = (await rowsAfter(schema, ofSchema, count)).filter(({ id, table }) => Number(id) <= Number(last.id) && table === last.table)
        complete.set(schema, { table: last.table, until: Number(last.id) })
      }
      const byQueue = groupBy(rows, ({ queue }) => queue)
      for (const { queue, after } of ofSchema) {
        const events = (byQueue.get(queue.name) ?? []).map(toEvent)
        if (events.length > 0) found.set(queue.taskName, events)
        if (events.length > 0 && !checkedAt.has(queue.taskName)) checkedAt.set(queue.taskName, serialOf(events[0]!.id))
        if (events.length < count) {
          const before = clearUntil.get(queue.taskName) ?? 0
          clearUntil.set(queue.taskName, Math.max(before, complete.get(schema)?.until ?? 0, serialOf(after)))
        }
      }
    }
    return found
  }

  function rowsAfter(
    schema: string, wanted: ReadonlyArray<{ readonly queue: QueuePlace; readonly after: string }>, count: number
  ): Promise<EventRow[]> {
    return read<EventRow>(`
      SELECT wanted.queue, event.* FROM unnest($1::text[], $2::bigint[]) AS wanted(queue, after)
      CROSS JOIN LATERAL (
        SELECT id, event, created_at_ms, tableoid AS table,
          CASE WHEN ${isWithin('data', MAX_EVENT_BYTES)} THEN data END AS data,
          CASE WHEN NOT ${isWithin('data', MAX_EVENT_BYTES)} THEN ${SMALL_DATA} END AS small,
          CASE WHEN event.event = 'active' AND data ->> 'jobId' LIKE '${PLANNED_ID_PREFIX}%' THEN ${runName(schema)} END AS run_name
        FROM ${schema}.event WHERE event.queue = wanted.queue AND event.id > wanted.after ORDER BY id LIMIT $3
      ) AS event ORDER BY event.id`,
    [wanted.map(({ queue }) => queue.name), wanted.map(({ after }) => serialOf(after)), count])
  }

  /** Waits until every transaction has ended that may have assigned a number to an event before this call. */
  async function writersEnded(schema: string, writtenAt: number): Promise<void> {
    const found = await writersOf(schema)
    if (!(found instanceof Set)) {
      if (found.replayedAt - writtenAt < STANDBY_WAIT_MS) await sleep(STANDBY_WAIT_MS)
      return
    }
    let writers = found
    for (const startedAt = performance.now(); writers.size > 0;) {
      if (performance.now() - startedAt > MAX_WAIT_MS)
        throw new Error('An open transaction has written events of queues, so later events are not read yet')
      await sleep(WAIT_MS)
      const still = await writersOf(schema)
      if (!(still instanceof Set)) return
      writers = new Set([...writers].filter(each => still.has(each)))
    }
  }

  /** Open transactions that may have written events. On a standby, when the last transaction that it has replayed was committed. */
  async function writersOf(schema: string): Promise<Set<string> | { readonly replayedAt: number }> {
    const [row] = await read<{ is_standby: boolean; replayed_at: string | null; writers: string[] }>(`
      SELECT pg_is_in_recovery() AS is_standby, (extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint AS replayed_at, ARRAY(
        SELECT DISTINCT virtualtransaction FROM pg_locks
        WHERE locktype = 'relation' AND relation = to_regclass($1)::oid AND mode = 'RowExclusiveLock' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS writers`, [`${schema}.event`])
    if (row!.is_standby) return { replayedAt: Number(row!.replayed_at ?? 0) }
    const now = performance.now()
    const open = new Set(row!.writers)
    for (const each of openSince.keys()) if (!open.has(each)) openSince.delete(each)
    for (const each of open) if (!openSince.has(each)) openSince.set(each, now)
    return new Set([...open].filter(each => now - openSince.get(each)! < IGNORED_AFTER_MS))
  }

  return {
    read: readEvents,
    async readLarge(queue, after) {
      try {
        return (await readEvents([{ queue, after }], 1)).get(queue.taskName) ?? []
      } catch (error) {
        // Large data is left out, so no event is too large: the table is locked, or the server is slow.
        throw error instanceof DeadlineError ? new Error('The events cannot be read for now', { cause: error }) : error
      }
    },
    async stream(queue, after): Promise<StreamState | null> {
      const schema = schemaOf(queue)
      const [row] = await read<StreamRow>(`
        SELECT first.id AS first, first.created_at_ms AS first_at, last.id AS last, last.created_at_ms AS last_at,
          (SELECT value FROM ${schema}.meta WHERE queue = $1 AND field = 'opts.maxLenEvents') AS kept,
          known.id AS known, known.created_at_ms AS known_at
        FROM (SELECT id, created_at_ms FROM ${schema}.event WHERE queue = $1 ORDER BY id LIMIT 1) AS first
          CROSS JOIN (SELECT id, created_at_ms FROM ${schema}.event WHERE queue = $1 ORDER BY id DESC LIMIT 1) AS last
          LEFT JOIN (SELECT id, created_at_ms FROM ${schema}.event WHERE queue = $1 AND id <= $2::bigint ORDER BY id DESC LIMIT 1) AS known
            ON true`, [queue.name, serialOf(after)])
      const isRenumbered = row !== undefined && isNumberedAnew(row, after)
      if (isRenumbered) {
        complete.delete(schema)
        clearUntil.clear()
      }
      if (row === undefined) {
        // The events that were read are gone, perhaps because a backup was restored.
        if (serialOf(after) > 0) complete.delete(schema)
        for (const each of [clearUntil, checkedAt]) each.delete(queue.taskName)
        return null
      }
      const [first, last] = [Number(row.first), Number(row.last)]
      // BullMQ removes the oldest events of a queue by their numbers, which all queues share, and does not count them.
      const isBegun = serialOf(after) > 0 && first > serialOf(after)
      const removedUntil = last - Number(row.kept ?? MAX_EVENTS_KEPT)
      // The events up to the one that was read last are gone, although BullMQ did not have to remove them.
      const before = checkedAt.get(queue.taskName) ?? serialOf(after)
      const isEmptied = !isRenumbered && before > 0 && first > before && removedUntil < before
      checkedAt.set(queue.taskName, isRenumbered ? first : Math.max(serialOf(after), first))
      return {
        length: last - first + 1, firstId: serialEventId(first, Number(row.first_at)), lastId: serialEventId(last, Number(row.last_at)),
        added: null, ...isRenumbered && { isRenumbered }, ...isEmptied && { isEmptied },
        ...isBegun && removedUntil > Math.max(serialOf(after), clearUntil.get(queue.taskName) ?? 0) && { isCut: true }
      }
    },
    async lastFinishes(queue, after) {
      const rows = await read<{ id: string; created_at_ms: string; job_id: string | null }>(`
        SELECT id, created_at_ms, data ->> 'jobId' AS job_id FROM ${schemaOf(queue)}.event
        WHERE queue = $1 AND id > $2::bigint AND event IN ('completed', 'failed') ORDER BY id LIMIT ${MAX_SCANNED}`,
      [queue.name, serialOf(after)])
      return new Map(rows.flatMap(({ id, created_at_ms: at, job_id: jobId }) =>
        jobId === null ? [] : [[jobId, serialEventId(Number(id), Number(at))]]))
    },
    // On PostgreSQL, BullMQ writes no event for a removal. But it writes one, in the same transaction, for everything else that can happen
    // to a job.
    async wasRemoved(queue, jobId, sinceMs) {
      const event = `FROM ${schemaOf(queue)}.event WHERE queue = $1 AND created_at_ms`
      const [row] = await read<{ was_removed: boolean }>(`
        SELECT NOT EXISTS (SELECT FROM ${schemaOf(queue)}.job WHERE queue = $1 AND id = $2)
          AND NOT EXISTS (SELECT ${event} >= $3::bigint AND data ->> 'jobId' = $2)
          -- Otherwise some may have been trimmed.
          AND EXISTS (SELECT ${event} < $3::bigint) AS was_removed`, [queue.name, jobId, Math.floor(sinceMs)])
      return row?.was_removed === true
    },
    isRefusal: error => error instanceof Error && 'code' in error && (error.code === '42501' || error.code === '42P01')
  }
}

interface StreamRow extends Record<'first' | 'first_at' | 'last' | 'last_at', string> {
  readonly kept: string | null
  /** The last event up to the one that was read, and when it was written. */
  readonly known: string | null
  readonly known_at: string | null
}

/**
 * Whether the numbers went back, as after a backup was restored, so that another event has the number of the last one that was read. If
 * that other event belongs to another queue, an event of this queue before it shows it: it was written so much later than the one that was
 * read that the order of transactions cannot explain it.
 */
function isNumberedAnew({ last, known, known_at: at }: StreamRow, after: string): boolean {
  if (serialOf(after) === 0) return false
  if (Number(last) < serialOf(after)) return true
  if (known === null) return false
  return Number(known) === serialOf(after) ? Number(at) !== timeOfEvent(after) : Number(at) > timeOfEvent(after) + IGNORED_AFTER_MS
}

function toEvent({ id, event, data, small, created_at_ms: at, run_name: name }: EventRow): QueueEvent {
  const fields = Object.entries({ ...data ?? small, ...name && { name } }).filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  return {
    id: serialEventId(Number(id), Number(at)), fields: { ...Object.fromEntries(fields), event },
    size: event.length + fields.reduce((sum, [, value]) => sum + value.length, 0), ...small !== null && { isCut: true }
  }
}
