import type { RedisStore } from '../../../stores/store.ts'
import type { FinishedPosition, FinishedQuery } from '../../result-backend.ts'
import type { FinishedListItem } from '../../entry/ledger-entry.ts'
import { recordFromStored } from '../item.ts'
import { packId, unpackId } from '../packed-id.ts'
import type { LedgerKeys } from '../schema.ts'
import { LUA_BYTES_LESS, createScript } from '../script.ts'
import type { TimeRange } from '../worker-minutes.ts'

export interface PageToRead extends Pick<FinishedQuery, 'order' | 'after'> {
  /** Disjoint sorted sets, merged by finish time. */
  readonly lists: readonly string[]
  /** In the given order; at least one. */
  readonly ranges: ReadonlyArray<Partial<TimeRange>>
  readonly limit: number
  readonly withPayloads?: boolean
  /** Only records that contain this text; up to `lookAtMost` records are scanned to find `limit` of them. */
  readonly containing?: { readonly text: string; readonly lookAtMost: number }
}

export interface PageRow { readonly item: FinishedListItem; readonly payload: string | null }

export interface PageRead {
  readonly rows: PageRow[]
  /** All records in the ranges, wherever the page starts. Only counts ranges that were looked at. */
  readonly total: number
  /** Number of records looked at, and the position of the last; null if there was none. */
  readonly looked: number
  readonly last: FinishedPosition | null
  /** Whether nothing follows. */
  readonly isLast: boolean
}

/** Payloads take up to 200 KB each, with `retention.failed.argsBytes` up to 700 KB, so a page with payloads may end earlier. */
const PAYLOAD_BYTES_PER_PAGE = 1024 * 1024

/** With a text to find, records are looked at in portions of this many, because few of them may match. */
const RECORDS_PER_LOOK = 100

/** Lua's unpack fails at about 8,000. */
const MAX_UNPACKED = 1_000

/** Sorts before every id. */
const BEFORE_ALL = ''

export async function readPage(store: RedisStore, keys: LedgerKeys, page: PageToRead): Promise<PageRead> {
  const { lists, ranges, order, after, limit, withPayloads = false, containing } = page
  const [total, isLast, looked, lastId, lastAt, ...stored] = await pageScript(store.client, [keys.executions, keys.payloads, ...lists], {
    newest: order === 'newest',
    limit,
    after: after && { at: after.finishedAt, id: packId(after.executionId ?? BEFORE_ALL) },
    withPayloads,
    text: containing?.text,
    lookAtMost: containing?.lookAtMost ?? limit,
    ranges: ranges.map(({ from, to }) => ({ from, to }))
  }) as [number, number, number, Buffer, Buffer, ...Buffer[]]
  const rows: PageRow[] = []
  for (let i = 0; i < stored.length; i += 3) {
    const { item, payload } = recordFromStored(unpackId(stored[i]!), stored[i + 1]!.toString())
    const apart = stored[i + 2]!.toString()
    rows.push({ item, payload: payload ?? (apart === '' ? null : apart) })
  }
  const last = looked === 0 ? null : { executionId: unpackId(lastId), finishedAt: Number(lastAt) }
  return { rows, total, looked, last, isLast: isLast === 1 }
}

/**
 * @returns the total, whether this is the end, the number of records looked at, id and finish time of the last one, then id, record and
 * payload of each row
 */
const pageScript = createScript(`
${LUA_BYTES_LESS}
local newest, limit, after = given.newest, tonumber(given.limit), given.after
local text, lookAtMost = given.text, tonumber(given.lookAtMost)

-- Number of members before the position, or up to and including it if atCounts is set.
local function rankOfPosition(key, atCounts)
  local low = redis.call('ZCOUNT', key, '-inf', '(' .. after.at)
  local high = low + redis.call('ZCOUNT', key, after.at, after.at)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local id = redis.call('ZRANGE', key, middle, middle)[1]
    if less(id, after.id) or (atCounts and id == after.id) then low = middle + 1 else high = middle end
  end
  return low
end

local total = 0
local function branchOf(key, size, range)
  local first = range.from and redis.call('ZCOUNT', key, '-inf', '(' .. range.from) or 0
  local last = (range.to and redis.call('ZCOUNT', key, '-inf', '(' .. range.to) or size) - 1
  total = total + math.max(0, last - first + 1)
  if last < first then return nil end
  if after then
    if newest then last = math.min(last, rankOfPosition(key, false) - 1) else first = math.max(first, rankOfPosition(key, true)) end
  end
  if last < first then return nil end
  if newest then first, last = size - 1 - last, size - 1 - first end
  return { key = key, next = first, last = last, step = 2, rows = {}, at = 1 }
end

local sizes = {}
for i = 3, #KEYS do sizes[i] = redis.call('ZCARD', KEYS[i]) end

-- Most lists contribute nothing to a page, so read few rows at first, and more from lists that continue.
local function read(branch)
  if branch.at > #branch.rows and branch.next <= branch.last then
    local last = math.min(branch.last, branch.next + branch.step - 1)
    branch.rows = redis.call(newest and 'ZREVRANGE' or 'ZRANGE', branch.key, branch.next, last, 'WITHSCORES')
    branch.next, branch.at, branch.step = last + 1, 1, math.min(lookAtMost, branch.step * 4)
  end
  branch.id = branch.rows[branch.at]
  branch.score = branch.id and tonumber(branch.rows[branch.at + 1])
end

local function goesFirst(a, b)
  if newest then a, b = b, a end
  if a.score ~= b.score then return a.score < b.score end
  return less(a.id, b.id)
end

local ids, scores, looked, bytes, isFull = {}, {}, 0, 0, false
local answer = { 0, 1, 0, '', '' }

local function add(id, record)
  if text and not string.find(record, text, 1, true) then return end
  local payload = ''
  if not given.withPayloads then
    local lineBreak = string.find(record, '\\n', 1, true)
    if lineBreak then record = string.sub(record, 1, lineBreak - 1) end
  else
    if not string.find(record, '\\n', 1, true) then payload = redis.call('HGET', KEYS[2], id) or '' end
    bytes = bytes + #record + #payload
    isFull = bytes > ${PAYLOAD_BYTES_PER_PAGE} and #answer > 5
    if isFull then return end
  end
  answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = id, record, payload
end

-- Looks at the rows that were merged since the last call.
local function look()
  while not isFull and looked < #ids do
    for i, record in ipairs(redis.call('HMGET', KEYS[1], unpack(ids, looked + 1, math.min(#ids, looked + ${MAX_UNPACKED})))) do
      if record then add(ids[looked + 1], record) end
      if isFull then return end
      looked = looked + 1
      isFull = text and #answer >= 5 + 3 * limit
      if isFull then return end
    end
  end
end
local lookAfter = not text and limit or ${RECORDS_PER_LOOK}

for _, range in ipairs(given.ranges) do
  local branches = {}
  for i = 3, #KEYS do
    local branch = sizes[i] > 0 and branchOf(KEYS[i], sizes[i], range)
    if branch then branches[#branches + 1] = branch end
  end
  for _, branch in ipairs(branches) do
    if #branches == 1 then branch.step = lookAfter + 1 end
    read(branch)
  end
  -- Ordered by each list's next row. After a list has contributed one, it moves back to its place, which is near the front if it
  -- contributes many.
  table.sort(branches, goesFirst)
  while #branches > 0 and #ids < lookAtMost and not isFull do
    local branch = branches[1]
    ids[#ids + 1], scores[#scores + 1] = branch.id, branch.rows[branch.at + 1]
    branch.at = branch.at + 2
    read(branch)
    if branch.id then
      local place = 1
      while branches[place + 1] and goesFirst(branches[place + 1], branch) do
        branches[place] = branches[place + 1]
        place = place + 1
      end
      branches[place] = branch
    else
      table.remove(branches, 1)
    end
    if #ids - looked == lookAfter then look() end
  end
  if #branches > 0 then
    answer[2] = 0
    break
  end
end
look()

if looked < #ids then answer[2] = 0 end
answer[1], answer[3], answer[4], answer[5] = total, looked, ids[looked] or '', scores[looked] or ''
return answer
`)
