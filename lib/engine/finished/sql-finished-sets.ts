import type { SqlStore } from '../../stores/store.ts'
import { PER_QUEUE, type FinishedJob, type FinishedSets, type FinishedState } from './finished-sets.ts'

/** Reads BullMQ's `job` table through its index of finished jobs. The index is partial, so each state is spelled out. */
export function createSqlFinishedSets(store: Pick<SqlStore, 'query' | 'schema'>): FinishedSets {
  const table = `"${store.schema}_queue".job`

  return {
    async newest(queries) {
      const ofState = (state: FinishedState) => `
        (SELECT id, '${state}' AS state, finished_at_ms FROM ${table}
         WHERE queue = asked.queue AND state = '${state}' AND finished_at_ms >= asked.since
           ORDER BY finished_at_ms DESC LIMIT ${PER_QUEUE + 1})`
      const { rows } = await store.query<JobRow & { place: string | number }>(
        `SELECT asked.place, asked.queue, jobs.* FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked(queue, since, place)
         CROSS JOIN LATERAL (${ofState('completed')} UNION ALL ${ofState('failed')}) AS jobs`,
        [queries.map(({ queueName }) => queueName), queries.map(({ sinceMs }) => toWhole(sinceMs))])
      const found = queries.map(() => ({ completed: [] as FinishedJob[], failed: [] as FinishedJob[] }))
      for (const row of rows) found[Number(row.place) - 1]![row.state].push(toJob(row))
      return found.map(({ completed, failed }) => ({
        jobs: [...completed.slice(0, PER_QUEUE), ...failed.slice(0, PER_QUEUE)],
        isAll: completed.length <= PER_QUEUE && failed.length <= PER_QUEUE
      }))
    },
    async before(queueNames, beforeMs, limit) {
      const ofState = (state: FinishedState) => `
        (SELECT id, '${state}' AS state, finished_at_ms FROM ${table}
         WHERE queue = asked.queue AND state = '${state}' AND finished_at_ms <= $2::bigint ORDER BY finished_at_ms LIMIT $3)`
      const { rows } = await store.query<JobRow>(
        `SELECT asked.queue, jobs.* FROM unnest($1::text[]) AS asked(queue)
         CROSS JOIN LATERAL (${ofState('completed')} UNION ALL ${ofState('failed')}) AS jobs LIMIT $3`,
        [queueNames, toWhole(beforeMs), limit])
      return rows.map(toJob)
    },
    async page(queueName, state, start, size) {
      const { rows } = await store.query<JobRow>(
        `SELECT queue, id, state, finished_at_ms FROM ${table} WHERE queue = $1 AND state = '${state}' ORDER BY finished_at_ms DESC, ` +
          'seq DESC LIMIT $2 OFFSET $3',
        [queueName, size, start])
      return rows.map(toJob)
    },
    async remove(jobs, beforeMs) {
      const { rowCount } = await store.query(
        `DELETE FROM ${table} AS job USING unnest($1::text[], $2::text[]) AS asked(queue, id)
         WHERE job.queue = asked.queue AND job.id = asked.id AND job.state IN ('completed', 'failed') AND job.finished_at_ms <= $3::bigint`,
        [jobs.map(({ queueName }) => queueName), jobs.map(({ id }) => id), toWhole(beforeMs)])
      // No job has to stay: BullMQ's own removal by age also removes finished children without notifying their parents.
      return { removed: rowCount ?? 0, ofFlows: [] }
    }
  }
}

/** Also turns infinite values, which bigint cannot hold, into finite ones. */
function toWhole(ms: number): number {
  return Math.floor(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms)))
}

interface JobRow { queue: string; id: string; state: FinishedState; finished_at_ms: string | number }

function toJob({ queue, id, state, finished_at_ms: finishedOn }: JobRow): FinishedJob {
  return { queueName: queue, id, state, finishedOn: Number(finishedOn) }
}
