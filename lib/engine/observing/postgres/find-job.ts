import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import type { FoundInQueue } from '../observed-server.ts'
import type { QueuePlace } from '../queue-place.ts'
import { OBSERVED_COLUMNS, observedJobFromRow, type ObservedRow } from './job-row.ts'
import { schemaOf } from './postgres-queue.ts'

type Read = ReadDatabase['read']

/** State and fields are in one row, so they are consistent. */
export async function findJob(read: Read, queue: QueuePlace, jobId: string): Promise<FoundInQueue | null> {
  const [row] = await read<ObservedRow>(
    `SELECT ${OBSERVED_COLUMNS} FROM ${schemaOf(queue)}.job WHERE job.queue = $1 AND job.id = $2`, [queue.name, jobId]
  )
  return row === undefined ? null : { job: observedJobFromRow(queue, row), state: row.job_state }
}

export async function hasJob(read: Read, queue: QueuePlace, jobId: string): Promise<boolean> {
  const rows = await read(`SELECT 1 FROM ${schemaOf(queue)}.job WHERE queue = $1 AND id = $2`, [queue.name, jobId])
  return rows.length > 0
}
