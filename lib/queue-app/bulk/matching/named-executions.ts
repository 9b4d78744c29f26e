import type { ResultBackend } from '../../../backend/result-backend.ts'
import { inChunks } from '../../../collections/in-chunks.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Execution } from '../../../execution.ts'
import { isWithin, type ExecutionFilter } from '../../monitoring/executions/execution-filter.ts'

interface NamedDependencies {
  /** Reads are as shown in the dashboard: redacted. */
  readonly engine: Pick<Engine, 'findMany' | 'find'>
  readonly backend: Pick<ResultBackend, 'findMany'>
}

/**
 * How many executions are read with their arguments at a time. Each can have hundreds of kilobytes in the history, and megabytes in the
 * broker.
 */
const WHOLE_AT_A_TIME = 10
const WHOLE_OF_BROKER_AT_A_TIME = 2

/** Looks up executions by id, at most 200. Arguments are read only if a search needs them. */
export function createNamedExecutions({ engine, backend }: NamedDependencies) {
  return {
    /**
     * The executions that the history or the queues of these tasks have, in the order of the ids. An unknown id costs no more than a known
     * one.
     */
    async find(executionIds: readonly string[], taskNames: readonly string[]): Promise<Execution[]> {
      const found = new Map<string, Execution>()
      const add = (execution: Execution): void => { found.set(execution.executionId, execution) }
      const readHistory = async (ids: readonly string[]): Promise<void> =>
        (ids.length === 0 ? [] : await backend.findMany(ids, { payloads: false })).forEach(add)
      await readHistory(executionIds)
      const left = executionIds.filter(id => !found.has(id))
      if (left.length > 0) {
        for (const execution of await engine.findMany(taskNames, left)) if (!found.has(execution.executionId)) add(execution)
        // An execution that finished between the two reads is in the history by now, and the broker may have dropped it.
        await readHistory(left.filter(id => found.get(id)?.finishedAt !== null))
      }
      return executionIds.flatMap(id => found.get(id) ?? [])
    },

    /** The executions that match. */
    async within(filter: ExecutionFilter, executions: readonly Execution[]): Promise<Execution[]> {
      const [{ text }, likely] = [filter, executions.filter(each => isWithin({ ...filter, text: [] }, each, null))]
      if (text.length === 0) return likely
      const matching = new Set<string>()
      const check = (whole: Awaited<ReturnType<Engine['find']>>): void => {
        if (whole !== null && isWithin(filter, whole, whole.args)) matching.add(whole.executionId)
      }
      const isInHistory = ({ finishedAt }: Execution): boolean => finishedAt !== null
      for (const chunk of inChunks(likely.filter(isInHistory), WHOLE_AT_A_TIME))
        (await backend.findMany(chunk.map(each => each.executionId))).forEach(check)
      await inTurns(likely.filter(each => !isInHistory(each)), async ({ executionId, taskName }) =>
        check(await engine.find([taskName], executionId)), WHOLE_OF_BROKER_AT_A_TIME)
      return likely.filter(each => matching.has(each.executionId))
    },

    /** The same executions; those that have not finished are read again, with progress and error. */
    async shown(executions: readonly Execution[]): Promise<Execution[]> {
      const shown = new Map<Execution, Execution>()
      await inTurns(executions.filter(each => each.finishedAt === null), async execution => {
        const found = await engine.find([execution.taskName], execution.executionId)
        if (found !== null) shown.set(execution, found)
      }, WHOLE_OF_BROKER_AT_A_TIME)
      return executions.map(each => shown.get(each) ?? each)
    }
  }
}
