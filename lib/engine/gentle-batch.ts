import type { Store } from '../stores/store.ts'

/**
 * While Redis adds what one client has sent, it serves no other client, and neither does the embedded database. PostgreSQL does, and one
 * call for many executions costs it less than several calls, because each call creates temporary tables.
 */
export const GENTLE_BATCH = { redis: 20, embedded: 20, postgres: 500 } as const satisfies Record<Store['kind'], number>
