import { Server as HttpServer } from 'node:http'
import type { Http2Session } from 'node:http2'
import { Server as HttpsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { Server as TlsServer, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 100

/** Several dashboards may be mounted in one server. */
const watched = new WeakSet<object>()

/**
 * While the host closes, closes connections without a request. A browser opens some before it needs them, so a page that is open would keep
 * `close()` waiting, before Node 26 for ever (https://github.com/nodejs/node/issues/63452), and for a minute if a request ends after it has
 * begun to close (https://github.com/fastify/fastify/issues/7044). Before Node 24, sessions of HTTP/2 keep it waiting for as long as the
 * client keeps them. The queue app, which is stopped afterwards, would not hand back what it runs. Requests get their answers, however long
 * they take.
 */
export function closeUnusedConnections(host: FastifyInstance): void {
  const server: Server = host.server
  if (watched.has(server)) return
  watched.add(server)
  const isHttp1 = server instanceof HttpServer || server instanceof HttpsServer
  const connections = new Set<Socket>()
  const sessions = new Set<Http2Session>()
  const watch = (socket: Socket): void => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }
  // Without TLS, HTTP/2 begins a session with each connection.
  if (isHttp1 || server instanceof TlsServer) server.on('connection', watch)
  // A session reads from its socket unseen.
  server.on('secureConnection', (socket: TLSSocket) => { if (socket.alpnProtocol !== 'h2') watch(socket) })
  server.on('session', (session: Http2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })

  const closeUnused = (): void => {
    if (server.listening) return
    // Its requests are answered first.
    for (const session of sessions) if (!session.closed) session.close()
    let isSending = false
    for (const socket of connections) {
      if (socket.bytesRead === 0) socket.destroy()
      isSending ||= socket.writableLength > 0
    }
    // To Node, a connection is idle although the end of its answer is still being sent.
    if (!isSending && isHttp1) server.closeIdleConnections()
  }
  host.addHook('preClose', done => {
    // The host may have closed its server before.
    if (server.listening || connections.size + sessions.size > 0) {
      const timer = setInterval(closeUnused, EVERY_MS).unref()
      server.once('close', () => clearInterval(timer))
    }
    done()
  })
}
