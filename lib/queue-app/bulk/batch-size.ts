const FIRST_COUNT = 20
const MAX_COUNT = 100
/** Characters of arguments that are read at a time. Larger reads make other calls of the process wait. */
const CHARACTERS_AT_A_TIME = 2 ** 20

/** How many executions are read at a time. It starts low, because one of them can have several hundred kilobytes of arguments. */
export class ReadBatch {
  #count = FIRST_COUNT

  get count(): number { return this.#count }

  /** @param characters of the arguments of the `count` executions that were just read */
  took(count: number, characters: number): void {
    const affordable = Math.floor(count * CHARACTERS_AT_A_TIME / Math.max(1, characters))
    this.#count = Math.max(1, Math.min(affordable, this.#count * 2, MAX_COUNT))
  }
}

/** A longer call mostly waits for the network, or for a server that is busy with other clients. */
const SLOW_CALL_MS = 10
const MAX_ENQUEUED = 100

/**
 * How many executions are enqueued at a time. Normally few, because other clients of the broker have to wait. More if the network is
 * slow, so that the operation needs fewer round trips.
 */
export class EnqueueBatch {
  readonly #gentle: number
  #count: number

  constructor(gentle: number) {
    this.#gentle = gentle
    this.#count = gentle
  }

  get count(): number { return this.#count }

  /** @param ms of the last call */
  took(ms: number): void {
    this.#count = ms > SLOW_CALL_MS ? Math.max(this.#gentle, Math.min(this.#count * 2, MAX_ENQUEUED)) : this.#gentle
  }
}
