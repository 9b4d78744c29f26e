import type { Engine } from '../../../engine/engine.ts'
import { needsArgs } from '../../../engine/in-flight/in-flight-order.ts'
import { queueTaskOf } from '../../../engine/observing/job-task.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { RelatedJob } from '../../../engine/observing/relations/job-facts.ts'
import type { Execution } from '../../../execution.ts'
import type { JobNames } from './job-names.ts'

/** What a caller requests: tasks of queues, or of the names of their jobs. */
interface Selection {
  readonly queues: readonly string[]
  /** Whether each of these queues is requested with all its names. */
  readonly isWhole: boolean
  has(execution: Pick<Execution, 'taskName'>): boolean
}

/**
 * Adds the tasks of job names to the engine of observed queues, which only knows queues. BullMQ counts by queue only. So waiting and
 * running jobs are counted for the task of the queue, and their number is unknown for the tasks of names. A queue can only be paused as a
 * whole.
 */
export function withJobNames(engine: Engine, names: JobNames): Engine {
  const isQueue = (taskName: string): boolean => queueTaskOf(taskName) === taskName

  function named<Found extends Execution>(execution: Found): Found {
    return { ...execution, taskName: names.taskOf(execution.taskName, execution.jobName) }
  }

  function select(taskNames: readonly string[]): Selection {
    const wanted = new Set(taskNames)
    const queues = [...new Set(taskNames.map(queueTaskOf))]
    // If a queue is requested with all its names, a name that is seen for the first time now also belongs to the request.
    const hasAllOf = (queue: string): boolean => names.tasksOf(queue).every(({ taskName }) => wanted.has(taskName))
    const whole = new Set(queues.filter(queue => wanted.has(queue) && hasAllOf(queue)))
    return {
      queues, isWhole: whole.size === queues.length,
      has: ({ taskName }) => wanted.has(taskName) || whole.has(queueTaskOf(taskName))
    }
  }

  function ofQueue(taskName: string): string {
    if (!isQueue(taskName)) throw createTaskDashboardError('QUEUE_NOT_FOUND', [taskName])
    return taskName
  }

  return {
    ...engine,
    queueOf: taskName => engine.queueOf(queueTaskOf(taskName)),
    counts: taskNames => engine.counts(taskNames.filter(isQueue)),
    countsExactly: taskNames => select(taskNames).isWhole,
    queues: taskNames => engine.queues(taskNames.filter(isQueue)),
    async summary(taskNames) {
      const queues = taskNames.filter(isQueue)
      const known = new Set(queues)
      const summary = await engine.summary(queues)
      return taskNames.every(name => known.has(queueTaskOf(name))) ? summary : { ...summary, pending: null, running: null }
    },
    async inFlight(query) {
      const { queues, has } = select(query.taskNames)
      const page = await engine.inFlight({
        ...query,
        taskNames: queues,
        isWanted(execution, args) {
          const shown = named(execution)
          return has(shown) && query.isWanted?.(shown, args) !== false
        },
        needsArgs: execution => has(named(execution)) && needsArgs(named(execution), query)
      })
      return { ...page, executions: page.executions.map(named) }
    },
    async find(taskNames, executionId) {
      const { queues, has } = select(taskNames)
      const found = await engine.find(queues, executionId)
      const shown = found && named(found)
      return shown !== null && has(shown) ? shown : null
    },
    async findMany(taskNames, executionIds) {
      const { queues, has } = select(taskNames)
      return (await engine.findMany(queues, executionIds)).map(named).filter(has)
    },
    async standing(taskNames, executionId) {
      const { queues, has } = select(taskNames)
      const standing = await engine.standing(queues, executionId)
      const shown = standing && { ...standing, execution: named(standing.execution) }
      return shown !== null && has(shown.execution) ? shown : null
    },
    ...engine.jobFacts && {
      async jobFacts(taskNames, executionId) {
        const { queues, has } = select(taskNames)
        const facts = await engine.jobFacts!(queues, executionId)
        if (facts === null) return null
        const taskOf = ({ taskName, jobName }: RelatedJob): string | null => taskName && names.taskOf(taskName, jobName ?? undefined)
        const shown = {
          ...facts, taskName: names.taskOf(facts.taskName, facts.jobName),
          parent: facts.parent && { ...facts.parent, taskName: taskOf(facts.parent) },
          children: facts.children && facts.children.map(child => ({ ...child, taskName: taskOf(child) }))
        }
        return has(shown) ? shown : null
      }
    },
    pauseQueue: async (taskName, request) => engine.pauseQueue(ofQueue(taskName), request),
    resumeQueue: async taskName => engine.resumeQueue(ofQueue(taskName))
  }
}
