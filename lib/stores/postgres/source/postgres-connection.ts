import type { ConnectionOptions } from 'node:tls'

/** A PostgreSQL server, for what a URL cannot say. An option that is given without a value is refused. */
export interface PostgresConnection {
  /**
   * `postgres://user:password@host:5432/database`. Parameters: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `sslpassword`,
   * `sslnegotiation`, `channel_binding`, `host`, `port`, `user`, `password`, `dbname`, `max`, `application_name` and `connect_timeout`. Any
   * other is refused.
   */
  url: string
  /**
   * TLS, in place of `sslmode` and what goes with it: options of Node's `tls.connect`, for example `{ ca, cert, key }` as PEM texts or
   * Buffers. `true` and `{}` check the server's certificate and name against the certificate authorities that Node knows. Default: what
   * `sslmode` says.
   */
  tls?: boolean | ConnectionOptions
  /** Folder of the server's Unix socket, `/var/run/postgresql`, or the socket itself. In place of a host in the URL. */
  path?: string
  /**
   * The password, in place of one in the URL. A function is asked for each new connection, for tokens that expire; it has 5 seconds. When
   * it fails, the connection fails.
   */
  password?: string | (() => string | Promise<string>)
  /** Connections that this process may hold, 2 to 1,000. Also `max` in the URL. */
  maxConnections?: number
  /** The server itself, where `url` is that of a pooler: a URL of the same form. `tls` and `password` hold for it, too. */
  directUrl?: string
}
