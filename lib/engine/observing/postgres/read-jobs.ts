import { readByGroup } from '../../../collections/read-by-group.ts'
import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { payloadFrom, type ObservedPayload } from '../observed-job.ts'
import { MAX_LOG_BYTES, MAX_LOG_LINES, MAX_PAYLOAD_BYTES } from '../observed-limits.ts'
import type { QueuePlace } from '../queue-place.ts'
import { isWithin, numberFrom } from './job-row.ts'
import { schemaOf } from './postgres-queue.ts'

type Read = ReadDatabase['read']

interface PayloadRow {
  readonly data: string | null
  readonly returnvalue: string | null
  readonly has_data: boolean
  readonly has_returnvalue: boolean
}

/** Data, result and the last lines of the log. */
export async function readPayload(read: Read, queue: QueuePlace, jobId: string): Promise<ObservedPayload> {
  const schema = schemaOf(queue)
  const [[row], lines, [count]] = await Promise.all([
    read<PayloadRow>(`
      SELECT CASE WHEN ${isWithin('job.data', MAX_PAYLOAD_BYTES)} THEN job.data::text END AS data,
        CASE WHEN ${isWithin('job.return_value', MAX_PAYLOAD_BYTES)} THEN job.return_value::text END AS returnvalue,
        job.data IS NOT NULL AS has_data, job.return_value IS NOT NULL AS has_returnvalue
      FROM ${schema}.job WHERE job.queue = $1 AND job.id = $2`, [queue.name, jobId]),
    read<{ row: string }>(`
      SELECT "row" FROM (
        SELECT idx, "row", sum(octet_length("row")) OVER (ORDER BY idx DESC) AS bytes
        FROM (SELECT idx, "row" FROM ${schema}.job_log WHERE queue = $1 AND job_id = $2 ORDER BY idx DESC LIMIT ${MAX_LOG_LINES}) AS last
      ) AS line WHERE bytes <= ${MAX_LOG_BYTES} ORDER BY idx`, [queue.name, jobId]),
    read<{ lines: string }>(`SELECT count(*) AS lines FROM ${schema}.job_log WHERE queue = $1 AND job_id = $2`, [queue.name, jobId])
  ])
  return payloadFrom(
    row?.has_data === true && row.data === null ? undefined : row?.data ?? null,
    row?.has_returnvalue === true && row.returnvalue === null ? undefined : row?.returnvalue ?? null,
    { lines: lines.map(line => line.row), isCut: Number(count?.lines ?? 0) > lines.length }
  )
}

/** Undefined data: larger than `maxBytes`. */
export async function readData(
  read: Read, queue: QueuePlace, jobId: string, maxBytes: number
): Promise<{ data: string | null | undefined; bytes: number }> {
  const [row] = await read<{ data: string | null; bytes: number }>(`
    SELECT CASE WHEN ${isWithin('job.data', Math.floor(maxBytes))} THEN job.data::text END AS data, pg_column_size(job.data) AS bytes
    FROM ${schemaOf(queue)}.job WHERE job.queue = $1 AND job.id = $2`, [queue.name, jobId])
  if (row === undefined) return { data: null, bytes: 0 }
  return row.data === null
    ? { data: undefined, bytes: Math.max(row.bytes, maxBytes + 1) }
    : { data: row.data, bytes: Buffer.byteLength(row.data) }
}

/** One statement for each schema. */
export async function finishedOnOf(
  read: Read, jobs: ReadonlyArray<{ readonly queue: QueuePlace; readonly jobId: string }>
): Promise<Array<number | null | Error>> {
  return await readByGroup(jobs, ({ queue }) => schemaOf(queue), async (schema, ofSchema): Promise<Array<number | null | Error>> => {
    try {
      const rows = await read<{ at: string; finished_at_ms: string | null }>(`
        SELECT wanted.at, job.finished_at_ms
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (queue, id, at)
        JOIN ${schema}.job ON job.queue = wanted.queue AND job.id = wanted.id AND job.state IN ('completed', 'failed')`,
      [ofSchema.map(({ queue }) => queue.name), ofSchema.map(({ jobId }) => jobId)])
      const found = new Map(rows.map(({ at, finished_at_ms: finishedOn }) => [Number(at), numberFrom(finishedOn)]))
      return ofSchema.map((_job, index) => found.get(index + 1) ?? null)
    } catch (error) {
      return ofSchema.map(() => error as Error)
    }
  })
}
