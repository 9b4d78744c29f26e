import type { CheckedArgs } from './json/json-value.ts'

/** A handler is called with the positional arguments as they were enqueued. */
export type TaskHandler<Args extends readonly unknown[] = readonly unknown[], Result = unknown> =
  (...args: Args) => Result | Promise<Result>

/**
 * What a map of tasks looks like: the names of tasks, each with the signature of its handler. A plain interface fits, and so does
 * `typeof handlers`:
 *
 * ```ts
 * interface Tasks {
 *   'email:send'(to: string, subject: string): Promise<{ messageId: string }>
 * }
 * ```
 *
 * Arguments are what JSON carries without a change. It is mapped from itself: an index signature would keep interfaces out.
 */
export type TaskMap<Tasks = AnyTasks> =
  { readonly [Name in keyof Tasks]: ((...args: never[]) => unknown) & CheckedArgs<ArgsOf<Tasks[Name]>> }

/** Without a map of its own a queue app takes any name with any arguments; a `Task` is checked all the same. */
export type AnyTasks = Record<string, (...args: unknown[]) => unknown>

/** The names of a map of tasks. */
export type TaskName<Tasks> = keyof Tasks & string

/** A task by what the compiler has to know of it: its name, its arguments and its result. */
export interface TaskReference<Args extends readonly unknown[] = readonly unknown[], Result = unknown> {
  readonly name: string
  /** Only for the compiler: never set. */
  readonly signature?: (...args: Args) => Result
}

/** What names a task in `enqueue`, `scheduleCron` and so on: a name of the map, or a task that `queueApp.task()` returned. */
export type TaskTarget<Tasks> = TaskName<Tasks> | TaskReference<never>

/** The arguments of a task, by its name in the map: `TaskArgs<Tasks, 'email:send'>`. Also `TaskArgs<Tasks, typeof sendEmail>`. */
export type TaskArgs<Tasks, Target> =
  Target extends TaskReference<infer Args, infer _> ? Args : Target extends TaskName<Tasks> ? ArgsOf<Tasks[Target]> : never

/** What the handler of a task returns: `TaskResult<Tasks, 'email:send'>`. Also `TaskResult<Tasks, typeof sendEmail>`. */
export type TaskResult<Tasks, Target> =
  Target extends TaskReference<never, infer Result> ? Result : Target extends TaskName<Tasks> ? ResultOf<Tasks[Target]> : never

/** Whether a queue app has no map of its own. */
export type HasAnyName<Tasks, Then, Else> = string extends keyof Tasks ? Then : Else

/** Of an overloaded handler the last signature counts. */
export type ArgsOf<Handler> = Handler extends (...args: infer Args extends readonly unknown[]) => unknown ? Args : never

export type ResultOf<Handler> = Handler extends (...args: never[]) => infer Result ? Awaited<Result> : never

declare const RESULT: unique symbol

/** An id that carries, for the compiler alone, the type of the result. Kept anywhere else it is a plain string. */
export type TypedExecutionId<Result> = string & { readonly [RESULT]: Result }

/** What `enqueue` returns: the id of an execution, a string. Where the type of the result is known, the id carries it to `result`. */
export type ExecutionId<Result = unknown> = unknown extends Result ? string : TypedExecutionId<Result>
