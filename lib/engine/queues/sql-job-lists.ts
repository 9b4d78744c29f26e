import type { ExecutionOrder } from '../../../schemas/execution.ts'
import { groupBy } from '../../collections/group-by.ts'
import type { InFlightState, JobRange, RangeRequest, StateCounts } from './queue-reads.ts'

/** One list of BullMQ's table of jobs: its condition, the columns of its order, and the time that a time range compares. */
export interface SqlJobList { readonly condition: string; readonly columns: readonly string[]; readonly at: string }

/** When a job was submitted. The id of a scheduled run ends with the time that it is planned for. */
const SUBMITTED_AT =
  `CASE WHEN job.scheduler_id IS NOT NULL THEN COALESCE(substring(job.id from ':(\\d{1,15})$')::bigint, ` +
    'job.added_at_ms) ELSE job.added_at_ms END'
const STARTED_AT = 'COALESCE(job.processed_at_ms, job.added_at_ms)'

/** A planned run of a schedule that is not due. Retries and runs that were handed back have started before. */
function isPlanned(now: string): string {
  return `job.scheduler_id IS NOT NULL AND job.attempts_started = 0 AND job.process_at_ms > ${now}::bigint`
}

/**
 * The lists are in the order of BullMQ's get_range, which starts at the newest. Running jobs are an exception: get_range returns them in
 * order of arrival.
 * @param now the parameter of the present time
 */
export function sqlJobLists(now: string): Readonly<Record<InFlightState, SqlJobList>> {
  return {
    'waiting': { condition: `job.state = 'waiting' AND job.priority = 0`, columns: ['job.seq'], at: SUBMITTED_AT },
    'prioritized': { condition: `job.state = 'waiting' AND job.priority > 0`, columns: ['job.priority', 'job.seq'], at: SUBMITTED_AT },
    'delayed': {
      condition: `job.state = 'delayed' AND NOT (${isPlanned(now)})`, columns: ['job.process_at_ms', 'job.seq'], at: SUBMITTED_AT
    },
    'active': { condition: `job.state = 'active'`, columns: [STARTED_AT, 'job.seq'], at: STARTED_AT },
    'waiting-children': { condition: `job.state = 'waiting-children'`, columns: ['job.seq'], at: SUBMITTED_AT }
  }
}

export type SqlCountRow =
  Record<'waiting' | 'prioritized' | 'delayed' | 'active' | 'planned' | 'children', string> & { readonly queue: string }

/**
 * Reads the ranges that `$1` to `$5` describe (queues, states, offsets, sizes and times), with the present time as `$6`. Reads one more job
 * of each range than wanted, to find out whether there is more. Rows have the number of their request, and are in the order of the
 * requests.
 */
export function sqlRanges(
  table: string, columns: string, lists: ReadonlyArray<readonly [state: string, SqlJobList]>, order: ExecutionOrder
): string {
  const [direction, isFar] = order === 'newest' ? ['DESC', '<='] : ['ASC', '>=']
  const sources = lists.map(([state, { condition, columns: ordered, at }]) => `
    (SELECT job.*, row_number() OVER (ORDER BY ${ordered.map(column => `${column} ${direction}`).join(', ')}) AS place
       FROM ${table} WHERE wanted.list = '${state}' AND job.queue = wanted.queue AND ${condition} AND (wanted.near IS NULL
         OR ${at} ${isFar} wanted.near)
      ORDER BY ${ordered.map(column => `${column} ${direction}`).join(', ')} OFFSET wanted.skipped LIMIT wanted.size + 1)`)
  return `
SELECT wanted.request, ${columns}
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::bigint[]) WITH ORDINALITY AS wanted(queue, list, skipped, size, near,
  request)
CROSS JOIN LATERAL (${sources.join('\n    UNION ALL')}) AS job
WHERE $6::bigint IS NOT NULL
ORDER BY wanted.request, job.place`
}

/** The parameters of `sqlRanges`. */
export function sqlRangeParameters(requests: readonly RangeRequest[], now: number): unknown[] {
  const columns = (['queueName', 'state', 'offset', 'size', 'from'] as const).map(field => requests.map(request => request[field]))
  return [...columns, now]
}

/** One range for each request, from the rows of `sqlRanges`. */
export function rangesFromSql<Row extends { readonly request: string | number }, Job>(
  requests: readonly RangeRequest[], rows: readonly Row[], jobOf: (request: RangeRequest, row: Row, index: number) => Job
): Array<JobRange<Job>> {
  const byRequest = groupBy(rows, ({ request }) => Number(request) - 1)
  return requests.map((request, index) => {
    const found = byRequest.get(index) ?? []
    const { offset, size } = request
    const jobs = found.slice(0, size).map((row, at) => ({ job: jobOf(request, row, index), next: offset + at + 1 }))
    return { jobs, next: offset + jobs.length, isEnd: found.length <= size }
  })
}

/** Counts by queue, with the present time as `$1`. Each part matches the condition of one of BullMQ's partial indexes. */
export function countSqlJobs(table: string, queues = ''): string {
  const counted = (state: string, columns: string) =>
    `SELECT queue, ${columns} FROM ${table} AS job WHERE state = '${state}'${queues && ` AND ${queues}`} GROUP BY queue`
  return `
SELECT queue, sum(waiting) AS waiting, sum(prioritized) AS prioritized, sum(delayed) AS delayed, sum(active) AS active,
  sum(planned) AS planned, sum(children) AS children
FROM (
  ${counted('waiting', `count(*) FILTER (WHERE priority = 0) AS waiting, count(*) FILTER (WHERE priority > 0) AS prioritized, 0 AS delayed,
    0 AS active, 0 AS planned, 0 AS children`)}
  UNION ALL
  ${counted('delayed', `0, 0, count(*), 0, count(*) FILTER (WHERE ${isPlanned('$1')}), 0`)}
  UNION ALL
  ${counted('active', '0, 0, 0, count(*), 0, 0')}
  UNION ALL
  ${counted('waiting-children', '0, 0, 0, 0, 0, count(*)')}
) AS held GROUP BY queue`
}

export function countsFromSql(row: SqlCountRow | undefined): Required<StateCounts> {
  return {
    waiting: Number(row?.waiting ?? 0), prioritized: Number(row?.prioritized ?? 0), delayed: Number(row?.delayed ?? 0),
    active: Number(row?.active ?? 0), planned: Number(row?.planned ?? 0), waitingChildren: Number(row?.children ?? 0)
  }
}
