import type { Engine } from '../../engine/engine.ts'
import { createCombinedInFlight } from './combined-in-flight.ts'
import { readBoth } from './either.ts'
import { split, type TasksOfExistingQueues } from './tasks-of-existing-queues.ts'

/**
 * The calls of an engine that a queue app uses for dashboards and bulk operations. Running and keeping the app's own tasks uses its own
 * engine directly.
 */
export type CombinedEngine = Omit<
  Engine,
  'start' | 'stop' | 'work' | 'indexQueues' | 'finishedSince' | 'newestFinished' | 'finishedBefore' | 'upsertScheduler' |
  'removeScheduler' | 'planSchedulerAnew' | 'listSchedulers' | 'standingAsDefined' | 'onReconnect'
>

/**
 * Combines the engine of the app's own tasks with that of existing queues. Each call goes to the engine that has the task, or to both.
 * While the broker of one is down, the counts of the other are still returned, and unknown ones are left out.
 */
export function createCombinedEngine(own: CombinedEngine, others: CombinedEngine, tasks: TasksOfExistingQueues): CombinedEngine {
  const ofTask = (taskName: string): CombinedEngine => tasks.has(taskName) ? others : own
  const ofExecution = (executionId: string): CombinedEngine => tasks.hasExecution(executionId) ? others : own
  const namesFor = (engine: CombinedEngine, taskNames: readonly string[]): string[] => split(taskNames, tasks.has)[whose(engine)]
  const whose = (engine: CombinedEngine): 'own' | 'others' => engine === own ? 'own' : 'others'

  /** Reads from both engines; null for one that is out of reach. */
  async function ofBoth<Item, Value>(
    items: readonly Item[], nameOf: (item: Item) => string, read: (engine: CombinedEngine, items: readonly Item[]) => Promise<Value>
  ): Promise<{ readonly own: Value | null; readonly others: Value | null; readonly isAll: boolean }> {
    const parts = split(items, item => tasks.has(nameOf(item)))
    const asked = [parts.own.length > 0, parts.others.length > 0] as const
    const found = await readBoth(
      asked[0] || !asked[1] ? () => read(own, parts.own) : null, asked[1] ? () => read(others, parts.others) : null
    )
    return { ...found, isAll: (!asked[0] || found.own !== null) && (!asked[1] || found.others !== null) }
  }

  const itself = (taskName: string): string => taskName

  return {
    queueOf: taskName => ofTask(taskName).queueOf(taskName),
    gentleBatch: own.gentleBatch,
    async enqueue(requests) {
      const parts = split(requests, ({ taskName }) => tasks.has(taskName))
      if (parts.others.length > 0) return others.enqueue(parts.others)
      return own.enqueue(requests)
    },
    async counts(taskNames) {
      const found = await ofBoth(taskNames, itself, (engine, names) => engine.counts(names))
      return new Map([...found.own ?? [], ...found.others ?? []])
    },
    countsExactly: taskNames => [own, others].every(engine => engine.countsExactly?.(namesFor(engine, taskNames)) !== false),
    inFlight: createCombinedInFlight(own, others, tasks.has),
    async find(taskNames, executionId) {
      const engine = ofExecution(executionId)
      return engine.find(namesFor(engine, taskNames), executionId)
    },
    async findMany(taskNames, executionIds) {
      const ids = split(executionIds, tasks.hasExecution)
      const names = split(taskNames, tasks.has)
      const found = await Promise.all([
        ids.own.length === 0 ? [] : own.findMany(names.own, ids.own),
        ids.others.length === 0 ? [] : others.findMany(names.others, ids.others)
      ])
      return found.flat()
    },
    async standing(taskNames, executionId) {
      const engine = ofExecution(executionId)
      return engine.standing(namesFor(engine, taskNames), executionId)
    },
    async jobFacts(taskNames, executionId) {
      const engine = ofExecution(executionId)
      return await engine.jobFacts?.(namesFor(engine, taskNames), executionId) ?? null
    },
    async queues(taskNames) {
      const found = await ofBoth(taskNames, itself, (engine, names) => engine.queues(names))
      return new Map([...found.own ?? [], ...found.others ?? []])
    },
    async summary(taskNames) {
      const found = await ofBoth(taskNames, itself, (engine, names) => engine.summary(names))
      const known = [found.own, found.others].filter(each => each !== null)
      const sum = (field: 'pending' | 'running'): number | null =>
        found.isAll ? known.reduce<number | null>((total, each) => addKnown(total, each[field]), 0) : null
      const ages = known.flatMap(({ oldestPendingMs }) => oldestPendingMs ?? [])
      return { pending: sum('pending'), running: sum('running'), oldestPendingMs: ages.length === 0 ? null : Math.max(...ages) }
    },
    async rateLimitedUntil(limits) {
      const found = await ofBoth(limits, ({ taskName }) => taskName, (engine, ofEngine) => engine.rateLimitedUntil(ofEngine))
      return new Map([...found.own ?? [], ...found.others ?? []])
    },
    async * readFinished(references) {
      const parts = split(references, ({ taskName }) => tasks.has(taskName))
      if (parts.own.length > 0) yield * own.readFinished(parts.own)
      if (parts.others.length > 0) yield * others.readFinished(parts.others)
    },
    async removeFinished(references, beforeMs) {
      const parts = split(references, ({ taskName }) => tasks.has(taskName))
      if (parts.others.length > 0) return others.removeFinished(parts.others, beforeMs)
      return own.removeFinished(references, beforeMs)
    },
    cancel: async (taskName, ...rest) => ofTask(taskName).cancel(taskName, ...rest),
    change: async (taskName, ...rest) => ofTask(taskName).change(taskName, ...rest),
    pauseQueue: async (taskName, request) => ofTask(taskName).pauseQueue(taskName, request),
    resumeQueue: async taskName => ofTask(taskName).resumeQueue(taskName),
    limitQueue: async (taskName, request) => ofTask(taskName).limitQueue(taskName, request),
    requestIdOf: async (taskName, executionId) => ofTask(taskName).requestIdOf(taskName, executionId),
    requestIdsOf: async (taskName, executionIds) => ofTask(taskName).requestIdsOf(taskName, executionIds),
    takeBack: async (taskName, ...rest) => ofTask(taskName).takeBack(taskName, ...rest)
  }
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other
}
