import type { Store } from '../../stores/store.ts'
import type { FinishedSets } from './finished-sets.ts'
import { createRedisFinishedSets } from './redis-finished-sets.ts'
import { createSqlFinishedSets } from './sql-finished-sets.ts'

export function createFinishedSets(store: Store): FinishedSets {
  return store.kind === 'redis' ? createRedisFinishedSets(store) : createSqlFinishedSets(store)
}
