/** A handler is called with the positional arguments as they were enqueued. */
export type TaskHandler<Args extends readonly unknown[] = readonly unknown[], Result = unknown> =
  (...args: Args) => Result | Promise<Result>

/** The parts of a task that the compiler needs: its name, arguments and result. */
export interface TaskReference<Args extends readonly unknown[] = readonly unknown[], Result = unknown> {
  readonly name: string
  /** For the compiler only; never set. */
  readonly signature?: (...args: Args) => Result
}

/** For an overloaded handler, the last signature counts. */
export type ArgsOf<Handler> = Handler extends (...args: infer Args extends readonly unknown[]) => unknown ? Args : never

export type ResultOf<Handler> = Handler extends (...args: never[]) => infer Result ? Awaited<Result> : never

declare const RESULT: unique symbol

/** An id that carries the type of its result, for the compiler only. Stored elsewhere, it is a plain string. */
export type TypedExecutionId<Result> = string & { readonly [RESULT]: Result }

/** The execution id that `enqueue` returns, a string. If the result type is known, the id carries it to `result`. */
export type ExecutionId<Result = unknown> = unknown extends Result ? string : TypedExecutionId<Result>
