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

/** What names a task in `enqueue`, `scheduleCron` and so on: a name of the map, or a task that `queueApp.task()` returned. */
export type TaskTarget<Tasks> = TaskName<Tasks> | TaskReference<never>

/** The arguments of a task, by its name in the map: `TaskArgs<Tasks, 'email:send'>`. Also `TaskArgs<Tasks, typeof sendEmail>`. */
export type TaskArgs<Tasks, Target> =
  Target extends TaskReference<infer Args, infer _> ? Args : Target extends TaskName<Tasks> ? ArgsOf<Tasks[Target]> : never

/** The return type of a task's handler: `TaskResult<Tasks, 'email:send'>`. Also `TaskResult<Tasks, typeof sendEmail>`. */
export type TaskResult<Tasks, Target> =
  Target extends TaskReference<never, infer Result> ? Result : Target extends TaskName<Tasks> ? ResultOf<Tasks[Target]> : never

/** Whether a queue app has no map of its own. */
type HasAnyName<Tasks, Then, Else> = string extends keyof Tasks ? Then : Else

/**
 * What `task()` takes: with a map the handler must have the declared signature; without one its own is taken, of arguments that JSON
 * carries.
 */
export type HandlerFor<Tasks, Name extends TaskName<Tasks>, Handler> =
  HasAnyName<
    Tasks,
    Handler & CheckedHandler<Handler>,
    (...args: ArgsOf<Tasks[Name]>) => ResultOf<Tasks[Name]> | Promise<ResultOf<Tasks[Name]>>
  >
/** While the compiler has yet to infer the handler its arguments are `never`, and must not be judged. */
type CheckedHandler<Handler> = [ArgsOf<Handler>] extends [never] ? unknown : CheckedArgs<ArgsOf<Handler>>

/** Arguments and result of what `task()` returns: those of the map, or without one the given ones. */
export type ArgsFor<Tasks, Name extends TaskName<Tasks>, Args extends readonly unknown[]> = HasAnyName<Tasks, Args, ArgsOf<Tasks[Name]>>
export type ResultFor<Tasks, Name extends TaskName<Tasks>, Result> = HasAnyName<Tasks, Result, ResultOf<Tasks[Name]>>

/** What `result()` gives for a name of the map, for a task (`AnyTask`), or for the type of the result itself. */
export type ResultNamed<Tasks, Of, AnyTask> = Of extends HasAnyName<Tasks, never, TaskName<Tasks>> | AnyTask ? TaskResult<Tasks, Of> : Of
