import type { RedisStore } from '../../../stores/store.ts'
import type { FinishedQuery } from '../../result-backend.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import { durationClassesWithin } from './duration-class.ts'
import type { LedgerKeys } from '../schema.ts'
import { createScript } from '../script.ts'
import { type TimeRange, workerRanges } from './worker-minutes.ts'

export interface ListPlan {
  /** Sorted sets that have nothing in common and together all that is asked for. */
  readonly lists: readonly string[]
  /** In the order asked for. */
  readonly ranges: ReadonlyArray<Partial<TimeRange>>
  /** Whether they have nothing else. */
  readonly isExact: boolean
}

interface Candidate { readonly lists: readonly string[]; readonly tells: ReadonlyArray<keyof FinishedQuery> }

/** @returns null when nothing can match. */
export async function planList(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<ListPlan | null> {
  const { from, to, order, workerId } = query
  const within = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const candidates = await candidatesOf(store, keys, query)
  const filters = FILTERS.filter(filter => query[filter] !== undefined)
  const exact = candidates.find(candidate => filters.every(filter => candidate.tells.includes(filter)))
  const { lists } = exact ?? await shortest(store, candidates, within)
  const ofWorker = workerId === undefined
    ? null
    : await workerRanges(store, keys, workerId, { ...within, failedOnly: hasFailuresOnly(query) })
  const ranges = ofWorker?.filter(range => isAhead(range, query)) ?? [within]
  if (lists.length === 0 || ranges.length === 0) return null
  return { lists, ranges: order === 'newest' ? ranges.reverse() : ranges, isExact: exact !== undefined && !query.text?.length }
}

function isAhead({ from, to }: TimeRange, { order, after }: FinishedQuery): boolean {
  return after === undefined || (order === 'newest' ? from <= after.finishedAt : to > after.finishedAt)
}

const FILTERS = [
  'status', 'taskName', 'scheduleId', 'workerId', 'errorGroup', 'minDurationMs', 'maxDurationMs'
] as const satisfies ReadonlyArray<keyof FinishedQuery>

/** A success has no error whose words or group could be meant. */
function hasFailuresOnly({ status, errorGroup, text = [] }: FinishedQuery): boolean {
  return status === 'failed' || errorGroup !== undefined || text.some(condition => condition.in === 'error')
}

/** Each has all that is asked for. */
async function candidatesOf(store: RedisStore, keys: LedgerKeys, query: FinishedQuery): Promise<Candidate[]> {
  const { status, taskName, scheduleId, errorGroup, minDurationMs, maxDurationMs } = query
  const statuses = status !== undefined ? [status] : hasFailuresOnly(query) ? ['failed'] : ['success', 'failed']
  const candidates: Candidate[] = []
  if (errorGroup !== undefined)
    candidates.push({ lists: status === 'success' ? [] : [keys.byGroup(errorGroup)], tells: ['errorGroup', 'status'] })
  if (scheduleId !== undefined) {
    const taskNames = taskName === undefined ? (await store.client.smembers(keys.scheduleTasks(scheduleId))).map(fromStorable) : [taskName]
    candidates.push({
      lists: taskNames.flatMap(name => statuses.map(each => keys.bySchedule(each, scheduleId, name))),
      tells: ['scheduleId', 'taskName', 'status']
    })
  }
  const { classes, isExact } = durationClassesWithin(minDurationMs, maxDurationMs)
  const ofClasses = (keyOf: (status: string, durationClass: number) => string) =>
    statuses.flatMap(each => classes.map(durationClass => keyOf(each, durationClass)))
  const durations = isExact ? ['minDurationMs', 'maxDurationMs'] as const : []
  if (taskName === undefined) candidates.push({ lists: ofClasses(keys.byStatus), tells: ['status', ...durations] })
  else {
    const lists = ofClasses((each, durationClass) => keys.byTask(each, durationClass, taskName))
    candidates.push({ lists, tells: ['taskName', 'status', ...durations] })
  }
  return candidates
}

async function shortest(store: RedisStore, candidates: readonly Candidate[], { from, to }: Partial<TimeRange>): Promise<Candidate> {
  if (candidates.length === 1) return candidates[0]!
  const counts = await countScript(store.client, candidates.flatMap(each => each.lists), {
    from: from ?? '-inf', to: to === undefined ? '+inf' : `(${to}`, sizes: candidates.map(each => each.lists.length)
  }) as number[]
  return candidates[counts.indexOf(Math.min(...counts))]!
}

/** How many members lists have in a range of time: of the first `sizes[1]` lists together, then of the next `sizes[2]`, and so on. */
const countScript = createScript(`
local counts, key = {}, 0
for i, size in ipairs(given.sizes) do
  counts[i] = 0
  for _ = 1, tonumber(size) do
    key = key + 1
    counts[i] = counts[i] + redis.call('ZCOUNT', KEYS[key], given.from, given.to)
  end
end
return counts
`)
