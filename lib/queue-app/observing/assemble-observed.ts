import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { createReconciler } from '../../backend/upkeep/reconciler.ts'
import { createRetention } from '../../backend/upkeep/retention.ts'
import { toAuditLimits, toRetentionPolicy } from '../../backend/upkeep/retention-policy.ts'
import { createResultBackend } from '../../backend/create-result-backend.ts'
import { createDiscovery } from '../../engine/observing/discovery.ts'
import { createManagedPostgres } from '../../engine/observing/managing/manage-postgres.ts'
import { createManagedQueues, managedByKind, MANAGING_SCRIPTS } from '../../engine/observing/managing/manage-queues.ts'
import { MANAGING_STATEMENTS } from '../../engine/observing/managing/postgres-changes.ts'
import { createObservedEngine } from '../../engine/observing/observed-engine.ts'
import { queueTaskOf } from '../../engine/observing/job-task.ts'
import type { ObservedServer } from '../../engine/observing/observed-server.ts'
import { createObservedPostgres } from '../../engine/observing/postgres/postgres-server.ts'
import { createObservedRedis } from '../../engine/observing/redis/redis-server.ts'
import { SCHEDULERS } from '../../engine/observing/schedulers/schedulers-of-servers.ts'
import type { Schedules } from '../../scheduler/schedules.ts'
import { createStore } from '../../stores/create-store.ts'
import { createChangeDatabase } from '../../stores/postgres/observing/change-database.ts'
import { createChangeClient } from '../../stores/redis/observing/change-client.ts'
import { createReadDatabase } from '../../stores/postgres/observing/read-database.ts'
import { createReadClient } from '../../stores/redis/observing/read-client.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import { assembleBulk } from '../bulk/assemble-bulk.ts'
import { createRequestAnswers } from '../enqueueing/request-answers.ts'
import { createMonitoring } from '../monitoring/create-monitoring.ts'
import { describeStore, type DatastoreReport } from '../monitoring/describe-store.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { createOperations } from '../operations/create-operations.ts'
import type { Operations } from '../operations/operations.ts'
import { createRetryArguments } from '../operations/retry-arguments.ts'
import type { LocalState, Parts } from '../parts.ts'
import { createWriteWatch } from '../processes/write-watch.ts'
import { createRedaction, type RedactOptions } from '../redaction/redaction.ts'
import { withRedactedArgs, withRedactedReads } from '../redaction/redacted-reads.ts'
import { createSeal } from '../redaction/seal.ts'
import { createWithin } from '../scope/create-within.ts'
import type { ResolvedObserveOptions, ResolvedSource } from './observed-options.ts'
import { createFollower } from './follow-events.ts'
import { createRunObserved } from './managing/run-observed.ts'
import { createManagedOperations } from './managing/managed-operations.ts'
import { createNotedFinishes } from './noted-finishes.ts'
import { UNCHANGED_SCHEDULES, withoutChanges } from './observed-operations.ts'
import { createNameClaim } from './claim-names.ts'
import { createJobNames } from './names/job-names.ts'
import { withJobNames } from './names/named-engine.ts'
import { withNamesRecorded } from './names/named-history.ts'
import { createObservedRegistry, observedOnly } from './observed-registry.ts'
import { createManagedSchedules } from './schedules/managed-schedules.ts'
import { createObservedSchedules } from './schedules/observed-schedules.ts'
import { createScheduleBooks } from './schedules/schedule-book.ts'
import { createSchedulerWatch } from './schedules/watch-schedulers.ts'
import { createRecordingTurn } from './recording-turn.ts'
import { createToldFinishes } from './told-finishes.ts'
import { createUntoldFinishes } from './untold-finishes.ts'

/**
 * Retention forgets the ids it removes at once, and the reconciler brings nothing back that is older than what was removed: other code may
 * keep its finished jobs for ever.
 */
const NOTHING_REMEMBERED_AFTER = Number.MAX_SAFE_INTEGER
/** A schedule that a person disabled, and its owner's code has enabled again, may run for so long. */
const SETTLED_EVERY_MS = 5_000

/**
 * The parts of an app that observes queues of other code. Everything it writes, from leases to the audit log, goes to the result backend;
 * the servers of the queues are reached by clients that can only read.
 */
export function assembleObserved(
  sources: readonly ResolvedSource[], options: ResolvedObserveOptions, { isStarted }: LocalState
): Parts {
  const { namespace, onError } = options
  const workerId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const resultStore = createStore(options.backend, { namespace, role: 'result backend', onError })
  const servers = openOnce(sources, source => source.kind === 'redis'
    ? createObservedRedis(createReadClient(source, onError))
    : createObservedPostgres(createReadDatabase(source, onError)))
  const discovery = createDiscovery(
    sources.map(({ source, ...others }) => ({ ...others, server: servers.get(source.identity)! })), { onError, onLook: options.onLook }
  )
  const managedSources = options.manage ? sources : []
  const changers = openOnce(managedSources, source =>
    source.kind === 'redis' ? createChangeClient(source, MANAGING_SCRIPTS, onError) : null)
  const databases = openOnce(managedSources, source =>
    source.kind === 'postgres' ? createChangeDatabase(source, MANAGING_STATEMENTS, onError) : null)
  const managed = options.manage
    ? managedByKind({
      redis: createManagedQueues(({ server }) => changers.get(server.identity)!),
      postgres: createManagedPostgres(({ server }) => databases.get(server.identity)!)
    })
    : null
  const told = createToldFinishes()
  const observed = createObservedEngine(discovery.queueOf, managed, {
    placed: discovery.placed,
    recordedFinish: (taskName, jobId, fromMs, toMs) => told.firstOf({ taskName, jobId }, fromMs, toMs)
  })
  const failedArgsBytes = options.retention.failed?.argsBytes
  const backend = createResultBackend(resultStore, { failedArgsBytes })
  const { paths, with: replace, seal } = options.redact
  const redact: RedactOptions = {
    ...options.redact,
    // What is read from a queue has the task of the queue until the name of its job is known. A rule for that task is one for all names.
    ...replace && { with: (field, value, taskName) => replace(field, value, queueTaskOf(taskName)) }
  }
  const redaction = paths?.length || replace || seal ? createRedaction(redact, onError, failedArgsBytes) : null
  const names = createJobNames(resultStore.documents, options.names)
  const ledger = withNamesRecorded(backend, names)
  const ofQueues = redaction ? withRedactedReads(observed, redaction) : observed
  const engine = withJobNames(ofQueues, names)
  const registry = createObservedRegistry(discovery, names)
  const { taskNames } = registry
  const writes = createWriteWatch(resultStore.documents)
  const books = createScheduleBooks(resultStore.documents)
  const reads = createObservedSchedules({
    discovery, books, reads: SCHEDULERS, names, patienceMs: resultStore.patienceMs, problem: () => watch.problem()
  })
  const managedSchedules = managed && createManagedSchedules({
    managed, discovery, books, schedulers: SCHEDULERS, reads
  })
  const watch = createSchedulerWatch({
    discovery, books, reads: SCHEDULERS, leases: resultStore.documents, holder: workerId, onForgotten: backend.forgetSchedule,
    onError,
    ...managedSchedules && { settle: managedSchedules.settle, everyMs: SETTLED_EVERY_MS }
  })
  const schedules: Schedules = { ...reads, ...managedSchedules ?? UNCHANGED_SCHEDULES }
  const upkeep = {
    backend: ledger, taskNames: async () => discovery.taskNames(), now: () => resultStore.now(),
    brokerHasAfter: async () => NOTHING_REMEMBERED_AFTER, leases: resultStore.documents, holder: workerId, onError
  }
  const noted = createNotedFinishes()
  const turn = createRecordingTurn(resultStore.documents, workerId)
  const follower = createFollower({
    discovery, backend: ledger, documents: resultStore.documents, holder: workerId, turn, names, noted, told,
    recorded: execution => redaction ? redaction.recorded(execution) : execution, onError
  })
  let isStopping = false
  const untold = createUntoldFinishes({
    finishedSince: ofQueues.finishedSince, record: ledger.record, follower, turn, told, noted, queueOf: discovery.queueOf,
    isStopping: () => isStopping
  })
  const reconciler = createReconciler({
    ...upkeep, backend: { ...ledger, record: untold.record },
    // What it read when this app stops is not recorded.
    onError: error => { if (!isStopping) onError(error) },
    newestFinished: ofQueues.newestFinished,
    finishedSince: untold.finishedSince
  })
  const claim = createNameClaim(resultStore, sources, onError)
  const policy = toRetentionPolicy(options.retention, resultStore.kind)
  const retention = createRetention({ ...upkeep, policy, unwrittenSince: async () => null })
  const audit = createAuditLog({
    store: resultStore.audit, limits: toAuditLimits(options.retention.audit, resultStore.kind), now: () => resultStore.now(), onError
  })
  const answers = createRequestAnswers({ answers: resultStore.answers, onError })
  const argumentsOf = createRetryArguments({
    findOriginal: observed.find, mayReplaceUnseen: replace !== undefined, openSealed: redaction?.openSealed ?? createSeal(null).open
  })
  const policyOf = async () => undefined
  const bulk = assembleBulk({
    engine, enqueue: observed.enqueue, backend, documents: resultStore.documents, argumentsOf, policyOf, taskNames, holder: workerId,
    now: () => resultStore.now(), onError
  })
  const shownSchedules = redaction ? withRedactedArgs(schedules, redaction) : schedules
  const operationsOf = {
    engine, argumentsOf, enqueue: observed.enqueue, schedules: shownSchedules, backend, taskNames, answers, audit, isStarted,
    shownArgs: (taskName: string, args: readonly unknown[]) => redaction?.args(taskName, args) ?? args,
    bulk: bulk.operations, policyOf, brokerNow: () => resultStore.now()
  }
  const allServers = [...servers.values()]
  const monitoringOf = {
    engine, schedules: shownSchedules, backend, registry, isStarted, resultStore,
    broker: { ping: async (timeoutMs?: number) => Math.max(...await Promise.all(allServers.map(server => server.ping(timeoutMs)))) },
    auditEntries: audit.list,
    bulk: bulk.operations,
    stores: { broker: allServers[0]!.kind, backend: resultStore.kind },
    patienceMs: resultStore.patienceMs,
    async datastores() {
      const [broker, backend] = await Promise.all([describeServer(allServers[0]!), describeStore(resultStore)])
      return { broker, backend }
    },
    workerId,
    recordingProblem: () => reconciler.problem() ?? follower.problem() ?? retention.problem(),
    processProblem: () => null,
    writeRefusal: async () => null,
    backendWriteRefusal: writes.refusal,
    retention: policy,
    observing: {
      problem: () => [discovery.problem(), names.problem()].filter(text => text !== null).join('; ') || null,
      endsWithProcess: options.endsWithProcess, manages: options.manage
    },
    createdAt: Date.now()
  }
  const monitoring = createMonitoring(monitoringOf)
  const managedFor = managed && createManagedOperations({
    managed, engine: observed, backend: ledger, queueOf: discovery.queueOf,
    recorded: execution => redaction?.recorded(execution) ?? execution
  })
  const runFor = managed && createRunObserved({
    managed, server: SCHEDULERS, history: ledger, names, queueOf: discovery.queueOf
  })
  const changesOf = (all: Operations, shown: Monitoring): Operations => withoutChanges(
    all, managedFor && runFor && {
      runTask: runFor(async taskName => await shown.task(taskName) !== null),
      ...managedFor({ find: shown.execution, removalOf: shown.removalOf }, all),
      setScheduleEnabled: all.setScheduleEnabled, updateSchedule: all.updateSchedule, runSchedule: all.runSchedule
    }
  )
  const operations = changesOf(createOperations({ ...operationsOf, findQueue: name => monitoring.queue(name) }), monitoring)
  const within = createWithin({ operationsOf, monitoringOf })

  return {
    enqueue: async () => { throw observedOnly('it adds no executions') },
    monitoring,
    operations,
    within(isVisible) {
      const scoped = within(isVisible)
      return { monitoring: scoped.monitoring, operations: changesOf(scoped.operations, scoped.monitoring) }
    },
    get scheduler(): never { throw observedOnly('it has no scheduler') },
    publishedTask: async () => { throw observedOnly('it adds no executions') },
    addTask() { throw observedOnly('it runs no tasks') },
    async start() {
      await Promise.all([
        resultStore.start(), discovery.start(), ...[...changers.values(), ...databases.values()].map(changer => changer.start())
      ])
      if (!options.endsWithProcess) await claim.start()
      await backend.start()
      await names.start()
      reconciler.start()
      follower.start()
      watch.start()
      retention.start()
      answers.start()
      audit.start()
    },
    async stop() {
      isStopping = true
      answers.stop()
      audit.stop()
      // The reconciler gives back the lease of both.
      await follower.stop()
      await Promise.all([reconciler.stop(), retention.stop(), watch.stop()])
      await Promise.all([discovery.stop(), ...[...changers.values(), ...databases.values()].map(changer => changer.stop())])
      await claim.stop()
      await names.stop()
      await backend.stop()
      await resultStore.stop()
    }
  }
}

/** One connection for each server and database, however many sources name it. Null: none. */
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

async function describeServer(server: ObservedServer): Promise<DatastoreReport> {
  return { kind: server.kind, ...await server.describe(), persistence: null }
}
