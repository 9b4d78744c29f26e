import { createReconciler } from '../../backend/upkeep/reconciler.ts'
import type { ResultBackend } from '../../backend/result-backend.ts'
import { createDiscovery, type Discovery, type DiscoveryOptions } from '../../engine/observing/discovery.ts'
import { createManagedPostgres, MANAGING_STATEMENTS } from '../../engine/observing/managing/manage-postgres.ts'
import { managedByKind } from '../../engine/observing/managing/manage-queues.ts'
import { createManagedRedis, MANAGING_SCRIPTS } from '../../engine/observing/managing/manage-redis.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import { createObservedEngine } from '../../engine/observing/observed-engine.ts'
import type { ObservedServer } from '../../engine/observing/observed-server.ts'
import { createObservedPostgres } from '../../engine/observing/postgres/postgres-server.ts'
import { createObservedRedis } from '../../engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../engine/observing/schedulers/schedulers-of-servers.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Schedules } from '../../scheduler/schedules.ts'
import type { DocumentStore } from '../../stores/documents/documents.ts'
import { createChangeDatabase } from '../../stores/postgres/observing/change-database.ts'
import { createChangeClient } from '../../stores/redis/observing/change-client.ts'
import { createReadDatabase } from '../../stores/postgres/observing/read-database.ts'
import { createReadClient } from '../../stores/redis/observing/read-client.ts'
import type { Store } from '../../stores/store.ts'
import type { ExistingQueuesInBulk } from '../bulk/bulk-of-existing-queues.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import type { ExecutionLookup } from '../operations/find-execution.ts'
import type { Operations } from '../operations/operations.ts'
import type { Redaction, RedactOptions } from '../redaction/redaction.ts'
import { withRedactedArgs, withRedactedReads } from '../redaction/redacted-reads.ts'
import type { ShownRegistry } from '../scope/scoped-registry.ts'
import type { ResolvedObservation, ResolvedSource } from './resolve-observe-options.ts'
import { createFollower } from './follow-events.ts'
import { createRunObserved } from './managing/run-observed.ts'
import { createManagedExecutions, withPauses } from './managing/managed-operations.ts'
import { createNotedFinishes } from './noted-finishes.ts'
import { UNCHANGED_SCHEDULES, withoutChanges } from './without-changes.ts'
import { createNameClaim } from './claim-names.ts'
import { createJobNames } from './names/job-names.ts'
import { withJobNames } from './names/named-engine.ts'
import { withNamesRecorded } from './names/named-history.ts'
import { createObservedRegistry } from './observed-registry.ts'
import { createManagedSchedules } from './schedules/managed-schedules.ts'
import { createObservedSchedules } from './schedules/observed-schedules.ts'
import { createScheduleBooks } from './schedules/schedule-book.ts'
import { createSchedulerWatch } from './schedules/watch-schedulers.ts'
import { createRecordingTurn } from './recording-turn.ts'
import { createEventFinishes } from './event-finishes.ts'
import { createUnrecordedFinishes } from './unrecorded-finishes.ts'

/**
 * Retention does not remember the ids it removes, because other code may keep its finished jobs for ever. Instead, the reconciler records
 * nothing that is older than what was already removed.
 */
export const NOTHING_REMEMBERED_AFTER = Number.MAX_SAFE_INTEGER
/** If a person disabled a schedule and its owner's code enables it again, it may run for up to this long. */
const SETTLED_EVERY_MS = 5_000

interface ObservationDependencies {
  /** Keeps the history, and everything that observing writes: leases, positions, notes. */
  readonly resultStore: Store
  /** The history of `resultStore`. */
  readonly backend: ResultBackend
  /** Null: nothing is hidden. */
  readonly redaction: Redaction | null
  /** In the result store. */
  readonly leases: Pick<DocumentStore, 'acquireLease' | 'releaseLease'>
  /** Identifies this process. */
  readonly holder: string
  /** Whether other processes may use the result store. */
  readonly needsClaim: boolean
  /** Which tasks of queues cannot be shown, see `createDiscovery`. Default: all can. */
  readonly taken?: DiscoveryOptions['taken']
  onError(error: Error): void
}

/** The parts of a queue app that show and change existing queues. */
export interface Observation {
  readonly discovery: Discovery
  /** One for each server and database. */
  readonly servers: readonly ObservedServer[]
  /** Reads without redaction. */
  readonly original: Engine
  /** Reads as shown in the dashboard. */
  readonly engine: Engine
  readonly registry: ShownRegistry
  /** As shown in the dashboard. */
  readonly schedules: Schedules
  /** The operations of `all`, limited to what may be changed in these queues. */
  changesOf(all: Operations, shown: Monitoring): Operations
  inBulk(shown: () => Monitoring): ExistingQueuesInBulk
  /** What keeps queues from being shown, as a sentence; null if nothing does. */
  problem(): string | null
  /** Whether some queue can be read. */
  readsAny(): boolean
  /** Which queues can lose jobs because of who owns them, as a sentence; null if none is known. */
  ownersProblem(): string | null
  /** What keeps executions from being recorded, as a sentence; null if nothing does. */
  recordingProblem(): string | null
  /** What was lost earlier in the last day, as a sentence; null if nothing was. */
  earlierLosses(): string | null
  /** Opens the connections and scans for queues. Rejects like `Discovery.start`. */
  open(): Promise<void>
  /** Ends a first search that `open` waits for, because the app stops. */
  abortSearch(): void
  /** Begins to record, once the result backend is ready. Rejects if another app keeps the history of queues with the same names there. */
  start(): Promise<void>
  /** Stops recording and closes the connections. Idempotent; never rejects. */
  stop(): Promise<void>
}

/**
 * Assembles everything that is needed to observe existing queues. What observing writes, from leases to notes, goes to the result
 * backend. Without `manage`, the servers of the queues are reached only through clients that cannot write.
 */
export function observeQueues(
  sources: readonly ResolvedSource[], options: ResolvedObservation,
  { resultStore, backend, redaction, leases, holder, needsClaim, taken, onError }: ObservationDependencies
): Observation {
  const { documents } = resultStore
  const servers = openOnce(sources, source => source.kind === 'redis'
    ? createObservedRedis(createReadClient(source, onError))
    : createObservedPostgres(createReadDatabase(source, onError)))
  const observedSources = sources.map(({ source, ...others }) => ({ ...others, server: servers.get(source.identity)! }))
  const discovery = createDiscovery(
    observedSources,
    { onError, onLook: options.onLook, ...taken && { taken } }
  )
  const managedSources = options.manage ? sources : []
  const changers = openOnce(managedSources, source =>
    source.kind === 'redis' ? createChangeClient(source, MANAGING_SCRIPTS, onError) : null)
  const databases = openOnce(managedSources, source =>
    source.kind === 'postgres' ? createChangeDatabase(source, MANAGING_STATEMENTS, onError) : null)
  const managed = options.manage
    ? managedByKind({
      redis: createManagedRedis(({ server }) => changers.get(server.identity)!, queue => queue.server.versionsOf(queue)),
      postgres: createManagedPostgres(({ server }) => databases.get(server.identity)!)
    })
    : null
  const ofEvents = createEventFinishes()
  const original = createObservedEngine(discovery.queueOf, managed, {
    placed: discovery.placed,
    recordedFinish: (taskName, jobId, fromMs, toMs) => ofEvents.firstOf({ taskName, jobId }, fromMs, toMs)
  })
  const names = createJobNames(documents, options.names, taskName => discovery.queueOf(taskName) !== undefined)
  const ledger = withNamesRecorded(backend, names)
  const ofQueues = redaction ? withRedactedReads(original, redaction) : original
  const engine = withJobNames(ofQueues, names)
  const books = createScheduleBooks(documents)
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names, patienceMs: resultStore.patienceMs, problem: () => watch.problem(),
    manages: options.manage
  })
  const managedSchedules = managed && createManagedSchedules({
    managed, discovery, books, schedulers: SCHEDULERS, reads
  })
  const watch = createSchedulerWatch({
    discovery, books, reads: SCHEDULERS, leases, holder, onForgotten: backend.forgetSchedule, onError,
    ...managedSchedules && { settle: managedSchedules.settle, everyMs: SETTLED_EVERY_MS }
  })
  const schedules: Schedules = { ...reads, ...managedSchedules ?? UNCHANGED_SCHEDULES }
  const noted = createNotedFinishes()
  const turn = createRecordingTurn(documents, holder)
  const recorded: Redaction['recorded'] = execution => redaction ? redaction.recorded(execution) : execution
  const follower = createFollower({
    discovery, sources: observedSources, backend: ledger, documents: { ...documents, acquireLease: leases.acquireLease }, holder, turn,
    names, noted, ofEvents, recorded, schedulesOf: books.countSince, onError
  })
  let isStopping = false
  const unrecorded = createUnrecordedFinishes({
    finishedSince: ofQueues.finishedSince, record: ledger.record, follower, turn, ofEvents, noted, queueOf: discovery.queueOf,
    isStopping: () => isStopping
  })
  const reconciler = createReconciler({
    backend: { ...ledger, record: unrecorded.record },
    taskNames: async () => discovery.taskNames(), now: () => resultStore.now(),
    brokerHasAfter: async () => NOTHING_REMEMBERED_AFTER, leases, holder,
    // While this app stops, what the reconciler has just read is not recorded. That is not an error.
    onError: error => { if (!isStopping) onError(error) },
    newestFinished: ofQueues.newestFinished,
    finishedSince: unrecorded.finishedSince
  })
  const claim = createNameClaim(resultStore, sources, onError)
  const { queueOf } = discovery
  const executionChanges = managed && createManagedExecutions({ managed, engine: original, backend: ledger, queueOf, recorded })
  const runFor = managed && createRunObserved({ managed, server: SCHEDULERS, history: ledger, engine, names, queueOf })

  return {
    discovery,
    servers: [...servers.values()],
    original,
    engine,
    registry: createObservedRegistry(discovery, names),
    schedules: redaction ? withRedactedArgs(schedules, redaction) : schedules,
    changesOf: (all, shown) => withoutChanges(
      all, executionChanges && runFor && {
        runTask: runFor(async taskName => await shown.task(taskName) !== null),
        ...executionChanges({ find: shown.execution, removalOf: shown.removalOf }), ...withPauses(all),
        setScheduleEnabled: all.setScheduleEnabled, updateSchedule: all.updateSchedule, runSchedule: all.runSchedule, bulk: all.bulk
      }
    ),
    inBulk(shown) {
      const serverOf = (taskName: string): ObservedServer | undefined => discovery.queueOf(queueTaskOf(taskName))?.server
      const lookup: ExecutionLookup = { find: id => shown().execution(id), removalOf: id => shown().removalOf(id) }
      return {
        has: () => true, changes: executionChanges?.(lookup) ?? null, find: lookup.find,
        serverOf,
        answers: async taskName => await serverOf(taskName)?.ping().then(() => true, () => false) ?? true
      }
    },
    problem: () => [discovery.problem(), names.problem()].filter(text => text !== null).join('; ') || null,
    readsAny: discovery.readsAny,
    ownersProblem: () => [...servers.values()].flatMap(server => server.ownersProblems()).join('; ') || null,
    recordingProblem: () => reconciler.problem() ?? follower.problem(),
    earlierLosses: follower.mention,
    async open() {
      await Promise.all([discovery.start(), ...[...changers.values(), ...databases.values()].map(changer => changer.start())])
    },
    abortSearch: discovery.abort,
    async start() {
      if (needsClaim) await claim.start()
      await names.start()
      reconciler.start()
      follower.start()
      watch.start()
    },
    async stop() {
      isStopping = true
      // The reconciler releases the lease that both share, so the follower stops first.
      await follower.stop()
      await Promise.all([reconciler.stop(), watch.stop()])
      await Promise.all([discovery.stop(), ...[...changers.values(), ...databases.values()].map(changer => changer.stop())])
      await claim.stop()
      await names.stop()
    }
  }
}

/**
 * Until the name of its job is known, whatever is read from a queue has the task of the queue. So a rule for that task applies to all
 * names.
 */
export function redactByQueue(options: RedactOptions): RedactOptions {
  const { with: replace } = options
  return { ...options, ...replace && { with: (field, value, taskName) => replace(field, value, queueTaskOf(taskName)) } }
}

/** One connection for each server and database, however many sources name it. `create` returns null where none is needed. */
function openOnce<Client extends object>(
  sources: readonly ResolvedSource[], create: (source: ResolvedSource['source']) => Client | null
): ReadonlyMap<string, Client> {
  const clients = new Map<string, Client>()
  for (const { source } of sources) {
    const client = clients.has(source.identity) ? null : create(source)
    if (client !== null) clients.set(source.identity, client)
  }
  return clients
}
