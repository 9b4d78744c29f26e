import type { SqlStore } from '../../stores/store.ts'
import { inQueueSchema } from '../connection/qualify-names.ts'
import { CANCEL_FIELD, type CancelMark } from '../jobs/job-cancellation.ts'
import type { CancelOutcome } from './cancel-outcome.ts'
import { CANCELLED_REASON } from './redis-cancel.ts'

/** How often a job may change its state between two statements before the call fails. */
const MAX_TRIES = 5

/** Each statement checks the state of the row that it locks. If a worker is faster, the next statement finds the job in its new state. */
export async function cancelInSql(
  store: SqlStore, queueName: string, executionId: string, mark: CancelMark, now: number
): Promise<CancelOutcome> {
  const run = <Row extends object>(text: string, ...values: unknown[]) =>
    store.requestPool.query<Row>(inQueueSchema(store, text), [queueName, executionId, ...values])
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if ((await run(TAKE, now, JSON.stringify(mark), CANCELLED_REASON)).rows.length === 1) return 'cancelled'
    if ((await run(ASK, JSON.stringify(mark))).rowCount === 1) return 'requested'
    const [job] = (await run<{ is: CancelOutcome | 'moved' }>(READ, now)).rows
    if (job === undefined) return 'over'
    if (job.is !== 'moved') return job.is
  }
  throw new Error('The job kept changing its state while it was cancelled')
}

/** The first request stays. */
const markOr = (mark: string) =>
  `(CASE opts -> '${CANCEL_FIELD}' ->> 'of' WHEN id THEN opts -> '${CANCEL_FIELD}' ELSE ${mark}::jsonb END)`

const IS_PLANNED = `state = 'delayed' AND scheduler_id IS NOT NULL AND attempts_started = 0 AND process_at_ms > $3::bigint`

const TAKE = `
WITH taken AS (
  UPDATE {queue}.job SET state = 'failed', finished_at_ms = $3::bigint, process_at_ms = NULL, failed_reason = $5,
    opts = opts || jsonb_build_object('${CANCEL_FIELD}', ${markOr('$4')} || '{"unstarted":true}')
  WHERE queue = $1 AND id = $2 AND state IN ('waiting', 'delayed') AND parent_id IS NULL AND NOT (${IS_PLANNED})
  RETURNING id, dedup_id
), freed AS (
  DELETE FROM {queue}.dedup USING taken WHERE dedup.queue = $1 AND dedup.dedup_id = taken.dedup_id AND dedup.job_id = $2
)
SELECT id FROM taken`

const ASK = `
UPDATE {queue}.job SET opts = opts || jsonb_build_object('${CANCEL_FIELD}', ${markOr('$3')})
WHERE queue = $1 AND id = $2 AND state = 'active'`

const READ = `
SELECT CASE WHEN state IN ('completed', 'failed') THEN 'over' WHEN ${IS_PLANNED} THEN 'planned'
  WHEN state = 'waiting-children' OR state <> 'active' AND parent_id IS NOT NULL THEN 'in_flow' ELSE 'moved' END AS is
FROM {queue}.job WHERE queue = $1 AND id = $2`
