/** Messages between the store and the thread of its database. Everything is text, which is cheap to copy between threads. */
export type ToDatabase = Statement | Release | Withdrawal
  /** Asks for the next part of a long result. */
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'close' }

export interface Statement {
  readonly kind: 'statement'
  readonly id: number
  readonly text: string
  /** Empty: uses the simple protocol, which accepts several statements, and which some statements require. */
  readonly parameters: ReadonlyArray<string | null>
  readonly urgency: Urgency
  /** The client that may hold the session from BEGIN to COMMIT; null for a standalone statement. */
  readonly client: number | null
}

/** Requests run before workers' statements, because a user is waiting. */
export type Urgency = 'request' | 'work'

export interface Release { readonly kind: 'release'; readonly client: number }
/** The caller no longer waits for the statement. It does not run unless it has already started. */
export interface Withdrawal { readonly kind: 'withdrawal'; readonly id: number }

export type FromDatabase =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly error: PlainError }
  | ResultPart
  | { readonly kind: 'failed'; readonly id: number; readonly error: PlainError }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string }
  /** The database is no longer usable. */
  | { readonly kind: 'broken'; readonly error: PlainError }
  | { readonly kind: 'closed'; readonly error: PlainError | null }

export interface ResultPart {
  readonly kind: 'part'
  readonly id: number
  /** Name and type of each column. */
  readonly fields: ReadonlyArray<readonly [name: string, type: number]>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  readonly rowCount: number | null
  readonly isLast: boolean
}

/** An error in a form that can be copied. */
export interface PlainError { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }

/** A port of `node:worker_threads`, or the thread itself. */
export interface DatabasePort {
  postMessage(message: FromDatabase): void
  on(event: 'message', listener: (messages: ToDatabase[]) => void): unknown
}
