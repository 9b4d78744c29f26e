import type { ConnectionOptions } from 'node:tls'
import type { Cluster, Redis, RedisOptions } from 'ioredis'

/**
 * A Redis server, group of sentinels or cluster, with settings that a URL cannot express. These fields take precedence over its `url`. A
 * field that is undefined is refused if that would mean another store or no encryption.
 */
export interface RedisConnection {
  /**
   * `redis:` `rediss:` `valkey:` `valkeys:`, `redis-sentinel:` `rediss-sentinel:` or `unix:`. Optional if `path`, `sentinels` or `redis`
   * gives the server.
   */
  url?: string
  /** The server's user (ACL). Default: the user `default`. */
  username?: string
  /** The server's password. */
  password?: string
  /** Database number, from 0. Default 0. */
  database?: number
  /** TLS: true for Node's defaults, or TLS options. Default: true for `rediss:`, `valkeys:` and `rediss-sentinel:`, otherwise false. */
  tls?: boolean | RedisTls
  /** Path of a unix socket, instead of host and port. */
  path?: string
  /** The sentinels that know the primary; one that answers is enough. */
  sentinels?: ReadonlyArray<{ host: string; port?: number }>
  /** The sentinels' name for the primary, for example `mymaster`. Required with `sentinels`. */
  name?: string
  /** User of the sentinels. Default none. */
  sentinelUsername?: string
  /** Password of the sentinels. Default none: the server's password is not sent to them. */
  sentinelPassword?: string
  /** TLS to the sentinels. Default: same as `tls`. */
  sentinelTls?: boolean | RedisTls
  /**
   * ioredis options that have no field here, or an instance's options (`existing.options`). Timeouts and retries are set by this package.
   * Or a function that creates each client from the options it gets: `options => new Redis({ ...options, … })`.
   */
  redis?: RedisOptions | RedisFactory
}

/** Creates a client, which this package uses and closes. Called once per connection. */
export type RedisFactory = (options: Omit<RedisOptions, 'replyMapping'>) => Redis | Cluster

/** Options of Node's `tls.connect`. `ca`, `cert` and `key` are PEM texts, not paths. */
export type RedisTls = Pick<ConnectionOptions, (typeof TLS_OPTIONS)[number]>

export const TLS_OPTIONS = [
  'ca', 'cert', 'key', 'passphrase', 'pfx', 'servername', 'rejectUnauthorized', 'checkServerIdentity', 'minVersion', 'maxVersion',
  'ciphers', 'crl', 'ecdhCurve', 'sigalgs', 'secureContext', 'ALPNProtocols'
] as const
