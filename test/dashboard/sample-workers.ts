import type { QueueOverview, WorkerOverview } from '../../lib/queue-app/monitoring/monitoring.ts'
import { CHANGES } from '../../schemas/common.ts'

/** A healthy worker, and a silent one whose version reports nothing except its heartbeat. */
export function sampleWorkers(now: number, taskNames: readonly string[]): WorkerOverview[] {
  const worker: WorkerOverview = {
    workerId: 'host:1:ab', state: 'alive', problems: [], host: 'host', pid: 1, appName: 'shop', version: '0.1.0', nodeVersion: '22.0.0',
    startedAt: now - 60_000, lastSeenAt: now, taskCount: taskNames.length,
    tasks: taskNames.map(name => ({ name, concurrency: 4, running: 0 })), running: 1,
    executions: [{ executionId: '<i>', taskName: '</script>', startedAt: now - 5 }], memoryBytes: 64_000_000, clockAheadMs: -3.5
  }
  return [worker, { ...worker, ...SILENT_WORKER }]
}

const SILENT_WORKER: Partial<WorkerOverview> = {
  workerId: 'host:2:cd', state: 'silent', problems: ['</script>'], host: null, pid: null, appName: null, version: null, nodeVersion: null,
  lastSeenAt: null, tasks: [{ name: 'email:send', concurrency: null, running: null }], taskCount: 1, running: null, executions: null,
  memoryBytes: null, clockAheadMs: null
}

const SAMPLE_PAUSE = { since: 1_700_000_000_000, by: 'ada', reason: '</script>', until: 1_700_000_600_000 }
const SAMPLE_LIMITS = { concurrency: 2, rate: { max: 5, durationMs: 60_000 }, since: 1_700_000_000_000, by: 'ada', reason: '</script>' }
const UNKNOWN_PAUSE = { since: null, by: null, reason: null, until: null }

export function sampleQueue(taskName: string, index: number): QueueOverview {
  return {
    name: `q-${index}`, taskName, changes: CHANGES[index % 3]!,
    pause: [null, SAMPLE_PAUSE, UNKNOWN_PAUSE][index % 3]!,
    limits: [SAMPLE_LIMITS, null, { ...SAMPLE_LIMITS, concurrency: null, since: null, by: null, reason: null }][index % 3]!,
    pending: 3, running: 1, oldestPendingMs: 1200, workers: 1,
    concurrency: [4, 0, null][index % 3]!, rateLimit: { max: 10, durationMs: 60_000 }, rateLimitedUntil: null, throughputPerMinute: 0.5,
    trend: Array.from({ length: 24 }, (_, hour) => hour)
  }
}
