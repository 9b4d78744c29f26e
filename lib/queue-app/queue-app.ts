import type { Scheduler } from '../scheduler/scheduler.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../errors.ts'
import type {
  AnyTasks, ArgsFor, HandlerFor, ResultFor, ResultNamed, TaskArgs, TaskMap, TaskName, TaskResult, TaskTarget
} from '../task-map.ts'
import type { ArgsOf, ExecutionId, ResultOf, TypedExecutionId } from '../task-reference.ts'
import { assembleObserved } from './observing/assemble-observed.ts'
import { observedOnly } from './observing/observed-registry.ts'
import type { ObserveOptions } from './observing/observe-options.ts'
import { resolveObserveOptions, resolveOptionsWithQueues, resolveSources } from './observing/resolve-observe-options.ts'
import type { QueuesToObserve } from './observing/queues-source.ts'
import { assembleParts, type LocalState, type Parts } from './parts.ts'
import { checkArray, taskNameOf } from './enqueueing/call-checks.ts'
import { enqueueAll } from './enqueueing/enqueue-batches.ts'
import { refuseDuplicates, requireKeyOfEach } from './tasks/deduplication.ts'
import { createEnqueueRequest, type EnqueueOptions } from './enqueueing/enqueue-request.ts'
import type { Monitoring } from './monitoring/monitoring.ts'
import type { Operations } from './operations/operations.ts'
import type { QueueAppOptions, ResolvedQueueAppOptions } from './options.ts'
import { readResult, type ExecutionResult, type ResultOptions } from './enqueueing/result.ts'
import { createRegisteredTask, type RegisteredTask, type Task, type TaskOptions } from './tasks/task.ts'

/** `args` may be omitted if the handler needs none. */
type ArgsAndOptions<Args extends readonly unknown[]> =
  [] extends Args ? [args?: Readonly<Args>, options?: EnqueueOptions<Args>] : [args: Readonly<Args>, options?: EnqueueOptions<Args>]
/**
 * A queue app: registered tasks, a broker where their executions wait, a result backend that keeps their history, and a scheduler. The host
 * starts and stops it. Any process can mount a dashboard for it.
 *
 * ```ts
 * const queueApp = QueueApp.fromUrls({ broker: 'redis://localhost:6379/0', backend: 'redis://localhost:6379/1' })
 * const sendEmail = queueApp.task('email:send', async (to: string, subject: string) => { … }, { retries: 3, retryDelayMs: 5_000 })
 * await queueApp.start()
 * await queueApp.enqueue(sendEmail, ['ana@example.com', 'Hello'])
 * ```
 */
export class QueueApp<Tasks extends TaskMap<Tasks> = AnyTasks> {
  readonly #options: ResolvedQueueAppOptions
  readonly #tasks = new Map<string, RegisteredTask>()
  readonly #parts: Parts
  readonly #isObserving: boolean
  #state: 'new' | 'starting' | 'started' | 'stopping' | 'stopped' = 'new'
  #opening: Promise<void> | undefined
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #resolveStopped = () => {}
  readonly #stopped = new Promise<void>(resolve => { this.#resolveStopped = resolve })

  /**
   * Creates a queue app. It connects to nothing before `start()`. With `queues`, it also shows existing queues that other BullMQ code
   * fills, as `fromQueues` does. Calls that would change them reject with OBSERVED_ONLY, except for what the option `manage` allows.
   *
   * ```ts
   * const queueApp = QueueApp.fromUrls({ broker: 'redis://localhost:6379/0', queues: { broker: 'redis://localhost:6379/2' } })
   * ```
   * @param options default: an embedded store in memory. An explicit undefined is refused
   * @throws INVALID_OPTIONS, UNKNOWN_URL_SCHEME, MISSING_PACKAGE
   */
  static fromUrls<Tasks extends TaskMap<Tasks> = AnyTasks>(...options: [options?: QueueAppOptions<NoInfer<Tasks>>]): QueueApp<Tasks> {
    // A missing configuration would silently give a queue in memory.
    if (options.length > 0 && options[0] === undefined)
      throw createTaskDashboardError('INVALID_OPTIONS', ['the options are undefined: leave them out for the embedded store in memory'])
    const { resolved, queues } = resolveOptionsWithQueues(options[0])
    return new Own<Tasks>(resolved, local => assembleParts(resolved, queues, local))
  }

  /**
   * Creates a queue app for queues that other BullMQ code (version 5 or 6) fills and works on. Each queue is a task. The app only
   * observes: nothing is written to the queues' server, and calls that it cannot carry out reject with OBSERVED_ONLY. The option `manage`
   * allows some changes. The history has everything that BullMQ still holds, and what finishes from then on.
   *
   * ```ts
   * const queueApp = QueueApp.fromQueues([emailQueue, invoiceQueue])
   * const queueApp = QueueApp.fromQueues({ broker: 'redis://localhost:6379' }, { backend: 'redis://localhost:6379/1' })
   * ```
   * @param source BullMQ queues, or servers on which to find them
   * @throws INVALID_OPTIONS, UNKNOWN_URL_SCHEME, MISSING_PACKAGE
   */
  static fromQueues(source: QueuesToObserve, ...options: [options?: ObserveOptions]): QueueApp {
    if (options.length > 0 && options[0] === undefined)
      throw createTaskDashboardError('INVALID_OPTIONS', ['the options are undefined: leave them out to keep the history in memory'])
    const sources = resolveSources(source)
    const resolved = resolveObserveOptions(options[0])
    return new Own(resolved, local => assembleObserved(sources, resolved, local), true)
  }

  private constructor(options: ResolvedQueueAppOptions, assemble: (local: LocalState) => Parts, isObserving = false) {
    this.#options = options
    this.#isObserving = isObserving
    this.#parts = assemble({
      localTasks: () => [...this.#tasks.values()],
      localTask: name => this.#tasks.get(name),
      isStarted: () => this.#state === 'started'
    })
  }

  /** The reads of a dashboard. */
  get monitoring(): Monitoring {
    return this.#parts.monitoring
  }

  /** The writes of a dashboard. */
  get operations(): Operations {
    return this.#parts.operations
  }

  /**
   * The same reads and writes for some tasks only, as if there were no others: what belongs to another task is not found, listed or
   * counted. A task is hidden if the predicate throws or returns anything but `true`.
   */
  within(isVisible: (taskName: string) => boolean): { readonly monitoring: Monitoring; readonly operations: Operations } {
    return this.#parts.within(isVisible)
  }

  /** True once `start()` has resolved, until `stop()` is called. */
  get isStarted(): boolean {
    return this.#state === 'started'
  }

  /**
   * Registers a task in this process. You can call it before, during or after `start()`; after it, the task runs at once.
   * @param name 1 to 100 characters, printable
   * @param handler called with the positional arguments. For `type: 'cpu'`, here or in the option `tasks`, the file URL of a module whose
   *   default export is the handler
   * @throws INVALID_TASK, DUPLICATE_TASK
   */
  task<Name extends TaskName<Tasks>, Handler extends CallableFunction>(
    name: Name, handler: HandlerFor<Tasks, Name, Handler>, options?: TaskOptions & { type?: 'io' }
  ): Task<ArgsFor<Tasks, Name, ArgsOf<Handler>>, ResultFor<Tasks, Name, ResultOf<Handler>>>
  task<Args extends readonly unknown[] = readonly unknown[], Result = unknown, Name extends TaskName<Tasks> = TaskName<Tasks>>(
    name: Name, module: URL, options?: TaskOptions & { type?: 'cpu' }
  ): Task<ArgsFor<Tasks, Name, Args>, ResultFor<Tasks, Name, Result>>
  task(name: string, handler: unknown, options: TaskOptions = {}): unknown {
    this.#refuseWhenStopped()
    if (this.#isObserving) throw observedOnly('it runs no tasks')
    const task = createRegisteredTask(name, handler, options, this.#declared(name))
    if (this.#tasks.has(name)) throw createTaskDashboardError('DUPLICATE_TASK', [name])
    this.#tasks.set(name, task)
    try {
      this.#parts.addTask(task)
    } catch (error) {
      this.#tasks.delete(name)
      throw error
    }
    return Object.freeze({ name, options: task.settings })
  }

  /**
   * Adds an execution of a task that this process or another one registered, or that the option `tasks` declares. The execution waits for a
   * process that runs it. BROKER_UNAVAILABLE means that it was not added and will not be. UNCONFIRMED means that the broker did not
   * respond: it may have been added, with the id in the error's `unconfirmedIds`. Pass that id to `result` to find out.
   * @returns the id of the execution, or of the execution that holds the same key (`deduplication`)
   * @throws INVALID_ARGUMENTS, DUPLICATE_EXECUTION, TASK_NOT_REGISTERED, NOT_STARTED, BROKER_UNAVAILABLE, STORE_REFUSED, UNCONFIRMED;
   *   OBSERVED_ONLY for an existing queue
   */
  async enqueue<Target extends TaskTarget<Tasks>>(
    task: Target, ...[args, options]: ArgsAndOptions<TaskArgs<Tasks, Target>>
  ): Promise<ExecutionId<TaskResult<Tasks, Target>>> {
    const [executionId] = await this.#enqueueAll<TaskResult<Tasks, Target>, TaskArgs<Tasks, Target>>(
      task, [args === undefined ? [] : args], options, () => 'args'
    )
    return executionId!
  }

  /**
   * Adds one execution for each array of arguments, in order, with one round trip per thousand. If a round trip fails, it stops. The error
   * then has the ids that were added (`enqueuedIds`) and those that may have been (`unconfirmedIds`), both in order. No others were added.
   * @returns their ids, in order
   * @throws as `enqueue`
   */
  async enqueueMany<Target extends TaskTarget<Tasks>>(
    task: Target, argsOfEach: ReadonlyArray<Readonly<TaskArgs<Tasks, Target>>>, options: EnqueueOptions<TaskArgs<Tasks, Target>> = {}
  ): Promise<Array<ExecutionId<TaskResult<Tasks, Target>>>> {
    checkArray('argsOfEach', argsOfEach, 'with one array of arguments for each execution')
    return await this.#enqueueAll<TaskResult<Tasks, Target>, TaskArgs<Tasks, Target>>(
      task, argsOfEach, options, index => `argsOfEach[${index}]`
    )
  }

  /**
   * The state and outcome of an execution; null if there is no such execution. The result is typed if the id comes from `enqueue`. For an
   * id that you stored as a string, name the task or the type: `result<'email:send'>(id)`, `result<{ messageId: string }>(id)`.
   * @throws INVALID_ARGUMENTS, NOT_STARTED, BROKER_UNAVAILABLE, BACKEND_UNAVAILABLE, STORE_REFUSED
   */
  result<Result>(executionId: TypedExecutionId<Result>, options?: ResultOptions): Promise<ExecutionResult<Result> | null>
  result<Of = unknown>(executionId: string, options?: ResultOptions): Promise<ExecutionResult<ResultNamed<Tasks, Of, Task<never>>> | null>
  async result(executionId: string, options?: ResultOptions): Promise<unknown> {
    this.#requireStarted()
    return readResult(executionId, id => this.#parts.monitoring.execution(id), options)
  }

  /**
   * Returns the scheduler of this queue app, always the same one. You can declare schedules before the start. Schedules for an existing
   * queue reject with OBSERVED_ONLY.
   */
  createScheduler(): Scheduler<Tasks> {
    return this.#parts.scheduler
  }

  /**
   * Opens broker and result backend, and starts this process's workers and schedules. Idempotent. A failed start closes everything and is
   * final: create a new queue app to try again.
   * @throws STORE_UNREACHABLE, STORE_UNSUITABLE, EMBEDDED_FOLDER_IN_USE, ALREADY_STOPPED; within 5 s
   */
  async start(): Promise<void> {
    this.#refuseWhenStopped()
    this.#starting ??= this.#start()
    return this.#starting
  }

  /** Starts, then resolves after `stop()`. SIGTERM and SIGINT call `stop()`. For processes that only run tasks. */
  async run(): Promise<void> {
    this.#refuseWhenStopped()
    const stop = () => { this.stop().catch(this.#options.onError) }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    try {
      await this.start().catch((error: unknown) => {
        // A stop during the start is not an error.
        if (!isTaskDashboardError(error) || error.code !== 'ALREADY_STOPPED') throw error
      })
      await this.#stopped
    } finally {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
    }
  }

  /**
   * Takes no more work, waits `stopGraceMs` for running executions, hands the rest back to their queues, writes outstanding records and
   * closes everything. Idempotent and final.
   */
  async stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #enqueueAll<Result, Args extends readonly unknown[]>(
    task: unknown, argsOfEach: ReadonlyArray<readonly unknown[]>, options: EnqueueOptions<Args> | undefined,
    placeOf: (index: number) => string
  ): Promise<Array<ExecutionId<Result>>> {
    this.#requireStarted()
    const name = taskNameOf(task)
    const policy = this.#tasks.get(name)?.settings ?? await this.#parts.publishedTask(name)
    if (!policy) throw createTaskDashboardError('TASK_NOT_REGISTERED', [name])
    const requests = argsOfEach.map((args, index) => createEnqueueRequest(name, args, options ?? {}, policy, placeOf(index)))
    requireKeyOfEach(options?.deduplication, requests.length)
    const standingIds = await enqueueAll(requests, this.#parts.enqueue)
    if (options?.deduplication?.onDuplicate === 'reject') refuseDuplicates(requests, standingIds)
    return standingIds as Array<ExecutionId<Result>>
  }

  async #start(): Promise<void> {
    this.#state = 'starting'
    try {
      this.#opening = this.#parts.start()
      await this.#opening
    } catch (error) {
      // Whoever has asked for a stop does not need the server any more.
      const wasStopped = this.#stopping !== undefined
      await this.stop()
      throw wasStopped ? createTaskDashboardError('ALREADY_STOPPED', [], { cause: error }) : error
    }
    this.#refuseWhenStopped()
    this.#state = 'started'
  }

  async #stop(): Promise<void> {
    this.#state = 'stopping'
    this.#parts.abortStart()
    // Stores that are still opening cannot be closed.
    await this.#opening?.catch(() => {})
    await this.#parts.stop(this.#options.stopGraceMs)
    this.#state = 'stopped'
    this.#resolveStopped()
  }

  #declared(name: string): TaskOptions | undefined {
    return Object.hasOwn(this.#options.tasks, name) ? this.#options.tasks[name] : undefined
  }

  #requireStarted(): void {
    this.#refuseWhenStopped()
    if (this.#state !== 'started') throw createTaskDashboardError('NOT_STARTED')
  }

  #refuseWhenStopped(): void {
    if (this.#stopping) throw createTaskDashboardError('ALREADY_STOPPED')
  }
}

/** A bundler renames a class that refers to itself by name, and its users would see the new name. */
const Own = QueueApp
