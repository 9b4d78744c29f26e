import { v7 as uuid } from 'uuid'
import { MAX_DELAY_MS, MAX_PRIORITY } from '../../../../schemas/limits.ts'
import type { ResultBackend } from '../../../backend/result-backend.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import { canBeTask, queueTaskOf } from '../../../engine/observing/job-task.ts'
import type { ManagedQueues } from '../../../engine/observing/managing/manage-queues.ts'
import { liveIdOf } from '../../../engine/observing/observed-id.ts'
import type { SchedulerReads } from '../../../engine/observing/schedulers/scheduler-reads.ts'
import { createTaskDashboardError, invalidInput } from '../../../errors.ts'
import type { WriteOperation } from '../../../scheduler/schedules.ts'
import { confirmed } from '../../../stores/failures/unavailable.ts'
import { checkSentArguments } from '../../operations/action-arguments.ts'
import type { Operations, TaskRun } from '../../operations/operations.ts'
import type { JobNames } from '../names/job-names.ts'

export interface RunDependencies {
  readonly managed: Pick<ManagedQueues, 'add'>
  /** Tells whether a queue has a job, and the time of its server. */
  readonly server: Pick<SchedulerReads<SeenQueue>, 'hasJob' | 'now'>
  readonly history: Pick<ResultBackend, 'list'>
  /** Its reads note the names of the jobs. */
  readonly engine: Pick<Engine, 'inFlight'>
  readonly names: Pick<JobNames, 'namesOf'>
  queueOf(taskName: string): SeenQueue | undefined
}

/** How many executions at each end of the list are checked for a name that all have in common. */
const MAX_CHECKED_PER_END = 50

/**
 * Adds a job to an existing queue. For the task of a job name, the job gets that name. For the task of a queue, it gets the only name
 * that the queue's jobs have.
 * @param isKnown whether the caller may know of a task
 */
export function createRunObserved({ managed, server, history, engine, names, queueOf }: RunDependencies) {
  return (isKnown: (taskName: string) => Promise<boolean>): Operations['runTask'] =>
    async (taskName: string, { args = [], priority = 0, delayMs = 0 }: TaskRun = {}, operation?: WriteOperation): Promise<string> => {
      checkRun(args, priority, delayMs)
      const queue = await isKnown(taskName) ? queueOf(queueTaskOf(taskName)) : undefined
      if (queue === undefined) throw createTaskDashboardError('TASK_NOT_FOUND', [taskName])
      const jobId = operation?.id ?? uuid()
      // If the queue has already removed the first job, a repeated request would add it a second time.
      if (operation?.isRepeated === true && !await server.hasJob(queue, jobId)) throw createTaskDashboardError('UNCONFIRMED')
      const name = taskName === queue.taskName ? await usualName(queue.taskName, isKnown) : taskName.slice(queue.taskName.length + 1)
      const now = await server.now(queue)
      const data = JSON.stringify(args.length === 0 ? {} : args[0])
      await confirmed(() => managed.add(queue, { jobId, name, data, now, delayMs, priority }))
      return liveIdOf(queue.taskName, jobId)
    }

  // Checked each time: the first name that was seen may not be the only one. And a name that holds an id or is empty is never noted.
  async function usualName(taskName: string, isKnown: (taskName: string) => Promise<boolean>): Promise<string> {
    const inFlight = await namesInFlight(taskName)
    const known = names.namesOf(taskName)
    if (known.length > 1) {
      const example = await firstKnown(known.map(name => `${taskName}:${name}`), isKnown)
      throw createTaskDashboardError('CONFLICT', [example === null
        ? severalNamesOf(taskName)
        : `The jobs of "${taskName}" have several names: run the task of one of them, such as "${example}"`])
    }
    const { executions } = await history.list({ taskName, text: [], order: 'newest', limit: MAX_CHECKED_PER_END })
    const recorded = executions.flatMap(({ jobName }) => jobName === undefined ? [] : [jobName])
    const seen = [...new Set([...known, ...inFlight, ...recorded])]
    if (seen.length > 1) throw createTaskDashboardError('CONFLICT', [severalNamesOf(taskName)])
    if (seen[0] !== undefined && canBeTask(taskName, seen[0])) return seen[0]
    throw createTaskDashboardError('CONFLICT', [seen.length === 0
      ? `The name of the jobs of "${taskName}" is not known, because none has been seen: only the code that owns the queue can add one`
      : `The jobs of "${taskName}" have no name to use again, only an id, a long one or none: only the code that owns the queue can ` +
        'add one'])
  }

  /** The names of the newest and the oldest jobs. '' for a job without a name, or with a name that is too long to be read. */
  async function namesInFlight(taskName: string): Promise<string[]> {
    const read = (order: 'newest' | 'oldest') =>
      engine.inFlight({ taskNames: [taskName], needsArgs: () => false, order, limit: MAX_CHECKED_PER_END })
    const newest = await read('newest')
    const oldest = newest.next === null ? [] : (await read('oldest')).executions
    return [...newest.executions, ...oldest].map(({ jobName = '' }) => jobName)
  }
}

async function firstKnown(taskNames: readonly string[], isKnown: (taskName: string) => Promise<boolean>): Promise<string | null> {
  for (const taskName of taskNames) if (await isKnown(taskName)) return taskName
  return null
}

function severalNamesOf(taskName: string): string {
  return `The jobs of "${taskName}" have several names, so it is not known which one to add`
}

function checkRun(args: readonly unknown[], priority: number, delayMs: number): void {
  checkSentArguments(args)
  if (args.length > 1) throw invalidInput('/args', 'must have one item, the data of the job, or none')
  if (!Number.isInteger(priority) || priority < 0 || priority > MAX_PRIORITY)
    throw invalidInput('/priority', `must be a whole number from 0 to ${MAX_PRIORITY}`)
  if (!Number.isInteger(delayMs) || delayMs < 0 || delayMs > MAX_DELAY_MS)
    throw invalidInput('/delay_ms', `must be a whole number from 0 to ${MAX_DELAY_MS}`)
}
