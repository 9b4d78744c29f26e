import type { Store } from '../../stores/store.ts'
import { executionFromJob } from '../jobs/job-mapper.ts'
import type { QueueSelection } from '../queues/queue-selection.ts'
import { readStandingOnRedis } from './redis-standing.ts'
import { readStandingInSql } from './sql-standing.ts'
import type { Standing } from './standing.ts'

/** Null if the broker does not have it. One round trip, if the queues are few or indexed. */
export async function readStanding(store: Store, queues: QueueSelection, executionId: string): Promise<Standing | null> {
  const found = await (store.kind === 'redis'
    ? readStandingOnRedis(store, queues, executionId)
    : readStandingInSql(store, queues, executionId))
  if (found === null) return null
  const { job, ...standing } = found
  return { ...standing, execution: executionFromJob(job, found.state, found.at) }
}
