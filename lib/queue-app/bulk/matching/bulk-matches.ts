import type { FailureGroup, FailureGroupPosition, FinishedPosition, ResultBackend } from '../../../backend/result-backend.ts'
import { NO_GROUPS } from '../../../backend/counting/failure-hours.ts'
import { inTurns } from '../../../collections/in-turns.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { TaskDashboardError } from '../../../errors.ts'
import type { Execution } from '../../../execution.ts'
import { isCounted } from '../../monitoring/executions/is-counted.ts'
import { isWithin, lastChangeOf } from '../../monitoring/executions/execution-filter.ts'
import { inFlightStatus, isBeyondCounts, sourcesWanted } from '../../monitoring/executions/execution-sources.ts'
import { MAX_TASKS_PER_GROUP, MAX_BULK_SAMPLE } from '../../../../schemas/limits.ts'
import type { BulkCount } from '../bulk.ts'
import { ofTasks, ONLY_ITSELF, type Covered } from '../../tasks/parts-of-tasks.ts'
import { WORKS_ON } from './bulk-filter.ts'
import { taskNameAt, type BulkPosition, type PlannedItem, type TaskIndex } from '../bulk-records.ts'
import { finishedFilter, namedIn, ofAnyTask, type NextItems, type Wanted } from './bulk-wanted.ts'
import { isBrokerAway } from '../bulk-waiting.ts'
import { createNamedExecutions } from './named-executions.ts'
import { lookUpApart, type LookedUp } from './look-up-apart.ts'
import { createNextNamed } from './next-named.ts'

interface MatchesDependencies {
  readonly engine: Pick<Engine, 'inFlight' | 'counts' | 'countsExactly'> & Parameters<typeof createNamedExecutions>[0]['engine']
  readonly backend: Pick<ResultBackend, 'list' | 'failureGroups' | 'find'> & Parameters<typeof createNamedExecutions>[0]['backend']
  /** Default: each task covers only itself. */
  readonly covered?: Covered | undefined
  /** Whether a task is an existing queue, where running executions cannot be cancelled. Default: none is. */
  readonly isOthers?: (taskName: string) => boolean
  /** The server of the queue of a task. Default: all have the same. */
  readonly serverOf?: (taskName: string) => object | undefined
  /** Whether that server responds. Never rejects. Default: it does. */
  readonly answers?: (taskName: string) => Promise<boolean>
}

/** Limits of one step: the number of reads, and their time. */
const MAX_READS_PER_STEP = 20
const MAX_READING_MS = 500
/** Redis is blocked during a read: 500 rows take 2 ms. */
const ROWS_PER_READ = 100
/**
 * A read can miss a pending execution that starts during it, and also executions listed behind others that are cancelled during it: about
 * half of them in each pass. So a task is read again until nothing new is found. The limit is for executions that cannot be cancelled and
 * are found each time.
 */
const MAX_PASSES = 40
const GROUPS_PER_PAGE = 200
const ASKED_AT_ONCE = 100

interface FlightMark { readonly pass: number; readonly found: boolean; readonly cursor: string | null }

/** Counts, shows and reads what an operation touches. Tasks take turns. */
export function createBulkMatches(dependencies: MatchesDependencies) {
  const { engine, backend, covered = ONLY_ITSELF } = dependencies
  const { isOthers = () => false, serverOf = () => undefined, answers = async () => true } = dependencies
  const named = createNamedExecutions({ engine, backend })
  const nextNamed = createNextNamed({ lookUp, serverOf })
  /** Each lookup is made once, because a dry run counts and shows the same executions. */
  const lookedUp = new WeakMap<Wanted, Promise<LookedUp>>()

  return {
    /** The executions with these ids, in the history or in the queues of these tasks. */
    existing: (executionIds: readonly string[], taskNames: readonly string[]): Promise<LookedUp> =>
      lookUpApart(executionIds, serverOf, ofServer => named.find(ofServer, taskNames)),

    /** The executions that the filter lists, if they match. Null if it lists none. */
    async named(wanted: Wanted): Promise<LookedUp | null> {
      const ids = namedIn(wanted)
      return ids && lookUpOnce(wanted, ids)
    },

    async count(wanted: Wanted): Promise<BulkCount> {
      const { action, filter, taskNames } = wanted
      if (filter === null || taskNames.length === 0) return NONE
      const ids = namedIn(wanted)
      if (ids !== null) {
        const { executions, unread } = await lookUpOnce(wanted, ids)
        return { value: executions.length, relation: unread.length === 0 ? 'exact' : 'at_least' }
      }
      if (WORKS_ON[action] === 'groups') return await countGroups(wanted)
      if (WORKS_ON[action] === 'inFlight') return await countInFlight(wanted)
      const { total } = await backend.list({ ...finishedFilter(wanted), order: 'newest', limit: 1 })
      return { value: total.value, relation: total.relation }
    },

    /** The newest matches. */
    async sample(wanted: Wanted): Promise<Execution[]> {
      const { action, filter, taskNames } = wanted
      if (filter === null || taskNames.length === 0) return []
      const ids = namedIn(wanted)
      if (ids !== null) {
        const { executions } = await lookUpOnce(wanted, ids)
        return await named.shown(executions.toSorted((one, other) => lastChangeOf(other) - lastChangeOf(one)).slice(0, MAX_BULK_SAMPLE))
      }
      if (WORKS_ON[action] === 'groups') {
        const { groups } = await ownGroups(wanted, null, MAX_BULK_SAMPLE)
        const found = await Promise.all(groups.slice(0, MAX_BULK_SAMPLE).map(group => backend.find(group.lastExecutionId)))
        return found.filter(execution => execution !== null)
      }
      if (WORKS_ON[action] === 'inFlight') {
        if (!sourcesWanted(filter).includes('inFlight')) return []
        const { executions } = await engine.inFlight({ ...flightQuery(wanted, taskNames), limit: MAX_BULK_SAMPLE })
        return executions
      }
      return (await backend.list({ ...finishedFilter(wanted), order: 'newest', limit: MAX_BULK_SAMPLE })).executions
    },

    /**
     * The next items, at most `limit`.
     * @param passesOver whether tasks whose server is down are skipped for now. Default: such an error is thrown
     */
    async next(wanted: Wanted, position: BulkPosition, limit: number, passesOver = false): Promise<NextItems> {
      if (wanted.filter === null) return { items: [], position, isEnd: true }
      const ids = namedIn(wanted)
      if (ids !== null) return await nextNamed(wanted, ids, position, limit, passesOver)
      const next = WORKS_ON[wanted.action] === 'groups' ? nextGroups : nextExecutions
      return await next(wanted, position, limit, passesOver)
    }
  }

  async function nextExecutions(
    wanted: Wanted, { unread, open }: BulkPosition, limit: number, passesOver: boolean
  ): Promise<NextItems> {
    const { taskNames, action } = wanted
    const nameOf = (task: TaskIndex): string => taskNameAt(taskNames, task)
    const turns = [...open]
    // Tasks to read again after this step. Reading them earlier would find the same executions.
    const later: Array<readonly [task: TaskIndex, mark: unknown]> = []
    const items: PlannedItem[] = []
    const away = new Map<object | undefined, TaskDashboardError>()
    let isAnswered = false
    let until = performance.now() + MAX_READING_MS
    for (let reads = 0; reads < MAX_READS_PER_STEP && items.length < limit && performance.now() < until;) {
      const left = turns.length + taskNames.length - unread
      if (left === 0) break
      // Tasks that have not had a turn come first.
      const [task, mark] = unread < taskNames.length ? [unread++, null] as const : turns.shift()!
      const share = Math.min(limit - items.length, Math.max(1, Math.ceil(limit / Math.min(left, MAX_READS_PER_STEP / 2))))
      if (away.has(serverOf(nameOf(task)))) {
        later.push([task, mark])
        continue
      }
      reads++
      const read = WORKS_ON[action] === 'inFlight' ? readInFlight : readFinished
      const begun = performance.now()
      const page = await read(wanted, nameOf(task), mark, share).catch(async (error: unknown) => {
        if (!passesOver || !isBrokerAway(error)) throw error
        away.set(serverOf(nameOf(task)), error)
        const ahead = [...taskNames.slice(unread), ...turns.map(([at]) => nameOf(at))].filter(name => !away.has(serverOf(name)))
        for (const server of await silentAmong(ahead)) away.set(server, error)
        // The time that this took does not count for the others.
        until += performance.now() - begun
        later.push([task, mark])
      })
      if (page === undefined) continue
      isAnswered = true
      items.push(...page.ids.map(id => [id, task] as const))
      if (page.mark !== null) (page.isPassOver ? later : turns).push([task, page.mark])
    }
    const left = [...turns, ...later]
    const isUnread = unread < taskNames.length
    return {
      items, position: { unread, open: left }, isEnd: left.length === 0 && !isUnread,
      goesOn: isAnswered && (isUnread || turns.some(([task]) => !away.has(serverOf(nameOf(task))))),
      ...away.size > 0 && { away: [...away.values()][0]! }
    }
  }

  /** Many parts of a cluster may stop responding at once. Checking them in parallel takes no longer than checking one of them. */
  async function silentAmong(taskNames: readonly string[]): Promise<object[]> {
    const byServer = new Map(taskNames.flatMap(name => {
      const server = serverOf(name)
      return server === undefined ? [] : [[server, name] as const]
    }))
    const asked = [...byServer].slice(0, ASKED_AT_ONCE)
    const silent = await Promise.all(asked.map(async ([server, name]) => await answers(name) ? [] : [server]))
    return silent.flat()
  }

  async function readFinished(wanted: Wanted, taskName: string, mark: unknown, limit: number): Promise<ReadTask> {
    const { executions, next } = await backend.list({
      ...finishedFilter(wanted, taskName), order: 'oldest', limit: Math.min(limit, ROWS_PER_READ),
      ...mark !== null && { after: mark as FinishedPosition }
    })
    return { ids: executions.map(({ executionId }) => executionId), mark: next }
  }

  async function readInFlight(wanted: Wanted, taskName: string, mark: unknown, limit: number): Promise<ReadTask> {
    if (!sourcesWanted(wanted.filter!).includes('inFlight')) return { ids: [], mark: null }
    const { pass, found, cursor } = mark as FlightMark | null ?? { pass: 1, found: false, cursor: null }
    // An existing queue whose jobs have got a second name since is now several tasks. Its jobs were still requested.
    const since = wanted.isAllTasks ? covered(taskName).filter(name => !wanted.taskNames.includes(name)) : []
    const { executions, next } = await engine.inFlight({
      ...flightQuery(wanted, [taskName, ...since]), limit, ...cursor !== null && { cursor }
    })
    const hasFound = found || executions.length > 0
    const again: FlightMark | null = next !== null
      ? { pass, found: hasFound, cursor: next }
      : hasFound && pass < MAX_PASSES ? { pass: pass + 1, found: false, cursor: null } : null
    return { ids: executions.map(({ executionId }) => executionId), mark: again, isPassOver: next === null }
  }

  async function nextGroups(wanted: Wanted, { open }: BulkPosition, limit: number): Promise<NextItems> {
    const after = open[0]?.[1] as FailureGroupPosition | undefined
    const { groups, next } = await ownGroups(wanted, after ?? null, Math.min(limit, GROUPS_PER_PAGE))
    return {
      items: groups.map(({ errorGroup }) => [errorGroup, null]), position: { unread: 0, open: next === null ? [] : [[null, next]] },
      isEnd: next === null
    }
  }

  /** Leaves out groups that are newer. Also leaves out groups that other tasks share, because a group is resolved for all of its tasks. */
  async function ownGroups({ filter, before, taskNames, isAllTasks }: Wanted, after: FailureGroupPosition | null, limit: number) {
    const { from, to, errorGroup, taskName } = filter!
    const frozen = new Set(taskNames)
    const ofTask = taskName === undefined ? null : covered(taskName).filter(name => frozen.has(name))
    if (ofTask?.length === 0) return NO_GROUPS
    const page = await backend.failureGroups({
      state: 'open', limit, ...from !== undefined && { from }, ...to !== undefined && { to }, ...errorGroup !== undefined && { errorGroup },
      ...after !== null && { after }, ...taskName !== undefined ? ofTasks(taskName, ofTask!) : !isAllTasks && { taskNames }
    })
    const likely = page.groups.filter(({ isShared, tasks, firstSeenAt }) => !isShared && firstSeenAt < before &&
      tasks.every(task => frozen.has(task.taskName)))
    const hidden = new Set<FailureGroup>()
    // The list of a group's tasks is cut off at this length. Check whether there are more.
    await inTurns(likely.filter(({ tasks }) => tasks.length >= MAX_TASKS_PER_GROUP), async group => {
      const { groups: [own] } = await backend.failureGroups({ errorGroup: group.errorGroup, taskNames, limit: 1 })
      if (own === undefined || own.isShared) hidden.add(group)
    }, 2)
    return { ...page, groups: likely.filter(group => !hidden.has(group)) }
  }

  async function countGroups(wanted: Wanted): Promise<BulkCount> {
    const { groups, next, total } = await ownGroups(wanted, null, GROUPS_PER_PAGE)
    if (next === null) return { value: groups.length, relation: 'exact' }
    return wanted.isAllTasks ? { value: total.value, relation: total.relation } : { value: groups.length, relation: 'at_least' }
  }

  async function countInFlight(wanted: Wanted): Promise<BulkCount> {
    const filter = wanted.filter!
    if (!sourcesWanted(filter).includes('inFlight')) return NONE
    if (isBeyondCounts(filter) || engine.countsExactly?.(wanted.taskNames) === false) {
      const { executions, next, lost } = await engine.inFlight({ ...flightQuery(wanted, wanted.taskNames), limit: 1_000 })
      return { value: executions.length, relation: next === null && lost === undefined ? 'exact' : 'at_least' }
    }
    const status = inFlightStatus(filter)
    let value = 0
    const counts = await engine.counts(wanted.taskNames)
    for (const [name, { pending, running }] of counts) {
      const cancellable = isOthers(name) ? 0 : running
      value += status === undefined ? pending + cancellable : status === 'pending' ? pending : cancellable
    }
    return { value, relation: isCounted(wanted.taskNames, counts) ? 'exact' : 'at_least' }
  }

  /** Newest first, because BullMQ then finds each execution to cancel near the head of its list. */
  function flightQuery({ filter, before }: Wanted, taskNames: readonly string[]) {
    const { scheduleId, from, to, text } = filter!
    const status = inFlightStatus(filter!)
    return {
      taskNames, order: 'newest' as const,
      ...status !== undefined && { status }, ...scheduleId !== undefined && { scheduleId }, ...from !== undefined && { from },
      ...to !== undefined && { to },
      isWanted: (execution: Execution, args: readonly unknown[] | null | undefined) => execution.submittedAt < before &&
        execution.cancellation === undefined && !(execution.status === 'running' && isOthers(execution.taskName)) &&
        isWithin(ofAnyTask(filter!), execution, args ?? null),
      needsArgs: () => text.length > 0
    }
  }

  function lookUpOnce(wanted: Wanted, ids: readonly string[]): Promise<LookedUp> {
    const found = lookedUp.get(wanted) ?? lookUpApart(ids, serverOf, ofServer => lookUp(wanted, ofServer))
    lookedUp.set(wanted, found)
    return found
  }

  /**
   * Looks up listed executions. Their finish times are not compared with `before`: a listed execution is meant, whatever its worker's clock
   * said.
   */
  async function lookUp({ action, filter, taskNames }: Wanted, executionIds: readonly string[]): Promise<Execution[]> {
    const tasks = new Set(taskNames)
    const source = WORKS_ON[action]
    const fits = (found: Execution): boolean => tasks.has(found.taskName) && (source === 'inFlight'
      ? found.finishedAt === null
      : found.finishedAt !== null && (source === 'finished' || found.status === 'failed'))
    return await named.within(ofAnyTask(filter!), (await named.find(executionIds, taskNames)).filter(fits))
  }
}

interface ReadTask { readonly ids: readonly string[]; readonly mark: unknown; readonly isPassOver?: boolean }

const NONE: BulkCount = { value: 0, relation: 'exact' }
