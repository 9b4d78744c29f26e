import { unlessAway } from '../../stores/failures/unavailable.ts'
import { createCached } from '../monitoring/cached.ts'
import { createMonitoring, type MonitoringDependencies } from '../monitoring/create-monitoring.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import { createOperations, type OperationsDependencies } from '../operations/create-operations.ts'
import type { Operations } from '../operations/operations.ts'
import type { BulkReads, BulkWrites } from '../bulk/bulk.ts'
import { bulkWithinScope } from './scoped-bulk.ts'
import { createScope } from './scope.ts'
import { isEntryInScope } from './scoped-audit.ts'
import { withinScope } from './scoped-backend.ts'
import { engineWithinScope } from './scoped-engine.ts'
import { registryWithinScope } from './scoped-registry.ts'
import { schedulesWithinScope } from './scoped-schedules.ts'

interface Dependencies {
  readonly operationsOf: Omit<OperationsDependencies, 'findQueue'>
  readonly monitoringOf: Required<Omit<MonitoringDependencies, 'isScoped' | 'now' | 'bulk'>> & { readonly bulk: BulkReads & BulkWrites }
}

const FRESH_MS = 1_000
const RECENT_MS = 10_000

/**
 * Builds the reads and writes of a dashboard again, on parts that show only the tasks of a scope. So nothing that is built on these parts
 * has to check the scope.
 */
export function createWithin({ operationsOf, monitoringOf }: Dependencies) {
  const { backend, registry } = monitoringOf
  const counted = createCached({
    freshMs: FRESH_MS, recentMs: RECENT_MS, now: Date.now, load: async () => [...(await backend.taskTotals()).keys()]
  })

  /**
   * Names of all tasks that may have a history. Registered tasks are added, because a task whose executions were all cancelled has no
   * totals.
   */
  async function historyNames(): Promise<Set<string>> {
    const [registered, finished] = await Promise.all([
      // The history can be read without the broker.
      unlessAway(registry.taskNames()),
      counted.get()
    ])
    return new Set([...registered ?? [], ...finished])
  }

  return (isVisible: (taskName: string) => boolean): { readonly monitoring: Monitoring; readonly operations: Operations } => {
    const scope = createScope(isVisible)
    const parts = {
      engine: engineWithinScope(monitoringOf.engine, scope),
      backend: withinScope(backend, scope, historyNames),
      schedules: schedulesWithinScope(monitoringOf.schedules, scope),
      registry: registryWithinScope(registry, scope)
    }
    // Every dependency is listed, so that a new one is not passed on without checking what it shows.
    const {
      isStarted, broker, resultStore, stores, patienceMs, datastores, workerId, processProblem, writeRefusal, backendWriteRefusal,
      retention, createdAt, observing
    } = monitoringOf
    const bulk = bulkWithinScope(monitoringOf.bulk, scope)
    const monitoring = createMonitoring({
      ...parts, isStarted, broker, resultStore, stores, patienceMs, datastores, workerId, processProblem, writeRefusal,
      backendWriteRefusal, retention, createdAt,
      // The original text contains names of queues.
      observing: observing && {
        isAll: observing.isAll,
        has: observing.has,
        endsWithProcess: observing.endsWithProcess,
        manages: observing.manages,
        readsAny: observing.readsAny,
        problem: () => observing.problem() === null ? null : 'some queues cannot be shown',
        ownersProblem: () => observing.ownersProblem() === null
          ? null
          : 'some queues belong to two versions of BullMQ, which can lose jobs',
        earlierLosses: () => observing.earlierLosses() === null ? null : 'executions of some queues may be missing'
      },
      isScoped: true,
      bulk,
      auditEntries: query => monitoringOf.auditEntries({ ...query, isShown: entry => isEntryInScope(entry, scope) }),
      // The original text may contain executions and queues of any task.
      recordingProblem: () => monitoringOf.recordingProblem() === null ? null : 'its upkeep has problems'
    })
    // Arguments are read only for executions that were found within the scope.
    const { answers, audit, brokerNow, argumentsOf, shownArgs } = operationsOf
    const original = engineWithinScope({ ...monitoringOf.engine, enqueue: operationsOf.enqueue }, scope)
    return {
      monitoring,
      operations: createOperations({
        ...parts, answers, audit, brokerNow, isStarted, argumentsOf, shownArgs,
        ownIds: backend,
        bulk,
        enqueue: original.enqueue,
        taskNames: parts.registry.taskNames,
        policyOf: async name => scope.sees(name) ? operationsOf.policyOf(name) : undefined,
        findQueue: name => monitoring.queue(name)
      })
    }
  }
}
