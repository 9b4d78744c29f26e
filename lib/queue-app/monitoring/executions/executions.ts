import type { ResultBackend } from '../../../backend/result-backend.ts'
import { toShownDetail } from '../../../backend/entry/shown-detail.ts'
import type { Engine } from '../../../engine/engine.ts'
import { isCounted } from './is-counted.ts'
import { isStoreFailure } from '../../../stores/failures/unavailable.ts'
import type { Execution, ExecutionDetail } from '../../../execution.ts'
import { executionFilterFrom, isWithin, lastChangeOf, type ExecutionFilter } from './execution-filter.ts'
import { decodeExecutionCursor, encodeExecutionCursor, FIRST_PAGE } from './execution-cursor.ts'
import {
  behind, createSources, END, LOST, inFlightStatus, isBeyondCounts, positionBehind, sourcesWanted, START, toFinishedFilter,
  type Position, type SourceName, type SourcePage
} from './execution-sources.ts'
import { ONLY_ITSELF, type Covered } from '../../tasks/parts-of-tasks.ts'
import type { ExecutionPage, ExecutionQuery } from './execution-page.ts'

export interface ExecutionHistoryDependencies {
  readonly engine: Pick<Engine, 'inFlight' | 'find' | 'counts' | 'countsExactly'>
  readonly backend: Pick<ResultBackend, 'list' | 'find' | 'attemptsOf'>
  /** Every task whose queue is read. */
  taskNames(): Promise<readonly string[]>
  /** The tasks that a list of this one shows. Default: itself. */
  readonly covered?: Covered
  now?(): number
}

export interface ExecutionHistory {
  list(query: ExecutionQuery): Promise<ExecutionPage>
  find(executionId: string): Promise<ExecutionDetail | null>
}

/**
 * One history from two sources, merged by the time of the last change: executions in flight, read live from the engine, and finished ones
 * from the result backend. Finished executions never change, so their pages are exact. The in-flight part is live: an execution that starts
 * or finishes between two pages moves to its new time. With newest first, that is before the first page, so later pages omit it. With
 * oldest first, it is toward the end, where it appears again. An execution that moves while a page is read appears on it once, because
 * pending and running executions of a queue are read together, then finished ones. If a page needs more of a queue, the queue is read
 * again. An execution that started in between is missing on that page, and appears at its new time when the list is read again from the
 * start. Between its finish and its record, usually 20 ms, an execution is on no page; `find` has it. An execution that does not move is on
 * exactly one page: see engine/in-flight/find-places.ts.
 *
 * If the result backend stops scanning early, in-flight executions older than that point wait for the next page. The reverse does not hold:
 * with a narrow filter on a long queue, some in-flight executions appear on later pages.
 */
export function createExecutionHistory(
  { engine, backend, taskNames, covered = ONLY_ITSELF, now = Date.now }: ExecutionHistoryDependencies
): ExecutionHistory {
  return {
    async list(query) {
      const { positions, asOf } = query.cursor === undefined ? FIRST_PAGE : decodeExecutionCursor(query.cursor)
      const startedAt = now()
      const filter = executionFilterFrom(query, startedAt)
      if (filter === null) return NOTHING
      if (filter.executionId !== undefined) return lookUp(filter, filter.executionId)
      const limit = query.limit ?? 50
      const order = query.order ?? 'newest'
      const wanted = sourcesWanted(filter)
      // The names come from the broker, and finished executions are listed without it.
      const losses = toleratedLosses(query.partial === true && wanted.length > 1, wanted.find(name => positions[name]?.is === 'lost'))
      const names = filter.taskName !== undefined
        ? covered(filter.taskName)
        : wanted.includes('inFlight') && losses.missing() !== 'inFlight' ? await losses.tolerate('inFlight', taskNames) ?? [] : []
      const isCounted = !isBeyondCounts(filter) && (!wanted.includes('inFlight') || engine.countsExactly?.(names) !== false)
      const sources = createSources(engine, backend, { filter, order, asOf, taskNames: names, isCounted })

      const pages: ReadPage[] = []
      for (const name of wanted.filter(name => positions[name]?.is !== 'end' && name !== losses.missing())) {
        const at = positions[name] ?? START
        const page = await losses.tolerate(name, () => sources[name].read(at, limit))
        if (page?.lost && query.partial !== true) throw page.lost
        if (page !== undefined) pages.push({ name, at, page })
      }
      const lost = losses.missing()
      const missing = lost ?? (pages.some(({ page }) => page.lost) ? 'inFlight' : undefined)
      const merged = mergeByTime(pages.map(({ page }) => page), limit, order)

      const next: { [name in SourceName]?: Position } = { ...positions, ...lost !== undefined && { [lost]: LOST } }
      for (const [index, { name, at, page }] of pages.entries()) {
        const taken = merged.taken[index]!
        if (taken === page.executions.length) next[name] = page.next === null ? END : behind(page.next)
        else next[name] = taken > 0 ? behind(page.after(taken)) : at
      }
      const isEnd = wanted.every(name => next[name]?.is === 'end' || next[name]?.is === 'lost')
      const first = merged.executions[0]
      // With oldest first, in-flight executions may still finish after everything that has.
      const { finished } = next
      if (first && !isEnd && finished !== undefined && finished.is !== 'lost' && (finished.is !== 'end' || order === 'oldest')) {
        next.finished = positionBehind(merged.executions, order, { before: positions.finished ?? START, next: finished })
      }
      const scanned = pages.map(({ page }) => page.scanned).filter(count => count !== null)
      return {
        executions: merged.executions,
        // A worker's clock may be ahead of this one.
        nextCursor: isEnd
          ? null
          : encodeExecutionCursor({ positions: next, asOf: asOf ?? Math.max(startedAt, first ? lastChangeOf(first) : 0) }),
        total: missing === undefined
          ? await countAll(filter, names, { isFirst: query.cursor === undefined, isCounted, pages })
          : { value: pages.reduce((sum, { page }) => sum + (page.total?.value ?? page.executions.length), 0), relation: 'at_least' },
        scanned: scanned.length === 0 ? null : scanned.reduce((sum, count) => sum + count, 0),
        // Executions whose arguments were too large to check may match, even on a full page.
        complete: pages.every(({ page }) => page.skipped === 0) &&
          (merged.executions.length === limit || pages.every(({ page }) => page.complete)),
        ...missing !== undefined && { missing }
      }
    },
    find
  }

  async function find(executionId: string): Promise<ExecutionDetail | null> {
    const finished = await backend.find(executionId)
    if (finished) return finished
    const execution = await engine.find(await taskNames(), executionId)
    // An execution that finished between the two reads is in the history by now, and the broker may have dropped it.
    if (execution === null || execution.finishedAt !== null) {
      const recorded = await backend.find(executionId)
      if (recorded) return recorded
    }
    if (execution === null) return null
    // Omits attempts that ended after the broker was read, because they do not fit the state it returned.
    const ended = execution.status === 'running' ? execution.attempt - 1 : execution.attempt
    return toShownDetail(execution, (await backend.attemptsOf(executionId)).filter(({ attempt }) => attempt <= ended))
  }

  async function lookUp(filter: ExecutionFilter, executionId: string): Promise<ExecutionPage> {
    const found = await find(executionId)
    const { taskName, ...others } = filter
    const isOfTask = taskName === undefined || found !== null && covered(taskName).includes(found.taskName)
    return found && isOfTask && isWithin(others, found, found.args)
      ? { ...NOTHING, executions: [found], total: { value: 1, relation: 'exact' } }
      : NOTHING
  }

  async function countAll(
    filter: ExecutionFilter, names: readonly string[],
    { isFirst, isCounted, pages }: { isFirst: boolean; isCounted: boolean; pages: readonly ReadPage[] }
  ): Promise<ExecutionPage['total']> {
    const wanted = sourcesWanted(filter)
    const pageOf = (wanted: SourceName) => pages.find(({ name }) => name === wanted)?.page
    const finished = wanted.includes('finished')
      ? pageOf('finished')?.total ?? await countFinished(filter, names)
      : { value: 0, relation: 'exact' as const }
    if (!wanted.includes('inFlight')) return finished
    const inFlight = pageOf('inFlight')
    // The broker has no index by schedule, worker, time, text or job name. With such a filter, only the executions that were read are
    // counted.
    if (!isCounted) {
      const isAll = isFirst && inFlight?.next === null
      return { value: finished.value + (inFlight?.executions.length ?? 0), relation: isAll ? finished.relation : 'at_least' }
    }
    const held = inFlight?.total ?? await countInFlight(filter, names)
    return { value: finished.value + held.value, relation: held.relation === 'exact' ? finished.relation : 'at_least' }
  }

  async function countInFlight(filter: ExecutionFilter, names: readonly string[]): Promise<NonNullable<SourcePage['total']>> {
    const status = inFlightStatus(filter)
    const counts = await engine.counts(names)
    let value = 0
    for (const { pending, running } of counts.values()) {
      value += status === undefined ? pending + running : status === 'pending' ? pending : running
    }
    return { value, relation: isCounted(names, counts) ? 'exact' : 'at_least' }
  }

  async function countFinished(filter: ExecutionFilter, names: readonly string[]) {
    const { total } = await backend.list({ ...toFinishedFilter(filter, names), order: 'newest', limit: 1 })
    return total
  }
}

const NOTHING: ExecutionPage = { executions: [], nextCursor: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }

/** Tolerates the outage of one of two sources. If both are down, the second error is thrown. */
function toleratedLosses(isPartial: boolean, lostBefore: SourceName | undefined) {
  let lost = lostBefore
  return {
    missing: () => lost,
    async tolerate<Answer>(source: SourceName, read: () => Promise<Answer>): Promise<Answer | undefined> {
      try {
        return await read()
      } catch (error) {
        if (!isPartial || lost !== undefined || !isStoreFailure(error)) throw error
        lost = source
        return undefined
      }
    }
  }
}

interface ReadPage { readonly name: SourceName; readonly at: Position; readonly page: SourcePage }

/**
 * Takes `limit` executions from the heads of the pages, but none from beyond the point where a page stops and its source continues. Also
 * returns how many came from each. Pages are in time order except for delayed and prioritized executions, so the result is sorted. An
 * execution that finished after its in-flight page was read is taken from the history.
 */
function mergeByTime(pages: readonly SourcePage[], limit: number, order: 'newest' | 'oldest') {
  const taken = pages.map(() => 0)
  const executions: Execution[] = []
  const finished = new Set(pages.flatMap(page =>
    page.executions.filter(({ finishedAt }) => finishedAt !== null).map(({ executionId }) => executionId)))
  const isBefore = (at: number, other: number) => order === 'newest' ? at > other : at < other
  while (executions.length < limit) {
    let best: { readonly index: number; readonly at: number } | null = null
    for (const [index, page] of pages.entries()) {
      const head = page.executions[taken[index]!]
      const at = head ? lastChangeOf(head) : page.reachedMs
      if (at !== null && (best === null || isBefore(at, best.at) || (at === best.at && head !== undefined))) {
        best = { index, at }
      }
    }
    if (best === null) break
    const execution = pages[best.index]!.executions[taken[best.index]!]
    if (execution === undefined) break
    taken[best.index]!++
    if (execution.finishedAt !== null || !finished.has(execution.executionId)) executions.push(execution)
  }
  return { executions: inOrder(executions, order), taken }
}

function inOrder(executions: readonly Execution[], order: 'newest' | 'oldest'): Execution[] {
  return executions.toSorted((one, other) => (lastChangeOf(one) - lastChangeOf(other)) * (order === 'newest' ? -1 : 1))
}
