import type { PostgresConnection } from '../postgres/source/postgres-connection.ts'
import type { RedisConnection } from '../redis/source/redis-connection.ts'

// Separate from the stores, so that a user's compiler can read it without the types of `pg`.
export type { PostgresConnection, RedisConnection }

/** The location of a store: a URL, or an object for settings that a URL cannot express. */
export type StoreSource = string | RedisConnection | PostgresConnection
