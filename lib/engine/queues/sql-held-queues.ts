/**
 * SQL: `held`, the queues that hold a job. Skips from one queue to the next through the table's index, because there is no index on ids
 * alone.
 */
export const WITH_HELD_QUEUES = `
WITH RECURSIVE held(queue) AS (
  (SELECT queue FROM {queue}.job ORDER BY queue LIMIT 1)
  UNION ALL
  SELECT (SELECT job.queue FROM {queue}.job WHERE job.queue > held.queue ORDER BY job.queue LIMIT 1) FROM held WHERE held.queue IS NOT NULL
)`
