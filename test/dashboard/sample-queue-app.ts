import type { ExecutionDetail } from '../../lib/execution.ts'
import { createTaskDashboardError } from '../../lib/errors.ts'
import { completeSearch } from '../../lib/backend/search/complete-search.ts'
import { namesInSearch } from '../../lib/backend/search/names-in-search.ts'
import { executionFilterFrom, isWithin } from '../../lib/queue-app/monitoring/executions/execution-filter.ts'
import type { Monitoring, QueueOverview, ScheduleOverview, TaskReport } from '../../lib/queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../lib/queue-app/operations/operations.ts'
import { createTimeseries } from '../../lib/queue-app/monitoring/timeseries.ts'
import { sampleFailures } from './sample-failures.ts'
import { sampleBulk } from './sample-bulk.ts'
import { sampleAnswers, sampleAudit, sampleJobOf } from './sample-records.ts'
import { sampleQueue, sampleWorkers } from './sample-workers.ts'

/** Fixed, so that every answer is known. */
export const NOW = Date.UTC(2026, 10, 20, 9)

/** Names and ids as hostile as permitted. */
export const TASK_NAMES = ['email:send', 'reports/daily', '日報', 'a b%2Fc?d#e', '🎉'.repeat(100), '</script>', 'executions', '字'.repeat(100)]
export const EXECUTION_IDS = ['e-1', 'schedule:abc:1763629200000', 'x'.repeat(200), 'a/b', '<i>']
/** The id of an execution that retention removed. */
export const PRUNED_ID = '01900000-0000-7000-8000-000000000000'

export interface SampleQueueApp {
  readonly monitoring: Monitoring
  readonly operations: Operations
}

/** A queue app for tests of HTTP itself. It has no datastore; its state is in this object. */
export function sampleQueueApp(
  instead: { readonly monitoring?: Partial<Monitoring>; readonly operations?: Partial<Operations> } = {}
): SampleQueueApp {
  const schedules = new Map([sampleSchedule({ scheduleId: 's-1' }), sampleSchedule({ scheduleId: 's/2', enabled: false, nextRunAt: null })]
    .map(schedule => [schedule.scheduleId, schedule]))
  let created = 0
  const audit = sampleAudit()
  const failures = sampleFailures(NOW)
  const bulk = sampleBulk(NOW, TASK_NAMES)

  function found(scheduleId: string): ScheduleOverview {
    const schedule = schedules.get(scheduleId)
    if (!schedule) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
    return schedule
  }

  function queueNamed(name: string): QueueOverview | null {
    return TASK_NAMES.map(sampleQueue).find(queue => queue.name === name || queue.taskName === name) ?? null
  }

  function foundQueue(name: string): QueueOverview {
    const queue = queueNamed(name)
    if (queue === null) throw createTaskDashboardError('QUEUE_NOT_FOUND', [name])
    return queue
  }

  const monitoring: Monitoring = {
    stores: { broker: 'redis', backend: 'postgres' },
    patienceMs: 1_500,
    supports: { search: 'indexed', changes: true, manages: false },
    endsWithProcess: false,
    tasks: async () => TASK_NAMES.map(sampleTask),
    task: async name => TASK_NAMES.includes(name) ? sampleTask(name) : null,
    workers: async () => sampleWorkers(NOW, TASK_NAMES),
    queues: async () => TASK_NAMES.map(sampleQueue),
    queue: async name => queueNamed(name),
    taskOfQueue: name => name,
    async executions({ scheduleId: _ofAnySchedule, ...query }) {
      if (query.cursor !== undefined && query.cursor !== 'next') throw createTaskDashboardError('INVALID_CURSOR')
      const filter = executionFilterFrom(query, NOW)
      const all = EXECUTION_IDS.map(sampleExecution).filter(execution => filter !== null && isWithin(filter, execution, execution.args))
      const executions = all.slice(0, query.limit ?? 50)
      return {
        executions, nextCursor: executions.length < all.length ? 'next' : null, total: { value: all.length, relation: 'exact' },
        scanned: null, complete: true
      }
    },
    removalOf: async executionId => executionId === PRUNED_ID ? { prunedBefore: NOW } : null,
    bulk: bulk.reads,
    searchNames: namesInSearch,
    searchCompletions: async (search, position) => completeSearch(search, position, { taskNames: TASK_NAMES }),
    failureGroups: failures.failureGroups,
    timeseries: createTimeseries({
      totals: async () => ({ success: 2, failed: 1, since: NOW - 3_600_000 }),
      rollups: async () => [{ startMs: NOW - 60_000, tally: { success: 2, failed: 1, duration: new Map([[10, 3]]), wait: new Map() } }]
    }, () => NOW),
    why: async executionId => EXECUTION_IDS.includes(executionId)
      ? { taskName: 'email:send', facts: [{ kind: 'finished', status: 'failed', finishedAt: NOW }], isKnown: true }
      : null,
    jobOf: sampleJobOf(EXECUTION_IDS, NOW),
    retriesOf: async executionId => EXECUTION_IDS.includes(executionId) ? [{ ...sampleExecution('e-retry'), retryOf: executionId }] : [],
    standingRetryOf: async () => null,
    execution: async executionId => EXECUTION_IDS.includes(executionId) ? sampleExecution(executionId) : null,
    schedules: async query => pageOf([...schedules.values()], query),
    schedule: async scheduleId => schedules.get(scheduleId) ?? null,
    async scheduleMisses(scheduleId) {
      found(scheduleId)
      return [
        {
          kind: 'late', reason: 'busy', firstDueAt: NOW, lastDueAt: NOW, count: 1, recordedAt: NOW + 40_000, lateMs: 40_000,
          executionId: 'e-1'
        },
        {
          kind: 'missed', reason: 'no_worker', firstDueAt: NOW - 9000, lastDueAt: NOW - 1000, count: 9, recordedAt: NOW, lateMs: null,
          executionId: null
        }
      ]
    },
    async scheduleAgenda(from, to) {
      const hours = Array.from({ length: Math.ceil((to - from) / 3_600_000) }, (_, index) => from + index * 3_600_000)
      const counts = hours.map(() => 2)
      return {
        hours, totals: counts,
        schedules: [{ scheduleId: 's-1', taskName: 'email:send', description: null, total: 2 * hours.length, counts }]
      }
    },
    previewSchedule(timing, { count = 10, from = NOW } = {}) {
      if ('cron' in timing) checkCron(timing.cron)
      const runs = Array.from({ length: count }, (_, index) => ({
        at: NOW + index * 60_000, local: '2026-11-20T09:00:00', offset: '+00:00', note: null
      }))
      return { description: `Every minute from ${from}`, timezone: timing.timezone, runs }
    },
    auditEntries: audit.list,
    statistics: async () => ({
      executions: { pending: 3, running: 1, success: 999, failed: 1 },
      activeWorkers: null,
      registeredTasks: TASK_NAMES.length,
      schedules: { total: schedules.size, enabled: 1, overdue: 0 },
      throughputPerMinute: 12.5,
      duration: { p50: 10, p95: 20, p99: 30.5 },
      wait: null,
      oldestPendingMs: 1200,
      history: {
        success: { count: 900, oldestFinishedAt: NOW - 9e8 }, failed: { count: 0, oldestFinishedAt: null }, prunedBefore: NOW - 9e8,
        retention: { success: { maxAgeMs: 9e8, maxCount: 1000 }, failed: { maxAgeMs: Infinity, maxCount: Infinity } }
      },
      generatedAt: Date.now()
    }),
    datastores: async () => ({
      broker: { kind: 'redis', version: '7.2.0', evictionPolicy: 'allkeys-lru', persistence: 'none' },
      backend: { kind: 'postgres', version: '16.1', evictionPolicy: null, persistence: 'log' }
    }),
    async health() {
      const fine = { healthy: true, message: 'fine' }
      return {
        status: 'degraded',
        timestamp: NOW,
        uptimeMs: 1234,
        components: {
          app: fine, broker: { ...fine, latencyMs: 1.5 }, backend: fine, scheduler: fine,
          workers: { healthy: false, message: 'No worker runs' }
        }
      }
    }
  }

  const operations: Operations = {
    async limitQueue(name, limits) {
      const { concurrency = null, rate = null, by = null, reason = null } = limits ?? {}
      return { ...foundQueue(name), limits: { concurrency, rate, since: NOW, by, reason } }
    },
    async deleteExecution(executionId) {
      return { executionId, taskName: TASK_NAMES[0]! }
    },
    async createSchedule(input) {
      if (!TASK_NAMES.includes(input.taskName)) {
        throw createTaskDashboardError('TASK_NOT_REGISTERED', [input.taskName], {
          errors: [{ pointer: '/task_name', message: 'is not registered' }]
        })
      }
      if ('cron' in input.timing) checkCron(input.timing.cron)
      const schedule = sampleSchedule({
        scheduleId: `created-${++created}`,
        taskName: input.taskName,
        ...('cron' in input.timing
          ? { scheduleType: 'cron', cron: input.timing.cron, intervalMs: null }
          : { scheduleType: 'interval', cron: null, intervalMs: input.timing.intervalMs }),
        args: input.args ?? [],
        description: input.description ?? null,
        enabled: input.enabled ?? true,
        priority: input.priority ?? 0,
        createdAt: NOW + created
      })
      // Limited, so that thousands of calls stay fast.
      if (schedules.size < 20) schedules.set(schedule.scheduleId, schedule)
      return schedule
    },
    async setScheduleEnabled(scheduleId, enabled) {
      const schedule = { ...found(scheduleId), enabled, nextRunAt: enabled ? NOW + 60_000 : null }
      schedules.set(scheduleId, schedule)
      return schedule
    },
    async updateSchedule(scheduleId, changes, { ifVersion } = {}) {
      const current = found(scheduleId)
      if (ifVersion !== undefined && ifVersion !== '*' && ifVersion !== current.version)
        throw createTaskDashboardError('CONFLICT', ['changed since'])
      if (changes.cron !== undefined) checkCron(changes.cron)
      const { wins, ...fields } = changes
      const schedule = { ...current, ...fields, version: `v.${++created + 1}` }
      schedules.set(scheduleId, schedule)
      return schedule
    },
    async runSchedule(scheduleId) {
      found(scheduleId)
      return 'e-1'
    },
    async pauseQueue(name, { reason = null, until = null, by = null } = {}) {
      return { ...foundQueue(name), pause: { since: NOW, reason, until, by } }
    },
    async resumeQueue(name) {
      return { ...foundQueue(name), pause: null }
    },
    async runTask(taskName) {
      if (!TASK_NAMES.includes(taskName)) throw createTaskDashboardError('TASK_NOT_FOUND', [taskName])
      return 'e-2'
    },
    async updateExecution(executionId, { priority }) {
      if (executionId !== 'e-1') throw createTaskDashboardError('EXECUTION_NOT_FOUND', [executionId])
      return { ...sampleExecution(executionId), ...priority !== undefined && { priority } }
    },
    async cancelExecution(executionId) {
      if (executionId !== 'e-1') throw createTaskDashboardError('EXECUTION_NOT_FOUND', [executionId])
      return { ...sampleExecution(executionId), status: 'cancelled', state: 'cancelled' }
    },
    ...failures.operations,
    async retryExecution(executionId) {
      if (executionId !== 'e-1') throw createTaskDashboardError('EXECUTION_NOT_FOUND', [executionId])
      return { executionId: 'e-2', taskName: 'email:send', args: null }
    },
    async deleteSchedule(scheduleId) {
      found(scheduleId)
      schedules.delete(scheduleId)
    },
    bulk: bulk.writes,
    audit: audit.log,
    answers: sampleAnswers()
  }

  return { monitoring: { ...monitoring, ...instead.monitoring }, operations: { ...operations, ...instead.operations } }
}

export function sampleSchedule(fields: Partial<ScheduleOverview>): ScheduleOverview {
  return {
    scheduleId: 's', scheduleType: 'cron', taskName: 'email:send', cron: '0 9 * * *', intervalMs: null, timezone: 'UTC',
    description: 'Every </script> morning',
    human: 'At 09:00 AM', args: ['a', { b: [1, null] }], enabled: true, priority: 0, overlap: 'allow', catchUp: 'none', jitterMs: 0,
    startAt: null, changes: 'all',
    endAt: NOW + 1e9, source: 'code', version: 'v.1', taskRegistered: true, wins: 'live',
    drift: [{ field: 'jitterMs', code: 5, live: 0, since: NOW, by: 'ana' }],
    createdAt: NOW - 1000, updatedAt: NOW,
    nextRunAt: NOW + 60_000, overdue: false, missed: 0, late: 1, lastRunAt: NOW - 60_000, lastStatus: 'success', runs: 3, success: 2,
    failed: 1, avgDurationMs: 12.25, note: null,
    ...fields
  }
}

function sampleTask(name: string): TaskReport {
  return {
    name, type: 'io', description: null, queue: `q-${TASK_NAMES.indexOf(name)}`, partOf: null, retries: 2,
    backoff: { type: 'exponential', delayMs: 1500, maxDelayMs: 60_000, jitter: 0.2 }, timeoutMs: null, concurrency: 4,
    rateLimit: { max: 10, durationMs: 60_000 }, rateLimitedUntil: null, workers: 1,
    schedules: 1, executions: { pending: 1, running: 0, success: 2, failed: 1 }, duration: { p50: 1, p95: 2, p99: 3 }, wait: null,
    last: { executionId: 'e-1', status: 'failed', finishedAt: NOW, durationMs: 120, beganAt: NOW - 120 }, firstSeenAt: NOW - 5000,
    lastSeenAt: NOW, oldestPendingMs: null
  }
}

function sampleExecution(executionId: string): ExecutionDetail {
  const error = { type: 'TypeError', message: `</script>${'é'.repeat(1000)}`, stack: 'TypeError: at handler.js:1' }
  return {
    executionId, taskName: 'email:send', queue: 'q-0', status: 'failed', state: 'failed', attempt: 2, maxAttempts: 2, priority: 0,
    scheduleId: null, retryOf: null, workerId: 'host:1', submittedAt: NOW, startedAt: NOW + 2000, finishedAt: NOW + 3000,
    waitMs: 10, durationMs: 1000, progress: { done: 0.5 }, error,
    errorGroup: 'abc', args: ['a@b.c', { nested: [true, null] }], result: undefined,
    attempts: [
      { attempt: 1, startedAt: NOW + 10, finishedAt: NOW + 1000, workerId: 'host:1', error },
      { attempt: 2, startedAt: NOW + 2000, finishedAt: NOW + 3000, workerId: 'host:1', error }
    ],
    logs: ['one', '</script>'], truncated: []
  }
}

function checkCron(cron: string): void {
  if (cron.trim().split(/\s+/).length === 5) return
  throw createTaskDashboardError('INVALID_CRON', [cron, 'it needs five fields'], {
    errors: [{ pointer: '/cron', message: 'needs five fields' }]
  })
}

/** Filters like the queue app. */
export function pageOf(schedules: readonly ScheduleOverview[], query: Parameters<Monitoring['schedules']>[0] = {}): ScheduleOverview[] {
  const { enabledOnly, taskName, search, after, limit, order } = query
  const ordered = order === 'nextRun'
    ? schedules.toSorted((one, other) => (one.nextRunAt ?? Infinity) < (other.nextRunAt ?? Infinity) ? -1 : 1)
    : schedules
  return ordered
    .filter(one => !after || one.createdAt > after.createdAt || (one.createdAt === after.createdAt && one.scheduleId > after.scheduleId))
    .filter(one => (!enabledOnly || one.enabled) && (taskName === undefined || one.taskName === taskName) &&
      (search === undefined || one.scheduleId.includes(search)))
    .slice(0, limit)
}
