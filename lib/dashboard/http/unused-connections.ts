import { Server } from 'node:http'
import { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const EVERY_MS = 100

/** Several dashboards may be mounted in one server. */
const watched = new WeakSet<object>()

/**
 * While the host closes, closes connections without a request. A browser opens some before it needs them, so a page that is open would keep
 * `close()` waiting, before Node 26 for ever (https://github.com/nodejs/node/issues/63452), and for a minute if a request ends after it has
 * begun to close (https://github.com/fastify/fastify/issues/7044). The queue app, which is stopped afterwards, would not hand back what it
 * runs. Requests get their answers, however long they take. A server of HTTP/2, whose sessions Fastify closes, is left alone.
 */
export function closeUnusedConnections(host: FastifyInstance): void {
  const { server } = host
  if (watched.has(server) || ![Server, TlsServer].some(kind => (server as object) instanceof kind)) return
  watched.add(server)
  const connections = new Set<Socket>()
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
  }
  const closeUnused = (): void => {
    if (server.listening) return
    let isSending = false
    for (const socket of connections) {
      if (socket.bytesRead === 0) socket.destroy()
      isSending ||= socket.writableLength > 0
    }
    // To Node, a connection is idle although the end of its answer is still being sent.
    if (!isSending) server.closeIdleConnections()
  }
  host.addHook('preClose', done => {
    // The host may have closed its server before.
    if (server.listening || connections.size > 0) {
      const timer = setInterval(closeUnused, EVERY_MS).unref()
      server.once('close', () => clearInterval(timer))
    }
    done()
  })
}
