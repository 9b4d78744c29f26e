import type { ConnectionOptions } from 'node:tls'
import type { Cluster, Redis, RedisOptions } from 'ioredis'

/**
 * A Redis server, group of sentinels or cluster, for what a URL cannot say. What stands here comes before what its `url` says.
 * A field that is given as undefined is refused where another store, or no encryption, would be the result.
 */
export interface RedisConnection {
  /**
   * `redis:` `rediss:` `valkey:` `valkeys:`, `redis-sentinel:` `rediss-sentinel:` or `unix:`. May be left out where `path`, `sentinels` or
   * `redis` says where the server is.
   */
  url?: string
  /** User of the server (ACL). Default: the user `default`. */
  username?: string
  /** Password of the server. */
  password?: string
  /** Number of the database, from 0. Default 0. */
  database?: number
  /** TLS: true for the defaults of Node, or its options. Default: true for `rediss:`, `valkeys:` and `rediss-sentinel:`, else false. */
  tls?: boolean | RedisTls
  /** Path of a unix socket, in place of host and port. */
  path?: string
  /** The sentinels that know where the primary is; one that answers is enough. */
  sentinels?: ReadonlyArray<{ host: string; port?: number }>
  /** What the sentinels call the primary, for example `mymaster`. Needed with `sentinels`. */
  name?: string
  /** User of the sentinels themselves. Default none. */
  sentinelUsername?: string
  /** Password of the sentinels themselves. Default none: that of the server is not sent to them. */
  sentinelPassword?: string
  /** TLS to the sentinels. Default: as `tls`. */
  sentinelTls?: boolean | RedisTls
  /**
   * Options of ioredis, for what has no field here, or those of an instance (`existing.options`); how long to wait and when to try again
   * is set by this package. Or a function that makes each client, with the options that are passed to it: `options => new Redis({
   * ...options, … })`.
   */
  redis?: RedisOptions | RedisFactory
}

/** Makes a client that is used, and closed, by this package. It is called once for each connection. */
export type RedisFactory = (options: Omit<RedisOptions, 'replyMapping'>) => Redis | Cluster

/** As Node has them (`tls.connect`). `ca`, `cert` and `key` are PEM texts, not paths. */
export type RedisTls = Pick<ConnectionOptions, (typeof TLS_OPTIONS)[number]>

export const TLS_OPTIONS = [
  'ca', 'cert', 'key', 'passphrase', 'pfx', 'servername', 'rejectUnauthorized', 'checkServerIdentity', 'minVersion', 'maxVersion',
  'ciphers', 'crl', 'ecdhCurve', 'sigalgs', 'secureContext', 'ALPNProtocols'
] as const
