import { ServerResponse, type OutgoingHttpHeaders } from 'node:http'
import type { WebIncoming } from './web-incoming.ts'

/** Bytes buffered for a slow reader before the writer is paused. */
const HIGH_WATER_MARK_BYTES = 16 * 1024

/** Headers that concern a single connection, not the host's. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding'])

type Callback = (error?: Error | null) => void
type Body = ConstructorParameters<typeof Response>[0]

/** A Node response that becomes a Web `Response`: complete if it is written at once, otherwise as a stream. */
export class WebOutgoing extends ServerResponse<WebIncoming> {
  /** Resolves with the response head. Rejects if the response is given up before that. */
  readonly answer: Promise<Response>
  #resolve!: (answer: Response) => void
  #reject!: (error: Error) => void
  #head: OutgoingHttpHeaders = {}
  #isBegun = false
  #isClosed = false
  #needsDrain = false
  #pieces: ReadableStreamDefaultController<Uint8Array> | null = null

  constructor(request: WebIncoming) {
    super(request)
    Object.assign(this, { socket: request.socket })
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  override writeHead(status: number, reason?: unknown, fields?: unknown): this {
    if (this.headersSent) return super.writeHead(status)
    this.#head = this.getHeaders()
    for (const [name, value] of pairsOf(typeof reason === 'string' ? fields : reason ?? fields)) this.#head[name.toLowerCase()] = value
    super.writeHead(status)
    // Most handlers write the body along with the head. A complete body is not turned into a stream, which would cost more than everything
    // else.
    queueMicrotask(() => this.#begin())
    return this
  }

  override flushHeaders(): void {
    if (!this.headersSent) this.writeHead(this.statusCode)
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    const [done, name] = typeof encoding === 'function' ? [encoding as Callback] : [callback as Callback | undefined, encoding]
    if (this.writableEnded || this.destroyed) {
      if (done) process.nextTick(done, goneError())
      return false
    }
    this.flushHeaders()
    this.#begin()
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, name as BufferEncoding) : chunk as Uint8Array
    if (done) process.nextTick(done)
    if (!this.#pieces || bytes.byteLength === 0) return true
    this.#pieces.enqueue(bytes)
    this.#needsDrain = this.#pieces.desiredSize! <= 0
    return !this.#needsDrain
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    const done = [chunk, encoding, callback].find(each => typeof each === 'function') as Callback | undefined
    if (this.writableEnded || this.destroyed) {
      if (done) process.nextTick(done, goneError())
      return this
    }
    this.flushHeaders()
    const last = typeof chunk === 'function' || chunk === null || chunk === undefined || chunk === '' ? null : chunk
    if (this.#isBegun) {
      if (last !== null) this.write(last, typeof encoding === 'string' ? encoding : undefined)
      this.#pieces?.close()
    } else {
      this.#isBegun = true
      const body = typeof last === 'string' && typeof encoding === 'string' ? Buffer.from(last, encoding as BufferEncoding) : last as Body
      this.#resolve(this.#responseWith(body))
    }
    this.finished = true
    if (done) this.once('finish', done)
    process.nextTick(() => {
      this.emit('finish')
      this.req.throwRestAway()
      this.#close()
    })
    return this
  }

  override destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    if (!this.writableEnded) {
      const reason = error ?? goneError()
      this.#reject(reason)
      this.#pieces?.error(reason)
      this.#isBegun = true
    }
    this.req.leave()
    process.nextTick(() => this.#close())
    return this
  }

  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    const body = new ReadableStream<Uint8Array>({
      start: controller => { this.#pieces = controller },
      pull: () => {
        if (!this.#needsDrain) return
        this.#needsDrain = false
        this.emit('drain')
      },
      cancel: () => {
        this.#pieces = null
        this.destroy()
      }
    }, { highWaterMark: HIGH_WATER_MARK_BYTES, size: chunk => chunk.byteLength })
    const response = this.#responseWith(body as Body)
    if (response.body === null) this.#pieces = null
    this.#resolve(response)
  }

  #responseWith(body: Body): Response {
    const { statusCode: status } = this
    const hasNoBody = this.req.method === 'HEAD' || status === 204 || status === 304
    return new Response(hasNoBody ? null : body, { status, headers: headersOf(this.#head) })
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.destroyed = true
    this.emit('close')
  }
}

function goneError(): Error {
  return Object.assign(new Error('The client is gone'), { code: 'ECONNRESET' })
}

/** A plain object if possible, because servers that accept one avoid creating Headers. */
function headersOf(head: OutgoingHttpHeaders): Record<string, string> | Headers {
  const plain: Record<string, string> = {}
  const lists: Field[] = []
  for (const [name, value] of Object.entries(head)) {
    if (value === undefined || CONNECTION_HEADERS.has(name)) continue
    if (Array.isArray(value)) lists.push([name, value])
    else plain[name] = String(value)
  }
  if (lists.length === 0) return plain
  const headers = new Headers(plain)
  for (const [name, values] of lists) for (const value of values as string[]) headers.append(name, value)
  return headers
}

type Field = [name: string, value: string | number | string[]]

/** The three forms that `writeHead` accepts: an object, pairs, and alternating names and values. */
function pairsOf(fields: unknown): Field[] {
  if (!Array.isArray(fields)) return Object.entries(fields ?? {}) as Field[]
  if (Array.isArray(fields[0])) return fields as Field[]
  return fields.flatMap((value, index) => index % 2 === 0 ? [] : [[fields[index - 1], value] as Field])
}
