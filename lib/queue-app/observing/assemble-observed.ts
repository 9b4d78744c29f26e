import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { createRetention } from '../../backend/upkeep/retention.ts'
import { toAuditLimits, toRetentionPolicy } from '../../backend/retention-policy.ts'
import { createResultBackend } from '../../backend/create-result-backend.ts'
import type { ObservedServer } from '../../engine/observing/observed-server.ts'
import { createStore } from '../../stores/create-store.ts'
import { orLate } from '../../time/deadline.ts'
import { createAuditLog } from '../audit/audit-log.ts'
import { assembleBulk } from '../bulk/assemble-bulk.ts'
import { createRequestAnswers } from '../enqueueing/request-answers.ts'
import { createMonitoring } from '../monitoring/create-monitoring.ts'
import { describeStore, type DatastoreReport } from '../monitoring/describe-store.ts'
import { createOperations } from '../operations/create-operations.ts'
import { createRetryArguments } from '../operations/retry-arguments.ts'
import type { LocalState, Parts } from '../parts.ts'
import { createWriteWatch } from '../processes/write-watch.ts'
import { createRedaction } from '../redaction/redaction.ts'
import { createSeal } from '../redaction/seal.ts'
import { createWithin } from '../scope/create-within.ts'
import type { ResolvedObserveOptions, ResolvedSource } from './resolve-observe-options.ts'
import { NOTHING_REMEMBERED_AFTER, observeQueues, redactByQueue } from './observe-queues.ts'
import { observedOnly } from './observed-registry.ts'

const AT_ONCE_MS = 500

/** The parts of an app that observes existing queues and has no tasks of its own. */
export function assembleObserved(
  sources: readonly ResolvedSource[], options: ResolvedObserveOptions, { isStarted }: LocalState
): Parts {
  const { namespace, onError } = options
  const workerId = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  const resultStore = createStore(options.backend, { namespace, role: 'result backend', onError })
  const failedArgsBytes = options.retention.failed?.argsBytes
  const backend = createResultBackend(resultStore, { failedArgsBytes })
  const redact = redactByQueue(options.redact)
  const { paths, with: replace, seal } = redact
  const redaction = paths?.length || replace || seal ? createRedaction(redact, onError, failedArgsBytes) : null
  const observed = observeQueues(sources, options, {
    resultStore, backend, redaction, leases: resultStore.documents, holder: workerId, needsClaim: !options.endsWithProcess, onError
  })
  const { engine, original, registry, schedules, servers } = observed
  const { taskNames } = registry
  const writes = createWriteWatch(resultStore.documents)
  const policy = toRetentionPolicy(options.retention, resultStore.kind)
  const retention = createRetention({
    backend, policy, now: () => resultStore.now(), brokerHasAfter: async () => NOTHING_REMEMBERED_AFTER, unwrittenSince: async () => null,
    leases: resultStore.documents, holder: workerId, onError
  })
  const audit = createAuditLog({
    store: resultStore.audit, limits: toAuditLimits(options.retention.audit, resultStore.kind), now: () => resultStore.now(), onError
  })
  const answers = createRequestAnswers({ answers: resultStore.answers, onError })
  const argumentsOf = createRetryArguments({
    findOriginal: original.find, mayReplaceUnseen: replace !== undefined, openSealed: redaction?.openSealed ?? createSeal(null).open
  })
  const policyOf = async () => undefined
  const bulk = assembleBulk({
    engine, enqueue: original.enqueue, backend, documents: resultStore.documents, argumentsOf, policyOf, taskNames, holder: workerId,
    now: () => resultStore.now(), onError, covered: registry.covered,
    others: observed.inBulk(() => monitoring)
  })
  const operationsOf = {
    engine, argumentsOf, enqueue: original.enqueue, schedules, backend, taskNames, answers, audit, isStarted,
    shownArgs: (taskName: string, args: readonly unknown[]) => redaction?.args(taskName, args) ?? args,
    bulk: bulk.operations, policyOf, brokerNow: () => resultStore.now()
  }
  const monitoringOf = {
    engine, schedules, backend, registry, isStarted, resultStore,
    broker: { ping: async (timeoutMs?: number) => Math.max(...await Promise.all(servers.map(server => server.ping(timeoutMs)))) },
    auditEntries: audit.list,
    bulk: bulk.operations,
    stores: { broker: servers[0]!.kind, backend: resultStore.kind },
    patienceMs: resultStore.patienceMs,
    async datastores() {
      const [broker, backend] = await Promise.all([describeServer(servers[0]!), describeStore(resultStore)])
      return { broker, backend }
    },
    workerId,
    recordingProblem: () => observed.recordingProblem() ?? retention.problem(),
    processProblem: () => null,
    writeRefusal: async () => null,
    backendWriteRefusal: writes.refusal,
    retention: policy,
    observing: {
      isAll: true, has: () => true, problem: observed.problem, readsAny: observed.readsAny, ownersProblem: observed.ownersProblem,
      earlierLosses: observed.earlierLosses,
      endsWithProcess: options.endsWithProcess, manages: options.manage
    },
    createdAt: Date.now()
  }
  const monitoring = createMonitoring(monitoringOf)
  const operations = observed.changesOf(createOperations({ ...operationsOf, findQueue: name => monitoring.queue(name) }), monitoring)
  const within = createWithin({ operationsOf, monitoringOf })

  return {
    enqueue: async () => { throw observedOnly('it adds no executions') },
    monitoring,
    operations,
    within(isVisible) {
      const scoped = within(isVisible)
      return { monitoring: scoped.monitoring, operations: observed.changesOf(scoped.operations, scoped.monitoring) }
    },
    get scheduler(): never { throw observedOnly('it has no scheduler') },
    publishedTask: async () => { throw observedOnly('it adds no executions') },
    addTask() { throw observedOnly('it runs no tasks') },
    async start() {
      const opening = observed.open()
      // A server that refuses the connection does so at once. Wait briefly for that: opening and closing an embedded store for nothing
      // takes two seconds.
      await orLate(opening, AT_ONCE_MS, null)
      await Promise.all([resultStore.start(), opening])
      await backend.start()
      await observed.start()
      retention.start()
      answers.start()
      audit.start()
      if (options.manage) bulk.start()
    },
    abortStart: observed.abortSearch,
    async stop() {
      await bulk.stop()
      await Promise.all([observed.stop(), retention.stop(), answers.stop(), audit.stop()])
      await backend.stop()
      await resultStore.stop()
    }
  }
}

async function describeServer(server: ObservedServer): Promise<DatastoreReport> {
  return { kind: server.kind, ...await server.describe(), persistence: null }
}
