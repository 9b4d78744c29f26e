import { Queue, type Job } from 'bullmq'
import { createTaskDashboardError } from '../errors.ts'
import { withDeadline } from '../time/deadline.ts'
import { budgetsOf } from '../time/budgets.ts'
import { failedCall, isStoreFailure } from '../stores/failures/unavailable.ts'
import type { Store } from '../stores/store.ts'
import { createCancelWatch } from './cancelling/cancel-watch.ts'
import { cancelExecution } from './cancelling/cancel-execution.ts'
import { connectBullmq } from './connection/bullmq-connection.ts'
import { createEngineWorker } from './workers/engine-worker.ts'
import type { Engine, EngineWorker, InFlightSummary } from './engine.ts'
import { enqueueByTask } from './enqueue-by-task.ts'
import { GENTLE_BATCH } from './gentle-batch.ts'
import { createFinishedExecutions } from './finished/finished-executions.ts'
import { listInFlight } from './in-flight/in-flight.ts'
import { executionDetailFromJob, requestIdFromJob } from './jobs/job-mapper.ts'
import { toJob } from './jobs/to-job.ts'
import { pruneDeduplication } from './finished/prune-deduplication.ts'
import { queueNameFromTask } from './jobs/queue-name.ts'
import { changePending } from './changing/change-pending.ts'
import { inFlightOf, NOTHING_HELD, type QueueReads } from './queues/queue-reads.ts'
import { selectQueues, type QueueSelection } from './queues/queue-selection.ts'
import { addUp, type QueuesSummary } from './queues/queues-summary.ts'
import { findPauses } from './pausing/find-pauses.ts'
import { readRequestIds } from './taking-back/request-ids.ts'
import { takeBack } from './taking-back/take-back.ts'
import { rateLimitedUntil } from './workers/rate-limited.ts'
import { findExecutions } from './queues/find-executions.ts'
import { findOnRedis } from './queues/redis-find.ts'
import { tendQueueIndex } from './queues/redis-queue-index.ts'
import { createRedisQueueReads } from './queues/redis-queue-reads.ts'
import { summarizeOnRedis } from './queues/redis-summary.ts'
import { watchReconnects } from './connection/reconnects.ts'
import { MAX_LOG_LINES } from './workers/run-log.ts'
import { PLANNED_ID_PREFIX } from './schedulers/planned-job-id.ts'
import { nextRunAt, planSchedulerAnew, planSuccessor, removeScheduler, upsertScheduler } from './schedulers/schedulers.ts'
import { findInSql } from './queues/sql-find.ts'
import { createSqlQueueReads } from './queues/sql-queue-reads.ts'
import { summarizeInSql } from './queues/sql-summary.ts'
import { listSchedulers, schedulersAsDefined } from './schedulers/list-schedulers.ts'
import { isStorable } from './jobs/storable.ts'
import { readStanding } from './standing/read-standing.ts'
import { findLimits } from './limiting/find-limits.ts'
import { limitQueue } from './limiting/limit-queue.ts'
import { pauseQueue, resumeQueue } from './pausing/pause-queue.ts'
import { createPauseWatch } from './pausing/pause-watch.ts'

/** The engine on BullMQ. The store decides which of BullMQ's backends is used. */
export function createBullmqEngine(store: Store): Engine {
  const { callMs, sequenceMs } = budgetsOf(store.patienceMs)
  let connection: ReturnType<typeof connectBullmq> | undefined
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  let queueReads: QueueReads | undefined
  const queues = new Map<string, Queue>()
  const workers = new Set<EngineWorker>()
  const reconnects = watchReconnects(store)
  const cancels = createCancelWatch(store)
  const pauses = createPauseWatch(store)

  const connected = (): ReturnType<typeof connectBullmq> => {
    if (connection === undefined || stopping !== undefined)
      throw createTaskDashboardError(stopping === undefined ? 'NOT_STARTED' : 'ALREADY_STOPPED')
    return connection
  }

  function reads(): QueueReads {
    connected()
    return (queueReads ??= store.kind === 'redis' ? createRedisQueueReads(store) : createSqlQueueReads(store))
  }

  function queueFor(taskName: string): Queue {
    const { requests, prefix, factory } = connected()
    const standing = queues.get(taskName)
    if (standing !== undefined) return standing
    const queue = new Queue(queueNameFromTask(taskName), {
      connection: requests,
      ...(prefix === undefined ? {} : { prefix }),
      // Reading a queue must not create it, and a server outage must not break it permanently.
      skipMetasUpdate: true,
      skipVersionCheck: true,
      skipWaitingForReady: true,
      settings: { repeatStrategy: nextRunAt }
    }, factory) as unknown as Queue
    // Every call reports its own failure.
    queue.on('error', () => {})
    queues.set(taskName, queue)
    return queue
  }

  async function request<Result>(work: () => Promise<Result>, timeoutMs = callMs): Promise<Result> {
    try {
      return await withDeadline(work(), timeoutMs, 'The broker did not answer')
    } catch (error) {
      const failure = failedCall(error, 'broker')
      if (failure !== error && isStoreFailure(failure)) reconnects.lost()
      throw failure
    }
  }

  async function readLog(queue: Queue, job: Job): Promise<string[]> {
    const { logs } = await queue.getJobLogs(job.id!, -MAX_LOG_LINES, -1)
    return logs
  }

  /** Only for queues that hold something, by name. */
  function summarize(queues: QueueSelection, now: number): Promise<Map<string, QueuesSummary>> {
    const ofQueues = reads()
    return store.kind === 'redis' ? summarizeOnRedis(store, queues, now) : summarizeInSql(store, ofQueues, queues, now)
  }

  return {
    start: () => (starting ??= (async () => {
      const bullmq = connectBullmq(store)
      await bullmq.prepare()
      connection = bullmq
      reconnects.start()
      pauses.start()
    })()),

    stop: options => (stopping ??= (async () => {
      await starting?.catch(() => {})
      if (connection === undefined) return
      reconnects.stop()
      pauses.stop()
      await Promise.all([...workers].map(worker => worker.stop(options)))
      cancels.stop()
      await Promise.all([...queues.values()].map(queue => withDeadline(queue.close(), 1_000, 'The queue did not close').catch(() => {})))
      await connection.close()
    })()),

    queueOf: queueNameFromTask,

    enqueue: requests => enqueueByTask(requests, (taskName, ofTask) => request(async () => {
      const jobs = await queueFor(taskName).addBulk(ofTask.map(toJob))
      return jobs.map(job => job.id!)
    })),

    gentleBatch: GENTLE_BATCH[store.kind],

    work(options) {
      const worker = createEngineWorker(connected(), cancels, options, job => readLog(queueFor(options.taskName), job).catch(() => []))
      workers.add(worker)
      return worker
    },

    counts: taskNames => request(async () => {
      const held = await reads().counts(selectQueues(taskNames), Date.now())
      return new Map(taskNames.map(name => [name, inFlightOf(held.get(queueNameFromTask(name)) ?? NOTHING_HELD)]))
    }),

    inFlight: query => request(() => listInFlight(reads(), selectQueues(query.taskNames), query, Date.now())),

    find: (taskNames, executionId) => request(async () => {
      if (!canBeId(executionId)) return null
      connected()
      const queues = selectQueues(taskNames)
      const found = store.kind === 'redis'
        ? await findOnRedis(store, queues, executionId, MAX_LOG_LINES)
        : await findInSql(store, queues, executionId, MAX_LOG_LINES)
      return found && executionDetailFromJob(found.job, found.state, found.logs)
    }),

    findMany: (taskNames, executionIds) => request(async () => {
      connected()
      return findExecutions(store, selectQueues(taskNames), executionIds.filter(canBeId))
    }),

    standing: (taskNames, executionId) => request(async () => {
      if (!canBeId(executionId)) return null
      connected()
      return readStanding(store, selectQueues(taskNames), executionId)
    }),

    requestIdOf: (taskName, executionId) => request(async () => {
      const job = await queueFor(taskName).getJob(executionId) as Job | undefined
      return job === undefined ? null : requestIdFromJob(job)
    }),

    requestIdsOf: (taskName, executionIds) => request(async () => {
      connected()
      return readRequestIds(store, queueNameFromTask(taskName), executionIds)
    }),

    takeBack: (taskName, executionIds, requestId) => request(async () => {
      connected()
      return takeBack(store, queueNameFromTask(taskName), executionIds, requestId)
    }, sequenceMs),

    cancel: (taskName, executionId, cancellation) => request(async () => {
      const queue = queueFor(taskName)
      // Read before planSuccessor checks the time, so that what is not due there is not due below either.
      const now = Date.now()
      // Done first: if this process dies in between, the run only stays pending.
      if (executionId.startsWith(PLANNED_ID_PREFIX)) await planSuccessor(queue, executionId)
      return cancelExecution(store, queueNameFromTask(taskName), executionId, cancellation, now)
    }, sequenceMs),

    change: (taskName, executionId, change) => request(async () => {
      connected()
      return changePending(store, queueNameFromTask(taskName), executionId, change)
    }),

    queues: taskNames => request(async () => {
      const now = Date.now()
      const selected = selectQueues(taskNames)
      const [summaries, paused, limits] = await Promise.all([
        summarize(selected, now), findPauses(store, selected), findLimits(store, selected)
      ])
      return new Map(taskNames.map(name => {
        const queue = queueNameFromTask(name)
        return [name, {
          ...toInFlightSummary(summaries.get(queue) ?? NOTHING_WAITS, now), pause: paused.get(queue) ?? null,
          limits: limits.get(queue) ?? null
        }]
      }))
    }),

    pauseQueue: (taskName, pause) => request(async () => {
      connected()
      const standing = await pauseQueue(store, queueNameFromTask(taskName), pause)
      if (standing.until !== null) pauses.wake()
      return standing
    }),

    resumeQueue: taskName => request(async () => {
      connected()
      await resumeQueue(store, queueNameFromTask(taskName))
    }, sequenceMs),

    limitQueue: (taskName, limits) => request(async () => {
      connected()
      return await limitQueue(store, queueNameFromTask(taskName), limits)
    }),

    summary: taskNames => request(async () => {
      const now = Date.now()
      return toInFlightSummary(addUp([...(await summarize(selectQueues(taskNames), now)).values()]), now)
    }),

    indexQueues: taskNames => request(async () => {
      connected()
      const { names } = selectQueues(taskNames)
      // SQL tables have indexes of their own.
      await (store.kind === 'redis' ? tendQueueIndex(store, names) : pruneDeduplication(store, names, Date.now()))
    }, sequenceMs),

    rateLimitedUntil: limits => request(async () => {
      connected()
      return rateLimitedUntil(store, limits, Date.now())
    }),

    ...createFinishedExecutions({ store, queueFor, readLog, request }),

    upsertScheduler: (definition, options) =>
      request(() => upsertScheduler(queueFor(definition.taskName), definition, options), sequenceMs),
    removeScheduler: (taskName, scheduleId) => request(() => removeScheduler(store, queueFor(taskName), scheduleId), sequenceMs),
    planSchedulerAnew: definition => request(() => planSchedulerAnew(store, queueFor(definition.taskName), definition), sequenceMs),
    listSchedulers: taskNames => request(async () => {
      connected()
      return listSchedulers(store, taskNames)
    }),
    standingAsDefined: definitions => request(async () => {
      connected()
      return schedulersAsDefined(store, definitions)
    }),
    onReconnect: reconnects.listen
  }
}

function canBeId(executionId: string): boolean {
  return executionId !== '' && executionId.length <= 300 && isStorable(executionId)
}

const NOTHING_WAITS: QueuesSummary = { ...NOTHING_HELD, oldestDueAt: null }

function toInFlightSummary(summary: QueuesSummary, now: number): InFlightSummary {
  return { ...inFlightOf(summary), oldestPendingMs: summary.oldestDueAt === null ? null : Math.max(now - summary.oldestDueAt, 0) }
}
