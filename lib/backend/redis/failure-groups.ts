import type { RedisStore } from '../../stores/store.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupPosition, FailureGroupQuery } from '../result-backend.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import { HOUR_MS } from '../tally.ts'
import { HOURS_A_MONTH, type LedgerKeys } from './schema.ts'
import { LUA_BYTES_LESS, createScript } from './script.ts'

const TASKS_OF_A_GROUP = 20
const TREND_HOURS = 24
const GROUPS_A_STEP = 200

/** Groups are looked at in the order of the list, until the page is full: there are 10,000 at most. */
export async function listFailureGroups(store: RedisStore, keys: LedgerKeys, query: FailureGroupQuery): Promise<FailureGroupPage> {
  const { limit, from, to, taskName } = query
  const isPlain = from === undefined && to === undefined && taskName === undefined
  const nowMs = Date.now()
  const groups: FailureGroup[] = []
  let after = query.after
  let total: number
  let step = limit + 1
  for (;;) {
    const { count, rows, isLast } = await readGroups(store, keys, { from, after, limit: step })
    total = count
    const read = rows.map(row => ({ group: row, hours: hoursOf(row, query, nowMs) }))
    const counts = await readHours(store, keys, read)
    for (const [i, { group, hours }] of read.entries()) {
      after = { lastSeenAt: group.lastSeenAt, errorGroup: group.errorGroup }
      const found = toFailureGroup(group, hours, counts[i]!, taskName)
      if (found.count > 0) groups.push(found)
    }
    if (isLast || groups.length > limit) break
    step = GROUPS_A_STEP
  }
  const page = groups.slice(0, limit)
  const last = page.at(-1)
  const hasMore = groups.length > limit && last !== undefined
  return {
    groups: page,
    next: hasMore ? { lastSeenAt: last.lastSeenAt, errorGroup: last.errorGroup } : null,
    total: isPlain ? { value: total, relation: 'exact' } : { value: groups.length, relation: hasMore || query.after !== undefined ? 'at_least' : 'exact' }
  }
}

interface StoredGroup extends Omit<FailureGroup, 'trend'> { readonly allTasks: ReadonlyMap<string, number> }

async function readGroups(
  store: RedisStore, keys: LedgerKeys, { from, after, limit }: { from: number | undefined; after: FailureGroupPosition | undefined; limit: number }
): Promise<{ count: number; rows: StoredGroup[]; isLast: boolean }> {
  const since = from === undefined ? '-inf' : Math.floor(from / HOUR_MS) * HOUR_MS
  const [count, isLast, ...stored] = await groupsScript(store.client, [keys.groups], [
    keys.group(''), since, after?.lastSeenAt ?? '', toStorable(after?.errorGroup ?? ''), limit
  ]) as [number, number, ...Array<[Buffer, Buffer[]]>]
  return { count, isLast: isLast === 1, rows: stored.map(([name, fields]) => groupFromStored(name.toString(), fields.map(String))) }
}

function groupFromStored(name: string, stored: readonly string[]): StoredGroup {
  const fields = new Map<string, string>()
  const tasks = new Map<string, number>()
  for (let i = 0; i < stored.length; i += 2) {
    const field = stored[i]!
    if (field.startsWith('task:')) tasks.set(fromStorable(field.slice(5)), Number(stored[i + 1]))
    else fields.set(field, fromStorable(stored[i + 1]!))
  }
  const frame = fields.get('frame') ?? ''
  return {
    errorGroup: fromStorable(name),
    type: fields.get('type') ?? '',
    message: fields.get('message') ?? '',
    frame: frame === '' ? null : frame.slice(1),
    count: Number(fields.get('count')),
    firstSeenAt: Number(fields.get('firstSeenAt')),
    lastSeenAt: Number(fields.get('lastSeenAt')),
    lastExecutionId: fields.get('lastExecutionId') ?? '',
    tasks: Array.from(tasks, ([taskName, count]) => ({ taskName, count }))
      .sort((a, b) => b.count - a.count || (a.taskName < b.taskName ? -1 : 1)).slice(0, TASKS_OF_A_GROUP),
    allTasks: tasks
  }
}

interface HoursToRead {
  /** Counted over all tasks. */
  readonly trend: readonly number[]
  /** Null where all-time counts answer. */
  readonly counted: readonly number[] | null
  readonly suffix: string
}

/** The hours whose counts are needed: of the trend, and of the range asked for, as far as the group was seen in it. */
function hoursOf(group: StoredGroup, { from, to, taskName }: FailureGroupQuery, nowMs: number): HoursToRead {
  const suffix = taskName === undefined ? '' : `:${toStorable(taskName)}`
  const thisHour = Math.floor(nowMs / HOUR_MS)
  const trend = Array.from({ length: TREND_HOURS }, (_, i) => thisHour - TREND_HOURS + 1 + i)
  const firstSeen = Math.floor(group.firstSeenAt / HOUR_MS)
  const lastSeen = Math.floor(group.lastSeenAt / HOUR_MS)
  const first = Math.max(firstSeen, from === undefined ? -Infinity : Math.floor(from / HOUR_MS))
  const last = Math.min(lastSeen, to === undefined ? Infinity : Math.ceil(to / HOUR_MS) - 1)
  const isAllTime = (first === firstSeen && last === lastSeen) || (taskName !== undefined && !group.allTasks.has(taskName))
  if (isAllTime) return { trend, counted: null, suffix }
  return { trend, counted: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i), suffix }
}

/** Counts of the trend, then of the hours asked for, of each group. */
async function readHours(
  store: RedisStore, keys: LedgerKeys, groups: ReadonlyArray<{ group: StoredGroup; hours: HoursToRead }>
): Promise<number[][]> {
  const pipeline = store.client.pipeline()
  const places: Array<{ group: number; positions: number[] }> = []
  const counts = groups.map(({ group, hours }, i) => {
    const all = [...hours.trend, ...hours.counted ?? []]
    const months = new Map<number, number[]>()
    for (const [position, hour] of all.entries()) {
      const month = Math.floor(hour / HOURS_A_MONTH)
      months.set(month, [...months.get(month) ?? [], position])
    }
    for (const [month, positions] of months) {
      const fields = positions.map(position => `${all[position]}${position < hours.trend.length ? '' : hours.suffix}`)
      pipeline.hmget(keys.groupHours(month, group.errorGroup), ...fields)
      places.push({ group: i, positions })
    }
    return all.map(() => 0)
  })
  if (places.length === 0) return counts
  for (const [i, [error, replies]] of (await pipeline.exec() ?? []).entries()) {
    if (error) throw error
    const { group, positions } = places[i]!
    for (const [at, reply] of (replies as Array<string | null>).entries()) counts[group]![positions[at]!] = Number(reply ?? 0)
  }
  return counts
}

function toFailureGroup(
  { allTasks, ...group }: StoredGroup, { counted, trend }: HoursToRead, counts: readonly number[], taskName: string | undefined
): FailureGroup {
  const allTime = taskName === undefined ? group.count : allTasks.get(taskName) ?? 0
  return {
    ...group,
    count: counted === null ? allTime : counts.slice(trend.length).reduce((sum, count) => sum + count, 0),
    trend: counts.slice(0, trend.length)
  }
}

/** @returns how many were seen since, whether this is the end, then name and fields of each. */
const groupsScript = createScript(`
${LUA_BYTES_LESS}
local since, afterAt, afterName, limit = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local names = {}
if afterAt ~= '' then
  -- Those of the same moment stand by bytes; the one at the position may be gone.
  for _, name in ipairs(redis.call('ZREVRANGEBYSCORE', KEYS[1], afterAt, afterAt)) do
    if less(name, afterName) then names[#names + 1] = name end
  end
end
local below = afterAt == '' and '+inf' or '(' .. afterAt
for _, name in ipairs(redis.call('ZREVRANGEBYSCORE', KEYS[1], below, since, 'LIMIT', 0, limit + 1)) do names[#names + 1] = name end

local answer = { redis.call('ZCOUNT', KEYS[1], since, '+inf'), #names > limit and 0 or 1 }
for i = 1, math.min(#names, limit) do answer[i + 2] = { names[i], redis.call('HGETALL', ARGV[1] .. names[i]) } end
return answer
`)
