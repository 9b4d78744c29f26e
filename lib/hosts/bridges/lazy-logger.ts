import type { FastifyBaseLogger } from 'fastify'

type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]
type Line = [details: object, message?: string]

/** A request's logger, created with its first line: few requests log anything, and creating one is expensive. */
export class LazyLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: object
  readonly #options: ChildOptions
  #own: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: object, options: ChildOptions) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get level(): string { return this.#parent.level }
  child(bindings: object, options?: ChildOptions): FastifyBaseLogger { return this.#made().child(bindings, options) }
  fatal(...line: Line): void { this.#made().fatal(...line) }
  error(...line: Line): void { this.#made().error(...line) }
  warn(...line: Line): void { this.#made().warn(...line) }
  info(...line: Line): void { this.#made().info(...line) }
  debug(...line: Line): void { this.#made().debug(...line) }
  trace(...line: Line): void { this.#made().trace(...line) }
  silent(...line: Line): void { this.#made().silent(...line) }

  #made(): FastifyBaseLogger {
    return (this.#own ??= this.#parent.child(this.#bindings, this.#options))
  }
}
