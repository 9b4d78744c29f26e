import type { Worker } from '../../../../schemas/worker.ts'
import type { WorkerOverview } from '../../../queue-app/monitoring/monitoring.ts'
import { toTimestamp, toTimestampOrNull } from '../wire-values.ts'

export function toWorker(worker: WorkerOverview): Worker {
  return {
    worker_id: worker.workerId,
    state: worker.state,
    healthy: worker.problems.length === 0,
    problems: [...worker.problems],
    host: worker.host,
    pid: worker.pid,
    app: worker.appName,
    version: worker.version,
    node_version: worker.nodeVersion,
    started_at: toTimestamp(worker.startedAt),
    last_seen_at: toTimestampOrNull(worker.lastSeenAt),
    task_count: worker.taskCount,
    tasks: worker.tasks.map(({ name, concurrency, running }) => ({ name, concurrency, running })),
    running: worker.running,
    executions: worker.executions && worker.executions.map(({ executionId, taskName, startedAt }) => (
      { execution_id: executionId, task_name: taskName, started_at: toTimestampOrNull(startedAt) })),
    memory_bytes: worker.memoryBytes,
    clock_ahead_ms: worker.clockAheadMs
  }
}
