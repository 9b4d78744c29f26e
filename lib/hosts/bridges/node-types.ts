import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as Connect and Express pass it on: `url` without the path of the mount, `originalUrl` with it. */
export interface NodeRequest extends IncomingMessage { originalUrl?: string }

/** Mounts in everything that calls `(request, response, next?)`: Express 5 and 4, Connect, `http.createServer`. */
export interface NodeHandler {
  /** Resolves when the request was taken, not when it is answered. Without `next`, what is not below the prefix is 404. */
  (request: NodeRequest, response: ServerResponse, next?: (error?: unknown) => void): Promise<void>
  /** Answers 503 from now on. The queue app goes on, unless `stopOnClose` is set. Idempotent. */
  close(): Promise<void>
}
