import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { limitsFrom, type LimitsRequest, type QueueLimits } from './queue-limits.ts'

/** Stored next to BullMQ's fields, which decide which limits apply. */
export const LIMITS_FIELD = '~limits'

interface Row { readonly field: string; readonly value: string }

export async function limitInSql(
  store: SqlStore, queueName: string, { concurrency, rate, by, reason }: LimitsRequest
): Promise<QueueLimits | null> {
  return await store.transaction(async query => {
    // If two calls run at once, the second must see what the first wrote.
    await query('SELECT pg_advisory_xact_lock(hashtext($1))', [`${store.schema}:limits:${queueName}`])
    const { rows } = await query<Row>(inQueueSchema(store, STANDING), [queueName])
    const before = new Map(rows.map(({ field, value }) => [field, value]))
    const wanted = {
      ...concurrency !== undefined && { concurrency },
      ...rate !== undefined && { max: rate?.max ?? null, duration: rate?.durationMs ?? null }
    }
    const changed = Object.entries(wanted).filter(([field, value]) =>
      (before.get(field) ?? null) !== (value === null ? null : String(value)))
    const known = before.get(LIMITS_FIELD) ?? null
    if (changed.length === 0 && reason === null && limitsOf(before) !== null) return limitsOf(before)
    if (known !== null && changed.length === 0 && reasonIn(known) === reason) return limitsOf(before)
    const after = new Map(before)
    for (const [field, value] of changed) {
      if (value === null) after.delete(field)
      else after.set(field, String(value))
    }
    const limits = limitsOf(after)
    if (limits === null) after.delete(LIMITS_FIELD)
    else {
      const { rows: [clock] } = await query<{ now: number }>('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now')
      after.set(LIMITS_FIELD, JSON.stringify({
        concurrency: limits.concurrency, max: limits.rate?.max ?? null, duration: limits.rate?.durationMs ?? null, since: clock!.now, by,
        reason
      }))
    }
    const gone = [...before.keys()].filter(field => !after.has(field))
    await query(inQueueSchema(store, WRITE), [queueName, [...after.keys()], [...after.values()]])
    if (gone.length > 0) await query(inQueueSchema(store, REMOVE), [queueName, gone])
    // If the current window ends later than a new one would, it is removed: it would delay starts that the new limit allows. Workers count
    // by their own clock.
    if (limits?.rate && changed.some(([field]) => field === 'duration'))
      await query(inQueueSchema(store, SHORTEN), [queueName, Date.now() + limits.rate.durationMs])
    // Wakes the workers of all processes, as BullMQ does when a queue resumes.
    await query("SELECT pg_notify('bullmq_jobs', $1)", [queueName])
    return limitsOf(after)
  })
}

function limitsOf(fields: ReadonlyMap<string, string>): QueueLimits | null {
  const valueOf = (field: string) => fields.get(field) ?? null
  return limitsFrom(
    { concurrency: valueOf('concurrency'), max: valueOf('max'), duration: valueOf('duration') }, valueOf(LIMITS_FIELD)
  )
}

function reasonIn(known: string): unknown {
  try {
    return (JSON.parse(known) as { readonly reason?: unknown }).reason
  } catch {
    return undefined
  }
}

export const FIELDS = `('concurrency', 'max', 'duration', '${LIMITS_FIELD}')`

const STANDING = `SELECT field, value FROM {queue}.meta WHERE queue = $1 AND field IN ${FIELDS}`

const WRITE = `
INSERT INTO {queue}.meta (queue, field, value) SELECT $1, * FROM unnest($2::text[], $3::text[])
ON CONFLICT (queue, field) DO UPDATE SET value = excluded.value`

const REMOVE = 'DELETE FROM {queue}.meta WHERE queue = $1 AND field = ANY($2::text[])'

const SHORTEN = 'DELETE FROM {queue}.rate_limit WHERE queue = $1 AND expire_at_ms > $2::bigint'
