import type { Health } from '../../../../schemas/health.ts'
import type { HealthReport } from '../../../queue-app/monitoring/monitoring.ts'
import { toTimestamp } from '../wire-values.ts'

export function toHealth(report: HealthReport, version: string): Health {
  const { app, broker, backend, scheduler, workers } = report.components
  return {
    healthy: report.status !== 'unhealthy',
    status: report.status,
    timestamp: toTimestamp(report.timestamp),
    version,
    uptime_ms: report.uptimeMs,
    components: {
      app: toComponent(app), broker: toComponent(broker), backend: toComponent(backend), scheduler: toComponent(scheduler),
      workers: toComponent(workers)
    }
  }
}

function toComponent({ healthy, message, latencyMs }: HealthReport['components']['app']) {
  return { healthy, message, ...(latencyMs === undefined ? {} : { latency_ms: latencyMs }) }
}
