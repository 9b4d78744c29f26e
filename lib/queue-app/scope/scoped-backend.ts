import { emptyPage } from '../../backend/listing/empty-page.ts'
import type { WholeOf } from '../../backend/counting/tally.ts'
import type { KeptHistory, ResultBackend } from '../../backend/result-backend.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution } from '../../execution.ts'
import type { Scope } from './scope.ts'
import { createScopedFailureGroups } from './scoped-failure-groups.ts'

/** The calls that dashboards use. Upkeep has no scope. */
export type ShownBackend = Pick<
  ResultBackend,
  'supports' | 'find' | 'findMany' | 'attemptsOf' | 'retriesOf' | 'list' | 'totals' | 'taskTotals' | 'scheduleTotals' | 'forgetSchedule' |
  'windowByTask' | 'hoursByTask' | 'rollups' | 'failureGroups' | 'decideFailureGroup' | 'kept' | 'record' | 'missing' | 'deleteExecutions'
>

/**
 * The history of the tasks in a scope, as if there were no others.
 * @param historyNames the names of all tasks that may have a history
 */
export function withinScope(backend: ShownBackend, { sees }: Scope, historyNames: () => Promise<Iterable<string>>): ShownBackend {
  const seen = (execution: Pick<Execution, 'taskName'>): boolean => sees(execution.taskName)
  let reading: Promise<string[]> | undefined
  const namesSeen = (): Promise<string[]> => reading ??= historyNames().then(names => Array.from(names).filter(sees))
  const failureGroups = createScopedFailureGroups(backend, namesSeen)

  /** @param asked undefined: all tasks */
  async function ofScope<Answer>(
    nothing: Answer, asked: readonly string[] | undefined, read: (taskNames: readonly string[]) => Promise<Answer>
  ): Promise<Answer> {
    const taskNames = asked?.filter(sees) ?? await namesSeen()
    return taskNames.length === 0 ? nothing : read(taskNames)
  }

  const find: ResultBackend['find'] = async executionId => {
    const found = await backend.find(executionId)
    return found && seen(found) ? found : null
  }

  return {
    supports: backend.supports,
    find,
    // Callers have found the execution in the broker, in a queue that they see.
    attemptsOf: executionId => backend.attemptsOf(executionId),
    async findMany(executionIds, options) { return (await backend.findMany(executionIds, options)).filter(seen) },
    async retriesOf(executionId) { return (await backend.retriesOf(executionId)).filter(seen) },
    async list(query) {
      if (query.taskName !== undefined) return sees(query.taskName) ? backend.list(query) : emptyPage()
      return ofScope(emptyPage(), query.taskNames, taskNames => backend.list({ ...query, taskNames }))
    },
    async totals() {
      const [totals, { since }] = await Promise.all([taskTotals(), backend.totals()])
      let [success, failed] = [0, 0]
      for (const total of totals.values()) [success, failed] = [success + total.success, failed + total.failed]
      return { success, failed, since }
    },
    taskTotals,
    // Callers name schedules that they see.
    scheduleTotals: scheduleIds => backend.scheduleTotals(scheduleIds),
    forgetSchedule: scheduleId => backend.forgetSchedule(scheduleId),
    async windowByTask(fromMs, toMs, wholeOf) {
      return onlySeen(await backend.windowByTask(fromMs, toMs, wholeOf && ofSeen(wholeOf)))
    },
    async hoursByTask(fromMs, toMs, wholeOf) {
      return onlySeen(await backend.hoursByTask(fromMs, toMs, wholeOf && ofSeen(wholeOf)))
    },
    async rollups(query) {
      if (query.taskName !== undefined) return sees(query.taskName) ? backend.rollups(query) : []
      return ofScope([], query.taskNames, taskNames => backend.rollups({ ...query, taskNames }))
    },
    failureGroups: failureGroups.list,
    decideFailureGroup: failureGroups.decide,
    async kept() {
      // The time up to which executions were pruned is known only for all tasks together, so it could reveal something about other tasks.
      return { ...await ofScope(NOTHING_KEPT, undefined, taskNames => backend.kept(taskNames)), prunedBefore: null }
    },
    async record(executions, options) {
      if (!executions.every(seen)) throw createTaskDashboardError('EXECUTION_NOT_FOUND', [executions[0]!.executionId])
      return backend.record(executions, options)
    },
    missing,
    async deleteExecutions(executionIds) {
      const hidden = new Set(await missing(executionIds))
      return backend.deleteExecutions(executionIds.filter(executionId => !hidden.has(executionId)))
    }
  }

  /** Only what can be found in the scope is not missing. An id that is merely remembered has no known task, so it counts as missing. */
  async function missing(executionIds: readonly string[]): Promise<string[]> {
    const found = await Promise.all(executionIds.map(async executionId => await find(executionId) !== null))
    return executionIds.filter((_, index) => !found[index])
  }

  async function taskTotals() {
    return onlySeen(await backend.taskTotals())
  }

  /** A part that is not visible is not counted anywhere. */
  function ofSeen(wholeOf: WholeOf): WholeOf {
    return taskName => sees(taskName) ? wholeOf(taskName) : null
  }

  function onlySeen<Value>(byTask: ReadonlyMap<string, Value>): Map<string, Value> {
    return new Map([...byTask].filter(([taskName]) => sees(taskName)))
  }
}

const NOTHING_KEPT: KeptHistory = {
  success: { count: 0, oldestFinishedAt: null }, failed: { count: 0, oldestFinishedAt: null }, prunedBefore: null
}
