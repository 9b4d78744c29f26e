import type { ConnectionOptions } from 'node:tls'

/** A PostgreSQL server with settings that a URL cannot express. An option without a value is refused. */
export interface PostgresConnection {
  /**
   * `postgres://user:password@host:5432/database`. Parameters: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `sslpassword`,
   * `sslnegotiation`, `channel_binding`, `host`, `port`, `user`, `password`, `dbname`, `max`, `application_name` and `connect_timeout`. Any
   * other is refused.
   */
  url: string
  /**
   * TLS options instead of `sslmode` and related parameters: options of Node's `tls.connect`, for example `{ ca, cert, key }` as PEM texts
   * or Buffers. `true` and `{}` verify the server's certificate and name with the certificate authorities that Node trusts. Default: as
   * `sslmode` says.
   */
  tls?: boolean | ConnectionOptions
  /** Folder of the server's Unix socket, such as `/var/run/postgresql`, or the socket itself. Replaces the host in the URL. */
  path?: string
  /**
   * The password, instead of one in the URL. A function is called for each new connection, for tokens that expire. It has 5 seconds; if it
   * fails, the connection fails.
   */
  password?: string | (() => string | Promise<string>)
  /** Maximum connections of this process, 2 to 1,000. Also `max` in the URL. */
  maxConnections?: number
  /** URL of the server itself, if `url` is a pooler's. `tls` and `password` apply to it too. */
  directUrl?: string
}
