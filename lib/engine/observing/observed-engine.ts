import { createTaskDashboardError } from '../../errors.ts'
import { failedCall } from '../../stores/failures/unavailable.ts'
import { budgetsOf, SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { Engine, InFlightSummary, QueueState } from '../engine.ts'
import { limitsFrom } from '../limiting/queue-limits.ts'
import { UNKNOWN_PAUSE } from '../pausing/queue-pause.ts'
import { inFlightOf, NOTHING_HELD, type StateCounts } from '../queues/queue-reads.ts'
import type { ManagedQueues } from './managing/manage-queues.ts'
import { findObserved } from './find-observed.ts'
import { createObservedFinished } from './observed-finished.ts'
import { executionDetailFromObserved, executionFromObserved } from './observed-job.ts'
import type { ObservedQueue } from './observed-queue.ts'
import { inFlightOfReachable } from './in-flight-of-reachable.ts'
import { held, ofReachable, unlessAllAway, type OfReachable } from './observed-queue-reads.ts'
import { readJobFacts, type JobFactsDependencies } from './relations/read-job-facts.ts'

/**
 * The engine of an app that observes existing queues. It only reads, and the clients that it uses could not send a write. A call that
 * would change a queue rejects with OBSERVED_ONLY; only pausing and resuming work, if `managed` is given. Tasks are named after their
 * queues, see `ObservedQueue`.
 * @param managed pauses and resumes queues if the app may manage them; null if not
 * @param relations finds the queues of parents and children, and how jobs that are gone have ended
 */
export function createObservedEngine(
  queueOf: (taskName: string) => ObservedQueue | undefined, managed: Pick<ManagedQueues, 'pause' | 'resume'> | null = null,
  relations: JobFactsDependencies = { placed: () => undefined, recordedFinish: () => null }
): Engine {
  const { callMs, partMs, severalMs } = budgetsOf(SERVER_PATIENCE_MS)

  async function request<Result>(work: () => Promise<Result>, withinMs = callMs): Promise<Result> {
    try {
      return await withDeadline(work(), withinMs, 'The broker did not answer')
    } catch (error) {
      throw failedCall(error, 'broker')
    }
  }

  /** Counts of the queues whose servers respond. A queue that is no longer observed counts as empty. */
  async function countsOf(taskNames: readonly string[], now: number): Promise<OfReachable<StateCounts>> {
    const queues = taskNames.map(name => queueOf(name))
    const found = unlessAllAway(await ofReachable(
      queues.filter(queue => queue !== undefined), partMs, (server, ofServer) => server.queues.counts(ofServer, now)
    ))
    for (const [index, name] of taskNames.entries()) if (queues[index] === undefined) found.values.set(name, NOTHING_HELD)
    return found
  }

  /** Leaves out queues whose server has returned the counts, but is too slow for this second read. */
  async function summarize({ values, lost, away }: OfReachable<StateCounts>, now: number): Promise<OfReachable<InFlightSummary>> {
    const holding = held(values)
    const dueAts = await ofReachable([...holding.keys()].flatMap(name => queueOf(name) ?? []), partMs, (server, ofServer) =>
      server.queues.oldestDueAt(ofServer.map(queue => ({ queue, counts: holding.get(queue.taskName)! })), now))
    const summaries = [...values].flatMap(([name, counts]): Array<[string, InFlightSummary]> => {
      const dueAt = holding.has(name) ? dueAts.values.get(name) : null
      return dueAt === undefined
        ? []
        : [[name, { ...inFlightOf(counts), oldestPendingMs: dueAt === null ? null : Math.max(now - dueAt, 0) }]]
    })
    return unlessAllAway({ values: new Map(summaries), lost: lost ?? dueAts.lost, away: [...away, ...dueAts.away] })
  }

  return {
    start: async () => {},
    stop: async () => {},
    // Two sources may have queues of the same name. The task name tells them apart.
    queueOf: taskName => taskName,
    // It enqueues nothing.
    gentleBatch: 1,

    counts: taskNames => request(async () => {
      const { values } = await countsOf(taskNames, Date.now())
      return new Map([...values].map(([name, counts]) => [name, inFlightOf(counts)]))
    }),
    inFlight: query => request(async () => {
      const now = Date.now()
      return await inFlightOfReachable(queueOf, await countsOf(query.taskNames, now), query, now)
    }, severalMs),
    find: (taskNames, executionId) => request(async () => {
      const found = await findObserved(within(taskNames), executionId)
      if (found === null) return null
      const { queue, job, state } = found
      const payload = await queue.server.jobs.payload(queue, job.id)
      // Its owner may have removed the job between the two reads. The payload would then be empty.
      const isThere = await queue.server.jobs.has(queue, job.id)
      return isThere ? executionDetailFromObserved(job, state, payload) : null
      // The reads run one after the other, so they may take longer. The same holds for the other calls with `severalMs`.
    }, severalMs),
    findMany: (taskNames, executionIds) => request(async () => {
      const queues = within(taskNames)
      const found = await Promise.all(executionIds.map(id => findObserved(queues, id)))
      return found.filter(each => each !== null)
        .map(({ job, state }) => ({ ...executionFromObserved(job, state), progress: null, error: null }))
    }),
    standing: (taskNames, executionId) => request(async () => {
      const found = await findObserved(within(taskNames), executionId)
      return found && found.queue.server.jobs.standing(found.queue, found)
    }),
    jobFacts: (taskNames, executionId) => request(async () => {
      const found = await findObserved(within(taskNames), executionId)
      return found && readJobFacts(found, relations)
    }, severalMs),
    queues: taskNames => request(async () => {
      const now = Date.now()
      const [counts, { values: settings }] = await Promise.all([
        countsOf(taskNames, now),
        ofReachable(taskNames.flatMap(name => queueOf(name) ?? []), partMs, (server, queues) => server.queues.settings(queues))
          .then(unlessAllAway)
      ])
      const { values } = await summarize(counts, now)
      const known = [...values].filter(([name]) => settings.has(name) || queueOf(name) === undefined)
      return new Map(known.map(([name, summary]): [string, QueueState] => {
        const ofQueue = settings.get(name) ?? null
        return [name, {
          ...summary, pause: ofQueue?.isPaused ? UNKNOWN_PAUSE : null, limits: ofQueue && limitsFrom(ofQueue, null),
          isKnownVersion: ofQueue?.isKnownVersion ?? false
        }]
      }))
    }, severalMs),
    summary: taskNames => request(async () => {
      const now = Date.now()
      const { values, lost } = await summarize(await countsOf(taskNames, now), now)
      const all = [...values.values()]
      const ages = all.flatMap(({ oldestPendingMs }) => oldestPendingMs ?? [])
      return {
        pending: lost === null ? all.reduce((sum, { pending }) => sum + pending, 0) : null,
        running: lost === null ? all.reduce((sum, { running }) => sum + running, 0) : null,
        oldestPendingMs: ages.length === 0 ? null : Math.max(...ages)
      }
    }, severalMs),
    // Rate limits in the code of the owners' workers are not known.
    rateLimitedUntil: async () => new Map(),
    ...createObservedFinished({ queueOf, request }),
    indexQueues: async () => {},
    onReconnect: () => () => {},
    listSchedulers: async () => [],
    standingAsDefined: async () => new Set(),

    enqueue: refuse('it adds no executions'),
    work: () => { throw observedOnly('it runs no tasks') },
    cancel: refuse('it cancels nothing'),
    change: refuse('it changes no executions'),
    async pauseQueue(taskName) {
      if (managed === null) throw observedOnly('it pauses no queues')
      await managed.pause(present(taskName))
      return UNKNOWN_PAUSE
    },
    async resumeQueue(taskName) {
      if (managed === null) throw observedOnly('it resumes no queues')
      await managed.resume(present(taskName))
    },
    limitQueue: refuse('it limits no queues'),
    requestIdOf: async () => null,
    requestIdsOf: async () => new Map(),
    takeBack: refuse('it removes nothing'),
    finishedBefore: async () => [],
    removeFinished: refuse('it removes nothing'),
    upsertScheduler: refuse('it plans nothing'),
    removeScheduler: refuse('it plans nothing'),
    planSchedulerAnew: refuse('it plans nothing')
  }

  function present(taskName: string): ObservedQueue {
    const queue = queueOf(taskName)
    if (queue === undefined) throw createTaskDashboardError('QUEUE_NOT_FOUND', [taskName])
    return queue
  }

  function within(taskNames: readonly string[]): typeof queueOf {
    const names = new Set(taskNames)
    return name => names.has(name) ? queueOf(name) : undefined
  }
}

function refuse(what: string): () => Promise<never> {
  return () => Promise.reject(observedOnly(what))
}

function observedOnly(what: string): Error {
  return createTaskDashboardError('OBSERVED_ONLY', [what])
}
