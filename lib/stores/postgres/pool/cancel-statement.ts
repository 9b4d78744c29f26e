import type { Client, Connection } from 'pg'

/** Fields that `pg` has and its types omit. */
interface RunningClient {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly ssl: boolean | object
  readonly sslNegotiation?: string
}
interface CancelConnection extends Connection {
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}
type CancelConnectionClass = new (config: { ssl: boolean | object; sslNegotiation?: string }) => CancelConnection

/**
 * Asks the server to cancel the statement running on this connection, through a separate connection that needs no free slot and no login.
 * The server, and a pooler, identify the connection by a secret, so it cannot be someone else's statement; behind a pooler the process id
 * is made up. Keep the connection until this resolves, because a pooler releases the statement along with it. Never rejects.
 */
export function cancelStatement(ConnectionOfPg: typeof Connection, client: Client, timeoutMs: number): Promise<void> {
  const { processID, secretKey, ssl, sslNegotiation } = client as unknown as RunningClient
  if (processID === null || secretKey === null) return Promise.resolve()
  return new Promise(resolve => {
    const connection = new (ConnectionOfPg as unknown as CancelConnectionClass)({
      ssl, ...(sslNegotiation !== undefined && { sslNegotiation })
    })
    const giveUp = setTimeout(() => connection.stream.destroy(), timeoutMs)
    const send = (): void => connection.cancel(processID, secretKey)
    connection.on('connect', () => {
      if (!ssl) send()
      else if (sslNegotiation !== 'direct') connection.requestSsl()
    })
    connection.on('sslconnect', send)
    connection.on('error', () => connection.stream.destroy())
    // The server closes the connection when it is done.
    connection.on('end', () => {
      clearTimeout(giveUp)
      resolve()
    })
    if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`)
    else connection.connect(client.port, client.host)
  })
}
