import type { CheckedArgs } from './json/json-value.ts'
import type { ArgsOf, ResultOf, TaskReference } from './task-reference.ts'

/**
 * A map of tasks: task names with the signatures of their handlers. A plain interface works, and so does `typeof handlers`:
 *
 * ```ts
 * interface Tasks {
 *   'email:send'(to: string, subject: string): Promise<{ messageId: string }>
 * }
 * ```
 *
 * JSON must preserve the arguments. The type maps over itself, because an index signature would exclude interfaces.
 */
export type TaskMap<Tasks = AnyTasks> =
  { readonly [Name in keyof Tasks]: ((...args: never[]) => unknown) & CheckedArgs<ArgsOf<Tasks[Name]>> }

/** Without a map, a queue app takes any name with any arguments. A `Task` is still checked. */
export type AnyTasks = Record<string, (...args: unknown[]) => unknown>

/** The names of a map of tasks. */
export type TaskName<Tasks> = keyof Tasks & string

/** Names a task in `enqueue`, `scheduleCron` and so on: a name of the map, or a task that `queueApp.task()` returned. */
export type TaskTarget<Tasks> = TaskName<Tasks> | TaskReference<never>

/**
 * The arguments of a task, by its name in the map (`TaskArgs<Tasks, 'email:send'>`) or by the task itself (`TaskArgs<Tasks, typeof
 * sendEmail>`).
 */
export type TaskArgs<Tasks, Target> =
  Target extends TaskReference<infer Args, infer _> ? Args : Target extends TaskName<Tasks> ? ArgsOf<Tasks[Target]> : never

/**
 * The return type of a task's handler, by its name in the map (`TaskResult<Tasks, 'email:send'>`) or by the task itself (`TaskResult<Tasks,
 * typeof sendEmail>`).
 */
export type TaskResult<Tasks, Target> =
  Target extends TaskReference<never, infer Result> ? Result : Target extends TaskName<Tasks> ? ResultOf<Tasks[Target]> : never

/** Whether a queue app has no map of its own. */
type HasAnyName<Tasks, Then, Else> = string extends keyof Tasks ? Then : Else

/**
 * The handler type that `task()` accepts. With a map, the handler must have the declared signature. Without one it may have any signature
 * whose arguments JSON preserves.
 */
export type HandlerFor<Tasks, Name extends TaskName<Tasks>, Handler> =
  HasAnyName<
    Tasks,
    Handler & CheckedHandler<Handler>,
    (...args: ArgsOf<Tasks[Name]>) => ResultOf<Tasks[Name]> | Promise<ResultOf<Tasks[Name]>>
  >
/** Before the compiler has inferred the handler, its arguments are `never` and must not be checked. */
type CheckedHandler<Handler> = [ArgsOf<Handler>] extends [never] ? unknown : CheckedArgs<ArgsOf<Handler>>

/** Arguments and result of the task that `task()` returns: those of the map, or the given ones if there is no map. */
export type ArgsFor<Tasks, Name extends TaskName<Tasks>, Args extends readonly unknown[]> = HasAnyName<Tasks, Args, ArgsOf<Tasks[Name]>>
export type ResultFor<Tasks, Name extends TaskName<Tasks>, Result> = HasAnyName<Tasks, Result, ResultOf<Tasks[Name]>>

/** What `result()` returns for a name of the map, for a task (`AnyTask`), or for an explicit result type. */
export type ResultNamed<Tasks, Of, AnyTask> = Of extends HasAnyName<Tasks, never, TaskName<Tasks>> | AnyTask ? TaskResult<Tasks, Of> : Of
