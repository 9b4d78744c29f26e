/** A handler is called with the positional arguments as they were enqueued. */
export type TaskHandler<Args extends readonly unknown[] = readonly unknown[], Result = unknown> =
  (...args: Args) => Result | Promise<Result>

/** A task by what the compiler has to know of it: its name, its arguments and its result. */
export interface TaskReference<Args extends readonly unknown[] = readonly unknown[], Result = unknown> {
  readonly name: string
  /** Only for the compiler: never set. */
  readonly signature?: (...args: Args) => Result
}

/** Of an overloaded handler the last signature counts. */
export type ArgsOf<Handler> = Handler extends (...args: infer Args extends readonly unknown[]) => unknown ? Args : never

export type ResultOf<Handler> = Handler extends (...args: never[]) => infer Result ? Awaited<Result> : never

declare const RESULT: unique symbol

/** An id that carries, for the compiler alone, the type of the result. Kept anywhere else it is a plain string. */
export type TypedExecutionId<Result> = string & { readonly [RESULT]: Result }

/** What `enqueue` returns: the id of an execution, a string. Where the type of the result is known, the id carries it to `result`. */
export type ExecutionId<Result = unknown> = unknown extends Result ? string : TypedExecutionId<Result>
