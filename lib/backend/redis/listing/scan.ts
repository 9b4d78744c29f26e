import type { RedisStore } from '../../../stores/store.ts'
import { SCAN_MS } from '../../../time/budgets.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { emptyPage } from '../../listing/empty-page.ts'
import { matchesFailuresOnly } from '../../listing/filter-names.ts'
import type { FinishedPage, FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import type { LedgerKeys } from '../schema.ts'
import type { RedisPath } from './access-paths.ts'
import { createMatcher, createTaskMatcher, matchesWords } from './filters.ts'
import { readPage } from './read-page.ts'
import { type TimeRange, workerRanges } from '../worker-minutes.ts'

const ROWS_PER_STEP = 500
/** When payloads are read too. */
const PAYLOADS_PER_STEP = 200
const RANGES_PER_STEP = 64
/** When Redis itself filters out other workers. */
const LOOKED_AT_PER_STEP = 1_000

/** Reads a path in growing steps and checks each row, until the page is full, the path ends or the time is up. */
export async function scan(store: RedisStore, keys: LedgerKeys, path: RedisPath, query: FinishedQuery): Promise<FinishedPage> {
  const allRanges = await rangesOf(store, keys, query)
  if (allRanges.length === 0) return emptyPage()
  const deadline = performance.now() + SCAN_MS
  const { order, limit, workerId, text = [] } = query
  // The end of a long message is in the payload.
  const withPayloads = text.length > 0
  const largestStep = withPayloads ? PAYLOADS_PER_STEP : ROWS_PER_STEP
  // The record contains it in JSON form. Records that contain it elsewhere are filtered out below.
  const containing = workerId === undefined ? undefined : { text: JSON.stringify(workerId), lookAtMost: LOOKED_AT_PER_STEP }
  const matches = createMatcher(query)
  const isOfTasks = createTaskMatcher(query)
  const isOfAllTasks = query.taskNames === undefined || path.covers.has('taskNames')
  const found: FinishedListItem[] = []
  let scanned = 0
  let step = Math.min(largestStep, containing ? limit + 1 : limit * 2)
  let after: FinishedPosition | undefined = query.after
  /** The same, but never reveals the id of another task's execution. */
  let shownAfter: FinishedPosition | undefined = query.after

  const answer = (next: FinishedPosition | null, complete = true): FinishedPage => ({
    executions: found.slice(0, limit),
    next: next && { finishedAt: next.finishedAt, executionId: next.executionId },
    total: { value: found.length, relation: next === null && query.after === undefined ? 'exact' : 'at_least' },
    scanned,
    complete
  })

  for (let range = 0; range < allRanges.length; range += RANGES_PER_STEP) {
    const ranges = allRanges.slice(range, range + RANGES_PER_STEP)
    for (let isLast = false; !isLast;) {
      const page = await readPage(store, keys, {
        lists: path.lists, ranges, order, limit: step, withPayloads, ...(containing && { containing }), ...(after && { after })
      })
      const rows = isOfAllTasks ? page.rows : page.rows.filter(row => isOfTasks(row.item))
      scanned += isOfAllTasks ? page.looked : rows.length
      after = page.last ?? after
      shownAfter = isOfAllTasks ? after : shownPosition(order, page.last, rows.at(-1)?.item) ?? shownAfter
      for (const row of rows) {
        if (matches(row.item) && matchesWords(row, text)) found.push(row.item)
      }
      isLast = page.isLast
      if (found.length > limit) return answer(found[limit - 1]!)
      const isEnd = isLast && range + RANGES_PER_STEP >= allRanges.length
      if (isEnd) return answer(null)
      if (found.length === limit) return answer(shownAfter ?? null)
      if (performance.now() > deadline) return answer(shownAfter ?? null, after === undefined)
      step = Math.min(largestStep, step * 2)
    }
  }
  return answer(null)
}

/**
 * Where a scan stopped. If the last row of an allowed task is from that millisecond, that row; otherwise the point before that millisecond.
 */
function shownPosition(
  order: FinishedQuery['order'], last: FinishedPosition | null, own: FinishedListItem | undefined
): FinishedPosition | null {
  if (last === null || own?.finishedAt === last.finishedAt) return own === undefined ? null : own
  return { finishedAt: order === 'newest' ? last.finishedAt + 1 : last.finishedAt, executionId: null }
}

/** The time ranges to read, in the requested order. For a worker, only the minutes in which it finished something. */
async function rangesOf(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<ReadonlyArray<Partial<TimeRange>>> {
  const { workerId, order } = query
  if (workerId === undefined) return [timeOf(query)]
  const ofWorker = await workerRanges(store, keys, workerId, { ...timeOf(query), failedOnly: matchesFailuresOnly(query) })
  const ranges = ofWorker.filter(range => isAhead(range, query))
  return order === 'newest' ? ranges.reverse() : ranges
}

function isAhead({ from, to }: TimeRange, { order, after }: FinishedQuery): boolean {
  return after === undefined || (order === 'newest' ? from <= after.finishedAt : to > after.finishedAt)
}

export function timeOf({ from, to }: FinishedQuery): Partial<TimeRange> {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
