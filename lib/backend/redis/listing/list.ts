import type { RedisStore } from '../../../stores/store.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { type FinishedPage, type FinishedPosition, type FinishedQuery, RETRIES_AT_MOST } from '../../result-backend.ts'
import { matchesFilters, matchesWords } from './filters.ts'
import { type ListPlan, planList } from './access-paths.ts'
import { readPage } from './read-page.ts'
import type { LedgerKeys } from '../schema.ts'

/** Of one call. What does not fit the answer, or is looked for in vain for so long, is on the next page. */
const SCAN_MS = 300
const ROWS_PER_STEP = 500
/** With their payloads. */
const PAYLOADS_PER_STEP = 200
const RANGES_PER_STEP = 64
/** Where Redis itself leaves out those of other workers. */
const LOOKED_AT_PER_STEP = 1_000

/** Rows come from the sorted sets that have the fewest of them; where those do not tell all, each row is looked at. */
export async function listFinished(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<FinishedPage> {
  const plan = await planList(store, keys, query)
  if (plan === null) return { executions: [], next: null, total: { value: 0, relation: 'exact' }, scanned: null, complete: true }
  return plan.isExact ? listByIndex(store, keys, plan, query) : scan(store, keys, plan, query)
}

export async function listRetries(store: RedisStore, keys: LedgerKeys, executionId: string): Promise<FinishedListItem[]> {
  const { rows } = await readPage(store, keys, {
    lists: [keys.byOrigin(executionId)], order: 'newest', limit: RETRIES_AT_MOST, ranges: [{}]
  })
  return rows.map(row => row.item)
}

async function listByIndex(
  store: RedisStore, keys: LedgerKeys, { lists }: ListPlan, { order, limit, after, from, to }: FinishedQuery
): Promise<FinishedPage> {
  const { rows, total, isLast } = await readPage(store, keys, { lists, order, limit, ...(after && { after }), ranges: [rangeOf(from, to)] })
  const executions = rows.map(row => row.item)
  return {
    executions, next: isLast ? null : executions.at(-1) ?? null, total: { value: total, relation: 'exact' }, scanned: null, complete: true
  }
}

async function scan(store: RedisStore, keys: LedgerKeys, plan: ListPlan, query: FinishedQuery): Promise<FinishedPage> {
  const deadline = performance.now() + SCAN_MS
  const { order, limit, workerId, text = [] } = query
  // The end of a long message is in the payload too.
  const withPayloads = text.length > 0
  const largestStep = withPayloads ? PAYLOADS_PER_STEP : ROWS_PER_STEP
  // A record has it as JSON has it; what has it elsewhere is left out below.
  const containing = workerId === undefined ? undefined : { text: JSON.stringify(workerId), lookAtMost: LOOKED_AT_PER_STEP }
  const found: FinishedListItem[] = []
  let scanned = 0
  let step = Math.min(largestStep, containing ? limit + 1 : limit * 2)
  let after: FinishedPosition | undefined = query.after

  const answer = (next: FinishedPosition | null, complete = true): FinishedPage => ({
    executions: found.slice(0, limit),
    next: next && { finishedAt: next.finishedAt, executionId: next.executionId },
    total: { value: found.length, relation: next === null && query.after === undefined ? 'exact' : 'at_least' },
    scanned,
    complete
  })

  for (let range = 0; range < plan.ranges.length; range += RANGES_PER_STEP) {
    const ranges = plan.ranges.slice(range, range + RANGES_PER_STEP)
    for (let isLast = false; !isLast;) {
      const page = await readPage(store, keys, {
        lists: plan.lists, ranges, order, limit: step, withPayloads, ...(containing && { containing }), ...(after && { after })
      })
      scanned += page.looked
      after = page.last ?? after
      for (const row of page.rows) {
        if (matchesFilters(row.item, query) && matchesWords(row, text)) found.push(row.item)
      }
      isLast = page.isLast
      if (found.length > limit) return answer(found[limit - 1]!)
      const isEnd = isLast && range + RANGES_PER_STEP >= plan.ranges.length
      if (isEnd) return answer(null)
      if (found.length === limit) return answer(after ?? null)
      if (performance.now() > deadline) return answer(after ?? null, after === undefined)
      step = Math.min(largestStep, step * 2)
    }
  }
  return answer(null)
}

export function rangeOf(from: number | undefined, to: number | undefined): { from?: number; to?: number } {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
