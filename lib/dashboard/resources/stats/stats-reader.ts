import type { Health } from '../../../../schemas/health.ts'
import type { Stats } from '../../../../schemas/stats.ts'
import type { Timeseries, TimeseriesQuery } from '../../../../schemas/timeseries.ts'
import type { HealthReport, Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf, probeOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'
import { toHealth } from '../health/to-health.ts'
import { toStats, toTimeseries } from './to-stats.ts'

export type StatsReader = ReturnType<typeof createStatsReader>

export function createStatsReader(monitoring: Monitoring, snapshots: Snapshots, version: string) {
  return {
    read(): Promise<Stats> {
      return snapshots.read('stats', async () => toStats(await answerOf(monitoring, () => monitoring.statistics())))
    },

    /** Rejects with INVALID_INPUT. */
    async timeseries({ metric = 'executions', window = '24h', step, task_name: taskName }: TimeseriesQuery): Promise<Timeseries> {
      const query = { window, ...(step && { step }), ...(taskName !== undefined && { taskName }) }
      return snapshots.read(`timeseries ${metric} ${JSON.stringify(query)}`, async () => {
        const report = await snapshots.read(`timeseries ${JSON.stringify(query)}`, () =>
          answerOf(monitoring, () => monitoring.timeseries(query)))
        return toTimeseries(report, metric)
      })
    },

    /** Never rejects: a failure to answer is reported as unhealthy. */
    async health(): Promise<Health> {
      const report = await probeOf(monitoring, () => monitoring.health()).catch(() => unknownHealth())
      return toHealth(report, version)
    }
  }
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
