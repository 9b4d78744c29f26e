import type { Stats } from '../../../../schemas/stats.ts'
import type { Timeseries, TimeseriesQuery } from '../../../../schemas/timeseries.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import type { Snapshots } from '../snapshots.ts'
import { toStats, toTimeseries } from './to-stats.ts'

export type StatsReader = ReturnType<typeof createStatsReader>

export function createStatsReader(monitoring: Monitoring, snapshots: Snapshots) {
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
    }
  }
}
