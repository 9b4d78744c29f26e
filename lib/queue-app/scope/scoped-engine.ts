import type { Engine } from '../../engine/engine.ts'
import { needsArgs } from '../../engine/in-flight/in-flight-order.ts'
import type { RelatedJob } from '../../engine/observing/relations/job-facts.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Scope } from './scope.ts'

/** The calls of the engine that dashboards use. */
export type ShownEngine = Pick<
  Engine,
  'queueOf' | 'enqueue' | 'counts' | 'countsExactly' | 'inFlight' | 'find' | 'findMany' | 'cancel' | 'change' | 'queues' | 'pauseQueue' |
  'resumeQueue' | 'limitQueue' | 'requestIdOf' | 'summary' | 'rateLimitedUntil' | 'readFinished' | 'removeFinished' | 'standing' |
  'jobFacts'
>

/** The queues of the tasks in a scope, as if there were no others. Every method is listed, so that a new one is not forgotten here. */
export function engineWithinScope(engine: ShownEngine, { sees }: Scope): ShownEngine {
  const seen = (taskNames: readonly string[]): readonly string[] => taskNames.every(sees) ? taskNames : taskNames.filter(sees)
  // Callers check beforehand whether a task exists. This is the last line of defence.
  const check = (taskName: string): string => {
    if (!sees(taskName)) throw createTaskDashboardError('TASK_NOT_FOUND', [taskName])
    return taskName
  }
  return {
    queueOf: engine.queueOf,
    async enqueue(requests) {
      for (const { taskName } of requests) check(taskName)
      return engine.enqueue(requests)
    },
    counts: async taskNames => engine.counts(seen(taskNames)),
    ...engine.countsExactly && { countsExactly: taskNames => engine.countsExactly!(seen(taskNames)) },
    // A job with a name that was not known before may belong to a task that the caller could not list.
    async inFlight(query) {
      const page = await engine.inFlight({
        ...query,
        taskNames: seen(query.taskNames),
        isWanted: (execution, args) => sees(execution.taskName) && query.isWanted?.(execution, args) !== false,
        needsArgs: execution => sees(execution.taskName) && needsArgs(execution, query)
      })
      // If a queue's second job name appears on a page, the jobs before it also get tasks of their own.
      const executions = page.executions.filter(({ taskName }) => sees(taskName))
      return { ...page, executions, after: count => page.after(page.executions.indexOf(executions[count - 1]!) + 1) }
    },
    async find(taskNames, executionId) {
      const found = await engine.find(seen(taskNames), executionId)
      return found !== null && sees(found.taskName) ? found : null
    },
    async findMany(taskNames, executionIds) {
      return (await engine.findMany(seen(taskNames), executionIds)).filter(({ taskName }) => sees(taskName))
    },
    async standing(taskNames, executionId) {
      const standing = await engine.standing(seen(taskNames), executionId)
      return standing !== null && sees(standing.execution.taskName) ? standing : null
    },
    ...engine.jobFacts && {
      async jobFacts(taskNames, executionId) {
        const facts = await engine.jobFacts!(seen(taskNames), executionId)
        if (facts === null || !sees(facts.taskName)) return null
        // A queue that is not observed is not a task that anybody may see.
        const isSeen = ({ taskName }: RelatedJob): boolean => taskName !== null && sees(taskName)
        const { parent, children, childrenLeft } = facts
        return {
          ...facts, parent: parent !== null && isSeen(parent) ? parent : null, children: children && children.filter(isSeen),
          // It is not known how many of the children that were not read are hidden.
          childrenLeft: childrenLeft === 0 ? 0 : null
        }
      }
    },
    cancel: async (taskName, ...rest) => engine.cancel(check(taskName), ...rest),
    change: async (taskName, ...rest) => engine.change(check(taskName), ...rest),
    queues: async taskNames => engine.queues(seen(taskNames)),
    pauseQueue: async (taskName, request) => engine.pauseQueue(check(taskName), request),
    resumeQueue: async taskName => engine.resumeQueue(check(taskName)),
    limitQueue: async (taskName, request) => engine.limitQueue(check(taskName), request),
    requestIdOf: async (taskName, executionId) => engine.requestIdOf(check(taskName), executionId),
    summary: async taskNames => engine.summary(seen(taskNames)),
    rateLimitedUntil: async limits => engine.rateLimitedUntil(limits.filter(({ taskName }) => sees(taskName))),
    readFinished: references => engine.readFinished(references.filter(({ taskName }) => sees(taskName))),
    async removeFinished(references, beforeMs) {
      for (const { taskName } of references) check(taskName)
      return engine.removeFinished(references, beforeMs)
    }
  }
}
