import type { Execution } from '../../execution.ts'
import type { Store } from '../../stores/store.ts'
import { executionFromJob } from '../jobs/job-mapper.ts'
import type { QueueSelection } from './queue-selection.ts'
import { findManyOnRedis } from './redis-find.ts'
import { findManyInSql } from './sql-find.ts'

/** See `Engine.findMany`. */
export async function findExecutions(store: Store, queues: QueueSelection, ids: readonly string[]): Promise<Execution[]> {
  if (ids.length === 0 || queues.names.length === 0) return []
  const found = store.kind === 'redis' ? await findManyOnRedis(store, queues, ids) : await findManyInSql(store, queues, ids)
  return found.map(({ job, state }) => ({ ...executionFromJob(job, state), progress: null, error: null }))
}
