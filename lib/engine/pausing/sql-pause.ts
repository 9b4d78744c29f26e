import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { pauseFromJson, type PauseRequest, type QueuePause } from './queue-pause.ts'

/** Stored next to BullMQ's flag `paused`, which decides whether the queue is paused. */
export const PAUSE_FIELD = '~pause'

export async function pauseInSql(store: SqlStore, queueName: string, { by, reason, until }: PauseRequest): Promise<QueuePause> {
  return await store.transaction(async query => {
    // If two calls run at once, the second must see what the first wrote.
    await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${store.schema}:pause:${queueName}`])
    const parameters = [queueName, JSON.stringify({ by, reason, until })]
    const { rows } = await query<{ known: string }>(inQueueSchema(store, PAUSE), parameters)
    return pauseFromJson(rows[0]?.known)
  })
}

export async function resumeInSql(store: SqlStore, queueName: string): Promise<void> {
  await store.requestPool.query(inQueueSchema(store, RESUME), [queueName])
}

export async function resumeDueInSql(store: SqlStore): Promise<number | null> {
  const { rows: [next] } = await store.query<{ in_ms: number | null }>(inQueueSchema(store, NEXT), [])
  const inMs = next?.in_ms ?? null
  if (inMs === null || inMs > 0) return inMs
  await store.query(inQueueSchema(store, RESUME_DUE), [])
  const { rows: [then] } = await store.query<{ in_ms: number | null }>(inQueueSchema(store, NEXT), [])
  return then?.in_ms ?? null
}

const NOW = '(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)'

/**
 * SQL: one transaction wrote both rows, so the facts belong to the current pause. BullMQ writes its flag again with every pause, so a pause
 * by other code is never mistaken for ours. A restored backup can break this, because it may have one transaction for all rows.
 */
export const belongTogether = (known: string, flag: string) =>
  `${known}.queue = ${flag}.queue AND ${known}.field = '${PAUSE_FIELD}' AND ${known}.xmin = ${flag}.xmin`

const UNTIL = `(known.value::jsonb ->> 'until')::bigint`

const PAUSE = `
WITH known AS (
  INSERT INTO {queue}.meta AS known (queue, field, value)
  VALUES ($1, '${PAUSE_FIELD}', (jsonb_build_object('since', ${NOW}) || $2::jsonb)::text)
  ON CONFLICT (queue, field) DO UPDATE SET value = CASE
    WHEN known.value::jsonb -> 'reason' = $2::jsonb -> 'reason' AND known.value::jsonb -> 'until' = $2::jsonb -> 'until'
      AND EXISTS (SELECT FROM {queue}.meta AS flag WHERE flag.field = 'paused' AND ${belongTogether('known', 'flag')})
    THEN known.value ELSE excluded.value END
  RETURNING queue, value
)
SELECT value AS known, {queue}.pause(queue, true) FROM known`

// The count makes it lock the facts before the flag, as all statements here do. Otherwise two statements could deadlock.
const RESUME = `
WITH forgotten AS (DELETE FROM {queue}.meta WHERE queue = $1 AND field = '${PAUSE_FIELD}' RETURNING 1)
SELECT {queue}.pause(queue, false) FROM {queue}.meta WHERE queue = $1 AND field = 'paused' AND (SELECT count(*) FROM forgotten) >= 0`

const PAUSED = `
FROM {queue}.meta AS known JOIN {queue}.meta AS flag ON ${belongTogether('known', 'flag')}
WHERE flag.field = 'paused' AND flag.value = '1'`

const NEXT = `SELECT (min(${UNTIL}) - ${NOW})::float8 AS in_ms ${PAUSED}`

// The deletion checks the row after locking it: it may contain another end by then.
const RESUME_DUE = `
WITH due AS (
  DELETE FROM {queue}.meta AS known USING {queue}.meta AS flag
  WHERE flag.field = 'paused' AND flag.value = '1' AND ${belongTogether('known', 'flag')} AND ${UNTIL} <= ${NOW}
  RETURNING known.queue
)
SELECT {queue}.pause(queue, false) FROM due`
