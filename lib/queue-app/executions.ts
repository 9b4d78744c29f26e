import type { FinishedPosition, FinishedQuery, ResultBackend } from '../backend/result-backend.ts'
import type { Engine, InFlightPage } from '../engine/engine.ts'
import { createTaskDashboardError } from '../errors.ts'
import type { Execution, ExecutionDetail } from '../execution.ts'
import type { ExecutionPage, ExecutionQuery } from './monitoring.ts'

export interface ExecutionHistoryDependencies {
  readonly engine: Pick<Engine, 'inFlight' | 'find' | 'counts'>
  readonly backend: Pick<ResultBackend, 'list' | 'find' | 'attemptsOf'>
  /** Every task whose queue is looked at. */
  taskNames(): Promise<string[]>
}

export interface ExecutionHistory {
  list(query: ExecutionQuery): Promise<ExecutionPage>
  find(executionId: string): Promise<ExecutionDetail | null>
}

/**
 * One history out of two places: what is in flight is read live from the engine, what finished from the result backend, and
 * both are merged by the time of their last change. A finished execution never changes, so its pages are exact; the in-flight
 * part is a live view: an execution that starts or finishes between two pages moves to where its new time puts it.
 */
export function createExecutionHistory({ engine, backend, taskNames }: ExecutionHistoryDependencies): ExecutionHistory {
  return {
    async list(query) {
      const limit = query.limit ?? 50
      const order = query.order ?? 'newest'
      const names = query.taskName === undefined ? await taskNames() : [query.taskName]
      const sources = createSources({ engine, backend }, { ...query, order, names })
      const wanted = SOURCE_NAMES.filter(name => !query.status || name === sourceOf(query.status))
      const cursor = query.cursor === undefined ? {} : decodeCursor(query.cursor)

      const started = wanted.filter(name => cursor[name] !== END)
      const pages = await Promise.all(started.map(async name => {
        const at = cursor[name] ?? START
        return { name, at, page: await sources[name].read(at, limit) }
      }))
      const merged = mergeByTime(pages.map(({ page }) => page.executions), limit, order)

      const next: Cursor = { ...cursor }
      await Promise.all(pages.map(async ({ name, at, page }, index) => {
        const taken = merged.taken[index]!
        if (taken === page.executions.length) next[name] = page.next ?? END
        else if (taken > 0) next[name] = await sources[name].positionAfter(at, page.executions.slice(0, taken))
        else next[name] = at
      }))
      return {
        executions: merged.executions,
        nextCursor: wanted.every(name => next[name] === END) ? null : encodeCursor(next),
        total: await countAll(query, names, wanted, pages)
      }
    },

    async find(executionId) {
      const finished = await backend.find(executionId)
      if (finished) return finished
      const execution = await engine.find(await taskNames(), executionId)
      if (!execution) return null
      const recorded = await backend.attemptsOf(executionId)
      return recorded.length > 0 ? { ...execution, attempts: recorded } : execution
    }
  }

  async function countAll(query: ExecutionQuery, names: string[], wanted: readonly SourceName[], pages: ReadonlyArray<{ name: SourceName; page: SourcePage }>) {
    const finished = pages.find(page => page.name === 'finished')?.page.total ?? (wanted.includes('finished') ? await countFinished(query) : { value: 0, relation: 'exact' as const })
    if (!wanted.includes('running') && !wanted.includes('pending')) return finished
    // The broker keeps no index by schedule or time: with such a filter only what was seen can be counted.
    if (query.scheduleId !== undefined || query.from !== undefined || query.to !== undefined) {
      const inFlight = pages.filter(({ name }) => name !== 'finished')
      const seen = inFlight.reduce((sum, { page }) => sum + page.executions.length, 0)
      const complete = query.cursor === undefined && inFlight.every(({ page }) => page.next === null)
      return { value: finished.value + seen, relation: complete ? finished.relation : 'at_least' as const }
    }
    let inFlight = 0
    for (const counts of (await engine.counts(names)).values()) {
      if (wanted.includes('running')) inFlight += counts.running
      if (wanted.includes('pending')) inFlight += counts.pending
    }
    return { value: finished.value + inFlight, relation: finished.relation }
  }

  async function countFinished(query: ExecutionQuery) {
    const { total } = await backend.list({ ...toFinishedFilter(query), order: 'newest', limit: 1 })
    return total
  }
}

const SOURCE_NAMES = ['running', 'pending', 'finished'] as const
type SourceName = (typeof SOURCE_NAMES)[number]

/** Where each source goes on: START, END, or a position only that source understands. */
type Cursor = { [name in SourceName]?: string }
const START = ''
const END = '-'

interface SourcePage {
  readonly executions: Execution[]
  /** Position after the page, null when there is no more. */
  readonly next: string | null
  readonly total?: { readonly value: number; readonly relation: 'exact' | 'at_least' }
}

interface Source {
  read(position: string, limit: number): Promise<SourcePage>
  /** The position after the first items of a page that was not used up. */
  positionAfter(position: string, taken: readonly Execution[]): Promise<string>
}

type ResolvedQuery = ExecutionQuery & { readonly order: 'newest' | 'oldest'; readonly names: string[] }

function createSources({ engine, backend }: Pick<ExecutionHistoryDependencies, 'engine' | 'backend'>, query: ResolvedQuery): Record<SourceName, Source> {
  return { running: inFlightSource('running'), pending: inFlightSource('pending'), finished: { read: readFinished, positionAfter: async (_, taken) => toPosition(taken.at(-1)!) } }

  function inFlightSource(status: 'running' | 'pending'): Source {
    const read = async (position: string, limit: number): Promise<SourcePage> => {
      const { scheduleId, from, to, order, names } = query
      const page: InFlightPage = await engine.inFlight({
        taskNames: names,
        status,
        order,
        limit,
        ...(scheduleId !== undefined && { scheduleId }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(position !== START && { cursor: position })
      })
      return page
    }
    // The engine's positions are its own: a shorter page is asked for, to learn where it ends.
    return { read, positionAfter: async (position, taken) => (await read(position, taken.length)).next ?? END }
  }

  async function readFinished(position: string, limit: number): Promise<SourcePage> {
    const { executions, next, total } = await backend.list({
      ...toFinishedFilter(query),
      order: query.order,
      limit,
      ...(position !== START && { after: fromPosition(position) })
    })
    return { executions, next: next && toPosition(next), total }
  }
}

function toFinishedFilter({ status, taskName, scheduleId, from, to }: ExecutionQuery): Omit<FinishedQuery, 'order' | 'limit'> {
  return {
    ...((status === 'success' || status === 'failed') && { status }),
    ...(taskName !== undefined && { taskName }),
    ...(scheduleId !== undefined && { scheduleId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to })
  }
}

function sourceOf(status: NonNullable<ExecutionQuery['status']>): SourceName {
  return status === 'running' || status === 'pending' ? status : 'finished'
}

/** Takes `limit` items off the heads of lists that are each in order; says how many came from each. */
function mergeByTime(lists: ReadonlyArray<readonly Execution[]>, limit: number, order: 'newest' | 'oldest') {
  const taken = lists.map(() => 0)
  const executions: Execution[] = []
  while (executions.length < limit) {
    let best = -1
    for (const [index, list] of lists.entries()) {
      const head = list[taken[index]!]
      if (head && (best < 0 || isBefore(head, lists[best]![taken[best]!]!, order))) best = index
    }
    if (best < 0) break
    executions.push(lists[best]![taken[best]!]!)
    taken[best]!++
  }
  return { executions, taken }
}

function isBefore(a: Execution, b: Execution, order: 'newest' | 'oldest'): boolean {
  return order === 'newest' ? lastChangeOf(a) > lastChangeOf(b) : lastChangeOf(a) < lastChangeOf(b)
}

/** Finished, else started, else submitted. An execution between two attempts is pending: by its submission. */
function lastChangeOf(execution: Execution): number {
  if (execution.finishedAt !== null) return execution.finishedAt
  return execution.status === 'running' ? execution.startedAt ?? execution.submittedAt : execution.submittedAt
}

function toPosition({ finishedAt, executionId }: Pick<Execution, 'finishedAt' | 'executionId'>): string {
  return `${finishedAt}:${executionId}`
}

function fromPosition(position: string): FinishedPosition {
  const colon = position.indexOf(':')
  const finishedAt = Number(position.slice(0, colon))
  if (colon < 1 || !Number.isSafeInteger(finishedAt)) throw createTaskDashboardError('INVALID_CURSOR')
  return { finishedAt, executionId: position.slice(colon + 1) }
}

function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(SOURCE_NAMES.map(name => cursor[name] ?? START))).toString('base64url')
}

function decodeCursor(text: string): Cursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw createTaskDashboardError('INVALID_CURSOR')
  }
  if (!Array.isArray(parts) || parts.length !== SOURCE_NAMES.length || !parts.every(part => typeof part === 'string')) {
    throw createTaskDashboardError('INVALID_CURSOR')
  }
  return Object.fromEntries(SOURCE_NAMES.map((name, index) => [name, parts[index] as string]))
}
