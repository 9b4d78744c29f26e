import type { Store } from '../stores/store.ts'

/**
 * Redis answers nobody else while it adds what one client has sent, nor does the embedded database. PostgreSQL does, and a call for many
 * costs it less than several: each creates temporary tables.
 */
export const GENTLE_BATCH = { redis: 20, embedded: 20, postgres: 500 } as const satisfies Record<Store['kind'], number>
