import type { ResultBackend, RetentionPolicy } from '../backend/result-backend.ts'
import { createBrokerMark } from '../backend/upkeep/broker-mark.ts'
import { createOrphanedTotals, type OrphanedTotalsOptions } from '../backend/upkeep/orphaned-totals.ts'
import { createReconciler } from '../backend/upkeep/reconciler.ts'
import { createRetention } from '../backend/upkeep/retention.ts'
import { createSweeper } from '../backend/upkeep/sweeper.ts'
import { FINISHED_KEPT_MS, type Engine } from '../engine/engine.ts'
import type { Store } from '../stores/store.ts'
import type { PublishedProcess } from './processes/process-heartbeats.ts'

interface UpkeepDependencies {
  readonly broker: Store
  readonly backend: ResultBackend
  /** Its reads are redacted, because what it reads is recorded. */
  readonly engine: Engine
  taskNames(): Promise<readonly string[]>
  /** All processes of the queue app, wherever they run. */
  processes(): Promise<readonly PublishedProcess[]>
  readonly policy: RetentionPolicy
  readonly standing: OrphanedTotalsOptions['standing']
  /** Identifies this process. */
  readonly holder: string
  onError(error: Error): void
}

/** Keeps the history complete and within its limits, and the broker small. */
export interface AssembledUpkeep {
  /** Returns at once. */
  start(): void
  /** Idempotent; never rejects. */
  stop(): Promise<void>
  /** One sentence for health; null when all is well. */
  problem(): string | null
}

export function assembleUpkeep(
  { broker, backend, engine, taskNames, processes, policy, standing, holder, onError }: UpkeepDependencies
): AssembledUpkeep {
  const mark = createBrokerMark(broker.documents)
  const shared = {
    backend, taskNames, now: () => broker.now(), brokerHasAfter: mark.brokerHasAfter, leases: broker.documents, holder, onError
  }
  const reconciler = createReconciler({
    ...shared, newestFinished: engine.newestFinished, finishedSince: engine.finishedSince, keptByBrokerMs: FINISHED_KEPT_MS
  })
  const sweeper = createSweeper({
    ...shared,
    mark,
    finishedBefore: engine.finishedBefore,
    readFinished: engine.readFinished,
    removeFinished: engine.removeFinished,
    indexQueues: engine.indexQueues,
    keptMs: FINISHED_KEPT_MS
  })
  const retention = createRetention({
    ...shared,
    policy,
    totals: createOrphanedTotals({ backend, standing }),
    async unwrittenSince() {
      const finishes = (await processes()).map(process => process.unwrittenSince ?? Infinity)
      return finishes.every(finish => finish === Infinity) ? null : Math.min(...finishes)
    }
  })
  const parts = [reconciler, retention, sweeper]
  return {
    start() { for (const part of parts) part.start() },
    async stop() { await Promise.all(parts.map(part => part.stop())) },
    problem: () => reconciler.problem() ?? retention.problem() ?? sweeper.problem()
  }
}
