import type { FailureGroup, Health, Session, Stats } from '../../../schemas/index.ts'
import type { Failure } from '../../src/hooks/use-settled.ts'
import { ago, HOSTILE } from './texts.ts'

export const stats: Stats = {
  total_tasks: 48_213, success_rate: 98.6, failure_rate: 1.4, active_workers: 4, queue_size: 37,
  executions: { pending: 37, running: 6, success: 47_538, failed: 675 }, registered_tasks: 24,
  schedules: { total: 31, enabled: 28, overdue: 0 }, throughput_per_minute: 34.2, duration_ms: { p50: 84, p95: 1_420, p99: 6_300 },
  wait_ms: { p50: 3, p95: 41, p99: 220 }, oldest_pending_ms: 4_200,
  history: {
    success: { kept: 47_538, oldest_at: ago(500_000) }, failed: { kept: 675, oldest_at: ago(500_000) }, pruned_before: null, retention: null
  },
  generated_at: ago(1)
}

export const noStats: Stats = {
  ...stats, total_tasks: 0, success_rate: 0, failure_rate: 0, active_workers: 0, queue_size: 0,
  executions: { pending: 0, running: 0, success: 0, failed: 0 }, registered_tasks: 0, schedules: { total: 0, enabled: 0, overdue: 0 },
  throughput_per_minute: 0, duration_ms: null, wait_ms: null, oldest_pending_ms: null,
  history: { ...stats.history, success: { kept: 0, oldest_at: null }, failed: { kept: 0, oldest_at: null } }
}

export const hugeStats: Stats = {
  ...stats, total_tasks: 9_007_199_254_740_991, failure_rate: 63.2, success_rate: 36.8, active_workers: null, queue_size: 1_234_567_890,
  executions: { pending: 1_234_567_890, running: 99_999, success: 8e15, failed: 1e15 }, throughput_per_minute: 1_234_567,
  duration_ms: { p50: 86_400_000, p95: 31_536_000_000, p99: 31_536_000_000 }, oldest_pending_ms: 31_536_000_000,
  schedules: { total: 5_000, enabled: 4_999, overdue: 312 }
}

export function failure(fields: Partial<Failure> = {}): Failure {
  return {
    status: 503, message: 'The result backend cannot be reached. Try again in a few seconds', requestId: null, code: 'BACKEND_UNAVAILABLE',
    fields: [], since: Date.now() - 95_000, ...fields
  }
}

export const group: FailureGroup = {
  error_group: 'g1', type: 'TimeoutError', message: 'gave up after 3000 ms', frame: 'charge (/app/billing.js:41:7)', count: 1_204,
  tasks: [{ name: 'billing:charge', count: 1_100 }, { name: 'billing:reconcile', count: 104 }],
  trend: Array.from({ length: 24 }, (_, hour) => (hour < 18 ? 2 : (hour - 16) * 30)), first_seen_at: ago(90_000), last_seen_at: ago(12),
  is_new: false, state: 'open', decision: null, decidable: true, last_execution_id: 'e-1'
}

export const decision: NonNullable<FailureGroup['decision']> = {
  at: ago(9_000), action: 'resolve', by: 'ada@example.com', note: 'The gateway answers again', automatic: false
}

export const session: Session = {
  user: 'ada@example.com', sign_in_url: null, actions: ['ui:view', 'session:view', 'stats:view', 'tasks:view', 'executions:view',
    'schedules:view'],
  varies_by_task: false, read_only: false,
  reason_required: [], title: 'Orders', environment: 'production', logo: null, back_link: null, version: '0.1.0', broker: 'redis',
  backend: 'postgres', history_ends: false, supports: { search: 'indexed', changes: true }
}

const part = { healthy: true, message: 'works', latency_ms: 2 }

export const health: Health = {
  healthy: true, status: 'healthy', timestamp: ago(1), version: '0.1.0', uptime_ms: 900_000,
  components: { app: part, broker: part, backend: part, scheduler: part, workers: part }
}

export const brokenHealth: Health = {
  ...health, healthy: false, status: 'unhealthy',
  components: { ...health.components, broker: { healthy: false, message: `cannot be reached ${HOSTILE}` } }
}
