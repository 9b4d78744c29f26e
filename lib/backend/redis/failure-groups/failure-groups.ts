import { MAX_TASKS_PER_GROUP } from '../../../../schemas/limits.ts'
import type { RedisStore } from '../../../stores/store.ts'
import { GROUPS_READ_MS, NO_GROUPS, TREND_HOURS, hoursAsked } from '../../counting/failure-hours.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupQuery } from '../../result-backend.ts'
import { decisionOf, stateOf, type StoredDecision } from '../../entry/failure-decision.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { GROUPS_PER_SCRIPT, groupsScript } from './groups-script.ts'
import { GROUP_TASK_FIELD, type LedgerKeys } from '../schema.ts'
import { storedNumber } from '../../../json/stored-number.ts'

/** Reads groups in list order until the page is full or the time is up. */
export async function readFailureGroups(store: RedisStore, keys: LedgerKeys, query: FailureGroupQuery): Promise<FailureGroupPage> {
  const { limit, to, taskName, taskNames, errorGroup, state } = query
  const nowMs = Date.now()
  const hours = hoursAsked(query, nowMs)
  if (hours !== null && hours.end <= hours.first) return NO_GROUPS
  const deadline = performance.now() + GROUPS_READ_MS
  // Without a filter, everything in the list from the first hour on matches.
  const isFiltered = to !== undefined || taskName !== undefined || taskNames !== undefined || errorGroup !== undefined ||
    state !== undefined
  const trendFrom = Math.floor(nowMs / HOUR_MS) - TREND_HOURS + 1
  const wantedTasks = taskNames && new Set(taskNames)
  const found: FailureGroup[] = []
  let after = query.after
  for (;;) {
    const wanted = limit + 1 - found.length
    const [seen, isEnd, stoppedAt, stoppedName, ...rows] = await groupsScript(store.client, [keys.groups, keys.absent], {
      prefix: keys.prefix,
      // `end` is a Lua keyword.
      hours: hours === null ? undefined : { first: hours.first, endHour: hours.end, keptFrom: hours.keptFrom },
      task: taskName === undefined ? undefined : toStorable(taskName),
      tasks: taskNames?.map(toStorable),
      group: errorGroup === undefined ? undefined : toStorable(errorGroup),
      state,
      after: after && { lastSeenAt: after.lastSeenAt, name: toStorable(after.errorGroup) },
      limit: wanted,
      lookAt: isFiltered ? GROUPS_PER_SCRIPT : wanted,
      trendFrom
    }) as [number, number, Buffer, Buffer, ...Array<[Buffer, number, Buffer[], number[]]>]
    for (const [name, count, fields, trend] of rows)
      found.push({ ...groupFromStored(name.toString(), count, fields.map(String), wantedTasks), trend })
    if (stoppedName.length > 0) after = { lastSeenAt: Number(stoppedAt), errorGroup: fromStorable(stoppedName.toString()) }
    const isFull = found.length > limit
    if (!isFull && isEnd === 0 && performance.now() < deadline) continue

    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const next = isFull ? { lastSeenAt: last!.lastSeenAt, errorGroup: last!.errorGroup } : isEnd === 1 ? null : after ?? null
    const isAll = next === null && query.after === undefined
    return {
      groups: shown,
      next,
      total: isFiltered ? { value: found.length, relation: isAll ? 'exact' : 'at_least' } : { value: seen, relation: 'exact' }
    }
  }
}

function groupFromStored(
  name: string, count: number, stored: readonly string[], wantedTasks: ReadonlySet<string> | undefined
): Omit<FailureGroup, 'trend'> {
  const fields = new Map<string, string>()
  const tasks = new Map<string, number>()
  for (let i = 0; i < stored.length; i += 2) {
    const field = stored[i]!
    if (field.startsWith(GROUP_TASK_FIELD)) tasks.set(fromStorable(field.slice(GROUP_TASK_FIELD.length)), Number(stored[i + 1]))
    else fields.set(field, fromStorable(stored[i + 1]!))
  }
  const frame = fields.get('frame') ?? ''
  const lastSeenAt = Number(fields.get('lastSeenAt'))
  const decision: StoredDecision = {
    resolvedThrough: storedNumber(fields.get('resolvedThrough')),
    resolvedCount: storedNumber(fields.get('resolvedCount')),
    countedAt: storedNumber(fields.get('countedAt')),
    decidedAt: storedNumber(fields.get('decidedAt')),
    decidedBy: fields.get('decidedBy') ?? null,
    note: fields.get('note') ?? null,
    operationId: fields.get('operationId') ?? null,
    operationAt: storedNumber(fields.get('operationAt'))
  }
  return {
    errorGroup: fromStorable(name),
    type: fields.get('type') ?? '',
    message: fields.get('message') ?? '',
    frame: frame === '' ? null : frame.slice(1),
    count,
    firstSeenAt: Number(fields.get('firstSeenAt')),
    lastSeenAt,
    lastExecutionId: fields.get('lastExecutionId') ?? '',
    tasks: Array.from(tasks, ([taskName, count]) => ({ taskName, count })).filter(({ taskName }) => wantedTasks?.has(taskName) !== false)
      .sort((a, b) => b.count - a.count || (a.taskName < b.taskName ? -1 : 1)).slice(0, MAX_TASKS_PER_GROUP),
    state: stateOf({ lastSeenAt, count: Number(fields.get('count')) }, decision),
    decision: decisionOf(decision),
    isShared: wantedTasks !== undefined && [...tasks.keys()].some(task => !wantedTasks.has(task))
  }
}
