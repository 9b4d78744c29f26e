import type { FinishedQuery, ResultBackend, TaskTotals } from '../../../lib/backend/result-backend.ts'
import type { TextCondition } from '../../../lib/backend/search/text-condition.ts'
import type { FinishedExecution } from '../../../lib/execution.ts'

/** The simplest possible ledger: executions by id. */
export type Model = Map<string, FinishedExecution>

/** Known executions are left alone. @returns how many were new */
export function addTo(model: Model, executions: readonly FinishedExecution[]): number {
  const before = model.size
  for (const execution of executions) if (!model.has(execution.executionId)) model.set(execution.executionId, execution)
  return model.size - before
}

export function filtered(model: Iterable<FinishedExecution>, query: Omit<FinishedQuery, 'limit'>): FinishedExecution[] {
  const { from = -Infinity, to = Infinity, minDurationMs, maxDurationMs, text = [] } = query
  const rows = [...model].filter(each =>
    (['status', 'taskName', 'scheduleId', 'workerId', 'errorGroup'] as const).every(
      name => query[name] === undefined || each[name] === query[name]
    ) &&
    query.taskNames?.includes(each.taskName) !== false && each.finishedAt >= from && each.finishedAt < to &&
    (minDurationMs === undefined || (each.durationMs !== null && each.durationMs >= minDurationMs)) &&
    (maxDurationMs === undefined || (each.durationMs !== null && each.durationMs < maxDurationMs)) &&
    text.every(condition => hasText(each, condition)))
  rows.sort(byFinish)
  return query.order === 'newest' ? rows.reverse() : rows
}

/** Oldest first, equal times by the bytes of their ids. */
export function byFinish(a: FinishedExecution, b: FinishedExecution): number {
  return a.finishedAt - b.finishedAt || Buffer.compare(Buffer.from(a.executionId), Buffer.from(b.executionId))
}

/** Enough for the words in these tests: ASCII and a few characters that are words by themselves. */
function hasText(execution: FinishedExecution, condition: TextCondition): boolean {
  if (condition.in === 'path') return pathsIn(execution.args).includes(`${condition.path.join('.')}=${condition.value}`.toLowerCase())
  const error = execution.error === null ? [] : [execution.error.type, execution.error.message]
  const texts = {
    error, args: leavesIn(execution.args), any: [...error, ...leavesIn(execution.args), execution.taskName, execution.executionId]
  }[condition.in]
  const spaced = (text: string) => ` ${text.toLowerCase().replace(/[日報]/g, ' $& ').replace(/[^a-z0-9日報]+/g, ' ').trim()}`
  return texts.some(text => spaced(text).includes(` ${condition.words.join(' ')}`))
}

function leavesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesIn)
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => [key, ...leavesIn(each)])
  return [String(value)]
}

function pathsIn(value: unknown, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap(each => pathsIn(each, path))
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]))
  return path.length === 0 ? [] : [`${path.join('.')}=${String(value)}`.toLowerCase()]
}

/** As in a list: no payloads, no stack. */
export function listed({ args, result, attempts, logs, truncated, ...execution }: FinishedExecution) {
  return { ...execution, error: execution.error && { ...execution.error, message: execution.error.message.slice(0, 500), stack: null } }
}

export function countsOf(model: ReadonlyMap<string, FinishedExecution>) {
  // A cancelled execution is neither a success nor a failure.
  const all = [...model.values()].filter(each => each.status !== 'cancelled')
  const count = (of: (execution: FinishedExecution) => string | null) => {
    const totals: Record<string, unknown> = {}
    for (const key of new Set(all.map(of)).values()) {
      if (key === null) continue
      const rows = filtered(all.filter(each => of(each) === key), { order: 'oldest' })
      const { executionId, status, finishedAt, durationMs, startedAt, submittedAt } = rows.at(-1)!
      totals[key] = {
        success: rows.filter(each => each.status === 'success').length,
        failed: rows.filter(each => each.status === 'failed').length,
        totalDurationMs: toMicroseconds(rows.reduce((sum, each) => sum + (each.durationMs ?? 0), 0)),
        timed: rows.filter(each => each.durationMs !== null).length,
        last: { executionId, status, finishedAt, durationMs, beganAt: startedAt ?? submittedAt }
      }
    }
    return sortedKeys(totals)
  }
  return {
    success: all.filter(each => each.status === 'success').length,
    failed: all.filter(each => each.status === 'failed').length,
    tasks: count(each => each.taskName),
    schedules: count(each => each.scheduleId)
  }
}

export async function countersOf(backend: ResultBackend) {
  const { success, failed } = await backend.totals()
  const schedules = await backend.scheduleTotals(['s1', 's2:x', 'never', ...Array.from({ length: 5 }, (_, i) => `schedule ${i}`)])
  return { success, failed, tasks: rounded(await backend.taskTotals()), schedules: rounded(schedules) }
}

function rounded(totals: ReadonlyMap<string, TaskTotals>) {
  return sortedKeys(Object.fromEntries(Array.from(totals, ([key, each]) =>
    [key, { ...each, totalDurationMs: toMicroseconds(each.totalDurationMs) }])))
}

/** The last digits of a sum of fractions depend on the order of addition. */
function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000)
}

function sortedKeys(object: Record<string, unknown>): Array<[string, unknown]> {
  return Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1)
}

export function assertSame(actual: unknown, expected: unknown): void {
  const [a, b] = [stable(actual), stable(expected)]
  if (a !== b) throw new Error(`expected ${b}\nbut got  ${a}`)
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(sortedKeys(each as Record<string, unknown>))
      : each)
}
