import { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A Web `Request` has no socket, so it is unknown whether it came from this machine. This value is not a loopback address, so without
 * `auth`, `authorize` or `access` every request is refused.
 */
const NO_ADDRESS = 'unknown'

/** The parts of the request's address. */
interface Address { readonly host: string; readonly isEncrypted: boolean; readonly url: string; readonly originalUrl: string }

/** A Node request made from a Web `Request`. */
export class WebIncoming extends IncomingMessage {
  readonly originalUrl: string
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | null

  constructor(request: Request, { host, isEncrypted, url, originalUrl }: Address) {
    super(new NoSocket(isEncrypted) as unknown as Socket)
    this.httpVersion = '1.1'
    this.httpVersionMajor = this.httpVersionMinor = 1
    this.method = request.method
    this.url = url
    this.originalUrl = originalUrl
    this.headers = { host }
    request.headers.forEach((value, name) => { this.headers[name] = value })
    this.rawHeaders = Object.entries(this.headers).flat() as string[]
    // Some servers create the full Request only when its body is accessed.
    this.#body = request.method === 'GET' || request.method === 'HEAD' ? null : request.body?.getReader() ?? null
    if (!this.#body) this.#end()
  }

  override _read(size: number): void {
    // Node's own method marks the request as being read; there is no socket to read from.
    super._read(size)
    this.#body?.read().then(({ done, value }) => {
      if (done) this.#end()
      else this.push(value)
    }, (error: unknown) => this.destroy(error as Error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Node's own method waits for an open socket to close, and expects a real one.
    if (!this.complete) this.socket.destroy()
    super._destroy(error, done)
  }

  /** Called when the client has disconnected. */
  leave(): void {
    this.socket.destroy()
    this.#body?.cancel().catch(() => {})
    this.destroy()
  }

  /** Some clients wait for the response only after they have sent everything. */
  throwRestAway(): void {
    if (!this.readableEnded) this.removeAllListeners('readable').resume()
  }

  #end(): void {
    this.complete = true
    this.push(null)
  }
}

/** The parts of a socket that request handlers use. */
class NoSocket extends EventEmitter {
  readonly remoteAddress = NO_ADDRESS
  readonly writableLength = 0
  readonly encrypted: boolean
  destroyed = false

  constructor(encrypted: boolean) {
    super()
    this.encrypted = encrypted
  }

  destroy(): this {
    if (this.destroyed) return this
    this.destroyed = true
    process.nextTick(() => this.emit('close'))
    return this
  }

  setTimeout(): this { return this }
  setNoDelay(): this { return this }
  setKeepAlive(): this { return this }
  cork(): void {}
  uncork(): void {}
}
