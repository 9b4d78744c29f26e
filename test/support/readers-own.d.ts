import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { QueueApp } from '../../lib/index.ts'

/**
 * What examples of the documents may use without declaring it, where their page says "In the examples, `queueApp` and `auth` are yours."
 * The test that runs the examples defines each of these names.
 */
export interface ReadersOwn {
  queueApp: QueueApp
  fastify: FastifyInstance
  auth: { username: string, password: string }
  /** The signed-in user, from the reader's own session. */
  sessionOf(request: FastifyRequest | IncomingMessage): Promise<{ id: string, name: string, role: string } | null>
  mayUse(request: FastifyRequest, action: string): boolean
  mayRead(request: FastifyRequest, taskName: string): boolean
  requireAdmin: onRequestHookHandler
  router: { add(method: string, path: string, handler: (request: Request) => Promise<Response>): void }
  AppModule: new () => object
  tokenFor(host: string): Promise<string>
}

declare global {
  var queueApp: ReadersOwn['queueApp']
  var fastify: ReadersOwn['fastify']
  var auth: ReadersOwn['auth']
  var sessionOf: ReadersOwn['sessionOf']
  var mayUse: ReadersOwn['mayUse']
  var mayRead: ReadersOwn['mayRead']
  var requireAdmin: ReadersOwn['requireAdmin']
  var router: ReadersOwn['router']
  var AppModule: ReadersOwn['AppModule']
  var tokenFor: ReadersOwn['tokenFor']
}
