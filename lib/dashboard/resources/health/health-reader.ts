import type { Health } from '../../../../schemas/health.ts'
import type { HealthReport, Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { probeOf } from '../answer.ts'
import { toHealth } from './to-health.ts'

/** Never rejects: a failure to answer is reported as unhealthy. */
export type HealthReader = () => Promise<Health>

export function createHealthReader(monitoring: Monitoring, version: string): HealthReader {
  return async () => toHealth(await probeOf(monitoring, () => monitoring.health()).catch(() => unknownHealth()), version)
}

function unknownHealth(): HealthReport {
  const unknown = { healthy: false, message: 'Unknown: the queue app did not answer' }
  return {
    status: 'unhealthy',
    timestamp: Date.now(),
    uptimeMs: process.uptime() * 1000,
    components: { app: unknown, broker: unknown, backend: unknown, scheduler: unknown, workers: unknown }
  }
}
