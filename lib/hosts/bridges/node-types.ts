import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as Connect and Express pass it on: `url` without the mount path, `originalUrl` with it. */
export interface NodeRequest extends IncomingMessage { originalUrl?: string }

/** Mounts in anything that calls `(request, response, next?)`: Express 5 and 4, Connect, `http.createServer`. */
export interface NodeHandler {
  /** Resolves when the request was accepted, not when it is answered. Without `next`, requests outside the prefix get 404. */
  (request: NodeRequest, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>
  /** Answers every further request with 503. Does not stop the queue app, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}
