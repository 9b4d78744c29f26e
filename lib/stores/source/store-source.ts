import type { PostgresConnection } from '../postgres/source/postgres-connection.ts'
import type { RedisConnection } from '../redis/source/redis-connection.ts'

// Apart from the stores: a user's compiler reads what is here, and need not have the types of `pg`.
export type { PostgresConnection, RedisConnection }

/** Where a store is: a URL, or an object for what a URL cannot say. */
export type StoreSource = string | RedisConnection | PostgresConnection
