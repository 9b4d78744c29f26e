import type { FastifyRequest } from 'fastify'
import type { AuditQuery } from '../../../schemas/audit.ts'
import { BULK_OUTCOMES, BulkIdParams, type BulkItemsQuery, type BulkListQuery } from '../../../schemas/bulk.ts'
import { ErrorGroupInput, ExecutionIdInput, ScheduleIdInput, TaskNameInput, WorkerIdInput } from '../../../schemas/common.ts'
import { EXECUTION_STATUSES, type ExecutionDetail, type ExecutionListQuery } from '../../../schemas/execution.ts'
import { FAILURE_STATE_FILTERS, type FailureGroupPage, type FailureListQuery } from '../../../schemas/failure.ts'
import type { Schedule, ScheduleListQuery } from '../../../schemas/schedule.ts'
import type { TimeseriesQuery } from '../../../schemas/timeseries.ts'
import type { Action } from '../actions.ts'
import { auditReaderOf, bulkOf, executionsOf, failuresOf, queuesOf, schedulesOf, statsOf, tasksOf, workersOf } from '../decorators.ts'
import type { AccessResource } from '../options.ts'
import { rangeOf, type FirstRange } from './first-range.ts'

/** A request that a page makes as soon as it opens. */
export interface FirstRead {
  readonly action: Action
  readonly resource: AccessResource
  /** Below the mount, exactly as the interface requests it. For a different request the response is not used. */
  readonly address: string
  /** Resolves to undefined if the page has to make the request itself. */
  readonly answer: (request: FastifyRequest) => Promise<unknown>
  /** Requests that the page makes once it has this response. */
  readonly next?: (answer: never) => readonly FirstRead[]
}

/** Parameters of a page's address; one that is absent or empty is null. */
export type Ask = (name: string) => string | null
type Query<Wanted> = { readonly [Key in keyof Wanted]: Wanted[Key] | null | undefined }

const GROUPS_PER_PAGE = 200
const EXECUTIONS_PER_PAGE = 100
const RECENT = 8
const BULK_OPERATIONS_PER_PAGE = 50
const BULK_ITEMS_PER_PAGE = 100
const AUDIT_ENTRIES_PER_PAGE = 100
const RUNS_OF_A_SCHEDULE = 20
const RUNS_PREVIEWED = 10

/** Parameters that name something, with the names that the API accepts. */
const NAMES: Readonly<Record<string, { readonly maxLength?: number; readonly pattern?: string }>> = {
  name: TaskNameInput, task: TaskNameInput, schedule: ScheduleIdInput, worker: WorkerIdInput, group: ErrorGroupInput,
  execution: ExecutionIdInput, operation: BulkIdParams.properties.id
}

/** @param page the path of a page below the mount, such as `/failures` */
export function firstReads(page: string, ask: Ask, now: number): readonly FirstRead[] {
  if (!Object.entries(NAMES).every(([parameter, schema]) => isName(ask(parameter), schema))) return []
  if (page === '/') return ofDashboard(ask, now)
  if (page === '/failures') return ask('group') === null ? ofFailures(ask, now) : ofGroup(ask, now)
  if (page === '/executions') return ofExecutions(ask, now)
  if (page === '/tasks') return ofTask(ask, now)
  if (page === '/schedules') return ofSchedule(ask)
  if (page === '/bulk') return ofBulk(ask)
  if (page === '/audit') return ofAudit(ask)
  if (page !== '/workers') return []
  return [{ action: 'workers:view', resource: {}, address: 'api/workers', answer: request => workersOf(request).list() }]
}

function ofDashboard(ask: Ask, now: number): readonly FirstRead[] {
  const range = rangeIn(ask, '1h', now)
  const [hour, day] = [rangeOf(null, '1h', now)!, rangeOf(null, '24h', now)!]
  return [
    series(hour), hourlyLoad(), failures({ from: day.from, limit: GROUPS_PER_PAGE }),
    schedules({ enabled_only: true, order: 'next_run', limit: RECENT }), QUEUES,
    ...range === null ? [] : [
      series(range), failures({ from: range.from, state: 'open', limit: GROUPS_PER_PAGE }),
      executions({ status: 'failed', from: range.from, limit: RECENT })
    ]
  ]
}

/** Which queues are paused. */
const QUEUES: FirstRead = {
  action: 'queues:view', resource: {}, address: 'api/queues', answer: request => queuesOf(request).list()
}

function ofFailures(ask: Ask, now: number): readonly FirstRead[] {
  const [range, taskName] = [rangeIn(ask, '24h', now), ask('task')]
  const state = FAILURE_STATE_FILTERS.find(each => each === ask('state')) ?? 'open'
  return [
    hourlyLoad(),
    ...range === null ? [] : [failures({ from: range.from, task_name: taskName, state, limit: GROUPS_PER_PAGE })],
    ...range === null || taskName !== null ? [] : [series(range)]
  ]
}

function ofGroup(ask: Ask, now: number): readonly FirstRead[] {
  const range = rangeIn(ask, 'all', now)
  if (range === null) return [hourlyLoad()]
  const group = ask('group')
  const lastOf = ({ items: [found] }: FailureGroupPage): FirstRead[] => (found ? [execution(found.last_execution_id)] : [])
  return [
    hourlyLoad(), { ...failures({ error_group: group, from: range.from }), next: lastOf },
    executions({ status: 'failed', error_group: group, order: orderIn(ask), from: range.from, limit: EXECUTIONS_PER_PAGE }), ...ofPanel(ask)
  ]
}

function ofExecutions(ask: Ask, now: number): readonly FirstRead[] {
  const range = rangeIn(ask, 'all', now)
  // A search may name tasks and schedules, and may have to scan everything.
  if (range === null || ask('search') !== null || ask('took') !== null) return ofPanel(ask)
  const filter = { task_name: ask('task'), schedule_id: ask('schedule'), worker_id: ask('worker'), error_group: ask('group') }
  const status = EXECUTION_STATUSES.find(each => each === ask('status'))
  const counted = [undefined, ...EXECUTION_STATUSES]
  return [
    executions({ status, ...filter, order: orderIn(ask), from: range.from, limit: EXECUTIONS_PER_PAGE }),
    ...counted.map(each => executions({ status: each, ...filter, from: range.from, limit: 1 })), ...ofPanel(ask)
  ]
}

function ofTask(ask: Ask, now: number): readonly FirstRead[] {
  const taskName = ask('name')
  if (taskName === null) return []
  return [
    {
      action: 'tasks:view', resource: { taskName }, address: `api/tasks/${encodeURIComponent(taskName)}`,
      answer: request => tasksOf(request).get(taskName)
    },
    timeseries({ metric: 'duration_ms', task_name: taskName, window: '24h', step: '1h' }),
    failures({ from: rangeOf(null, '24h', now)!.from, task_name: taskName, state: 'all', limit: GROUPS_PER_PAGE }),
    schedules({ task_name: taskName }),
    executions({ task_name: taskName, order: orderIn(ask), limit: EXECUTIONS_PER_PAGE }), ...ofPanel(ask)
  ]
}

function ofSchedule(ask: Ask): readonly FirstRead[] {
  const scheduleId = ask('schedule')
  if (scheduleId === null) return ask('new') === null ? [] : ofComposer(ask)
  const one = { action: 'schedules:view', resource: { scheduleId } } as const
  const address = `api/schedules/${encodeURIComponent(scheduleId)}`
  return [
    { ...one, address, answer: request => schedulesOf(request).get(scheduleId), next: (schedule: Schedule) => [nextRuns(schedule)] },
    { ...one, address: `${address}/misses`, answer: request => schedulesOf(request).misses(scheduleId) },
    executions({ schedule_id: scheduleId, limit: RUNS_OF_A_SCHEDULE })
  ]
}

/** The list, and the tasks that can have a new schedule. */
function ofComposer(ask: Ask): readonly FirstRead[] {
  const isFiltered = ask('enabled') !== null || ask('search') !== null
  return [
    { action: 'tasks:view', resource: {}, address: 'api/tasks', answer: request => tasksOf(request).list() },
    ...isFiltered ? [] : [{ ...schedules({}), address: 'api/schedules' }]
  ]
}

/** The operations, or one of them with its items. */
function ofBulk(ask: Ask): readonly FirstRead[] {
  const operationId = ask('operation')
  if (operationId === null) {
    const query: BulkListQuery = { limit: BULK_OPERATIONS_PER_PAGE }
    return [listed('bulk:view', 'api/bulk', query, request => bulkOf(request).list(query))]
  }
  const address = `api/bulk/${encodeURIComponent(operationId)}`
  const outcome = BULK_OUTCOMES.find(each => each === ask('outcome'))
  const query: BulkItemsQuery = given({ outcome, limit: BULK_ITEMS_PER_PAGE })
  return [
    { action: 'bulk:view', resource: {}, address, answer: request => bulkOf(request).get(operationId) },
    listed('bulk:view', `${address}/items`, query, request => bulkOf(request).items(operationId, query))
  ]
}

const AUDIT_FILTERS = ['actor', 'action', 'outcome', 'task', 'schedule', 'execution', 'range', 'from', 'to']

/** The newest entries. A filter may have to scan the whole log. */
function ofAudit(ask: Ask): readonly FirstRead[] {
  if (AUDIT_FILTERS.some(name => ask(name) !== null)) return []
  const query: AuditQuery = { limit: AUDIT_ENTRIES_PER_PAGE }
  return [listed('audit:view', 'api/audit', query, request => auditReaderOf(request).list(query))]
}

/** The open execution, and how many executions failed in the same way. */
function ofPanel(ask: Ask): readonly FirstRead[] {
  const id = ask('execution')
  const alike = ({ error_group: group }: ExecutionDetail): FirstRead[] =>
    (group === null ? [] : [executions({ status: 'failed', error_group: group, limit: 1 })])
  return id === null ? [] : [{ ...execution(id), next: alike }]
}

function isName(text: string | null, { maxLength = 0, pattern = '' }: (typeof NAMES)[string]): boolean {
  return text === null || (text.length <= maxLength && new RegExp(pattern, 'u').test(text))
}

function rangeIn(ask: Ask, fallback: string, now: number): FirstRange | null {
  return ask('from') === null && ask('to') === null ? rangeOf(ask('range'), fallback, now) : null
}

function orderIn(ask: Ask): 'oldest' | null {
  return ask('order') === 'oldest' ? 'oldest' : null
}

function execution(executionId: string): FirstRead {
  return {
    action: 'executions:view', resource: { executionId }, address: `api/executions/${encodeURIComponent(executionId)}`,
    answer: request => executionsOf(request).get(executionId)
  }
}

// The parameters are in the same order as in the interface's requests.

function executions({ status, task_name, schedule_id, worker_id, error_group, order, from, limit }: Query<ExecutionListQuery>): FirstRead {
  const query = given({ status, task_name, schedule_id, worker_id, error_group, order, from, limit })
  return listed('executions:view', 'api/executions', query, request => executionsOf(request).list(query))
}

function failures({ error_group, from, task_name, state, limit }: Query<FailureListQuery>): FirstRead {
  const query = given({ error_group, from, task_name, state, limit })
  return listed('executions:view', 'api/failures', query, request => failuresOf(request).list(query))
}

function schedules({ enabled_only, task_name, order, limit }: Query<ScheduleListQuery>): FirstRead {
  const query = given({ enabled_only, task_name, order, limit })
  return listed('schedules:view', 'api/schedules', query, async request => {
    const { items, nextCursor } = await schedulesOf(request).list(query)
    // The API returns the next cursor in a header, which cannot be included here.
    return nextCursor === null ? items : undefined
  })
}

function nextRuns({ cron, interval_ms, timezone, next_run_at: next, start_at: start, jitter_ms: jitterMs }: Schedule): FirstRead {
  const at = next === null ? null : Date.parse(next)
  const startsAt = start === null ? null : Date.parse(start)
  const from = interval_ms !== null && at !== null
    ? at - interval_ms
    : startsAt !== null && startsAt > Date.now() ? startsAt - 1 : at === null || jitterMs > 0 ? null : at - 1
  const timing = cron === null ? { interval_ms: interval_ms ?? 0, timezone } : { cron, timezone }
  const query = given({ ...timing, count: RUNS_PREVIEWED, from: from === null ? null : new Date(from).toISOString() })
  return listed('schedules:view', 'api/schedules/preview', query, request => schedulesOf(request).preview(query))
}

function timeseries({ metric, window, step, task_name }: Query<TimeseriesQuery>): FirstRead {
  const query = given(task_name ? { metric, task_name, window, step } : { metric, window, step })
  return listed('stats:view', 'api/timeseries', query, request => statsOf(request).timeseries(query))
}

function series({ window, step }: FirstRange): FirstRead {
  return timeseries({ metric: 'duration_ms', window, step })
}

function hourlyLoad(): FirstRead {
  return timeseries({ metric: 'executions', window: '24h', step: '1h' })
}

function listed(
  action: Action, path: string, query: object & { readonly task_name?: string; readonly schedule_id?: string }, answer: FirstRead['answer']
): FirstRead {
  const { task_name: taskName, schedule_id: scheduleId } = query
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))
  return {
    action, resource: { ...taskName !== undefined && { taskName }, ...scheduleId !== undefined && { scheduleId } },
    address: `${path}?${parameters.toString()}`, answer
  }
}

type Given<Parameters> = { [Key in keyof Parameters]?: NonNullable<Parameters[Key]> }

function given<Parameters extends object>(parameters: Parameters): Given<Parameters> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined)) as Given<Parameters>
}
