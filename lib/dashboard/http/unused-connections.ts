import { Server as HttpServer } from 'node:http'
import type { Http2Session } from 'node:http2'
import type { Server, Socket } from 'node:net'
import { Server as TlsServer, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 100
/**
 * When its session ends, a client ends its side too, unless it sleeps or hangs. A slow client that is still receiving sends window updates.
 */
const SILENT_MS = 5_000

/** Several dashboards may be mounted in one server. */
const watched = new WeakSet<object>()

/**
 * Closes connections without a request while the host closes. A browser opens some before it needs them, so an open page would keep
 * `close()` waiting: forever before Node 26 (https://github.com/nodejs/node/issues/63452), and for a minute if a request ends after closing
 * has begun (https://github.com/fastify/fastify/issues/7044). Before Node 24, HTTP/2 sessions keep it waiting for as long as the client
 * keeps them. The queue app is stopped afterwards, so it would not hand back what it runs. Requests get their responses, however long they
 * take.
 */
export function closeUnusedConnections(host: FastifyInstance): void {
  const server: Server = host.server
  if (watched.has(server)) return
  watched.add(server)
  const connections = new Set<Socket>()
  const sessions = new Set<Http2Session>()
  const ofSessions = new Set<Socket>()
  /** Connections whose TLS handshake is not complete. Node gives them two minutes. */
  const greeting = new Set<Socket>()
  const watch = (sockets: Set<Socket>, socket: Socket): void => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  // Without TLS, HTTP/2 begins a session with each connection.
  const first = server instanceof HttpServer || server instanceof TlsServer ? connections : ofSessions
  server.on('connection', (socket: Socket) => {
    watch(first, socket)
    if (server instanceof TlsServer && socket.remotePort !== undefined) watch(greeting, socket)
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    // An HTTP/2 session reads from its socket directly, so nothing shows on the socket.
    watch(socket.alpnProtocol === 'h2' ? ofSessions : connections, socket)
    for (const each of greeting) if (isSameClient(each, socket)) greeting.delete(each)
  })
  server.on('session', (session: Http2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })

  const closeUnused = (): void => {
    if (server.listening) return
    // Requests of the session are answered first.
    for (const session of sessions) if (!session.closed) session.close()
    for (const socket of ofSessions) if (socket.writableFinished) closeWhenSilent(socket)
    for (const socket of greeting) socket.destroy()
    let isSending = false
    for (const socket of connections) {
      if (socket.bytesRead === 0) socket.destroy()
      isSending ||= socket.writableLength > 0
    }
    // Node considers a connection idle even while the end of its response is being sent.
    // Without TLS, a server of HTTP/2 has no connections of HTTP/1.
    if (!isSending && 'closeIdleConnections' in server) (server as HttpServer).closeIdleConnections()
  }
  host.addHook('preClose', done => {
    // The host may have closed its server already.
    if (server.listening || connections.size + sessions.size + ofSessions.size > 0) {
      const timer = setInterval(closeUnused, EVERY_MS).unref()
      server.once('close', () => clearInterval(timer))
    }
    done()
  })

  function closeWhenSilent(socket: Socket): void {
    ofSessions.delete(socket)
    socket.setTimeout(SILENT_MS, () => socket.destroy())
  }
}

function isSameClient(one: Socket, other: Socket): boolean {
  return one.remotePort === other.remotePort && one.remoteAddress === other.remoteAddress
}
