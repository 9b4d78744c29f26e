import t from 'tap'
import type { Standing } from '../../../../lib/engine/standing/standing.ts'
import { createWhyReader } from '../../../../lib/queue-app/monitoring/why/read-why.ts'
import type { Rollup, RollupQuery } from '../../../../lib/backend/result-backend.ts'

const HOUR_MS = 3_600_000

t.test('throughput is that of the last five minutes by the broker\'s clock, whatever the clock of this process says', async t => {
  for (const aheadMs of [-HOUR_MS, 0, HOUR_MS]) {
    const at = Date.now() + aheadMs
    const asked: RollupQuery[] = []
    const standing = { at, state: 'waiting', ahead: { value: 1, relation: 'exact' }, execution: { taskName: 'a', status: 'pending' } }
    const why = createWhyReader({
      engine: { standing: async () => standing as Standing },
      backend: { find: async () => null, async rollups(query) { asked.push(query); throw new Error('asked') } },
      registry: { knowsWorkers: true, taskNames: async () => ['a'], workers: async () => [], task: async () => undefined }
    })
    await t.rejects(why('e-1'), { message: 'asked' })
    t.match(asked, [{ taskName: 'a', toMs: at }])
    t.ok(asked[0]!.fromMs > at - 6 * 60_000 - 1 && asked[0]!.fromMs <= at - 5 * 60_000, `${aheadMs}`)
  }
})

t.test('the pace of a queue is unknown to users who may not see all of its job names', async t => {
  for (const isAll of [true, false]) {
    const at = Date.now()
    const standing = {
      at, state: 'waiting', ahead: { value: 10, relation: 'exact' }, execution: { taskName: 'mail', status: 'pending' }, pause: null,
      concurrencyLimit: null, rateLimit: null, rateSpan: null, dueAt: null, active: { total: 0, byWorker: new Map(), isAll: true }
    }
    const minute = { startMs: at, tally: { success: 5, failed: 0 } } as unknown as Rollup
    const why = createWhyReader({
      engine: { standing: async () => standing as unknown as Standing, countsExactly: () => isAll },
      backend: { find: async () => null, rollups: async () => [minute] },
      registry: {
        knowsWorkers: false, taskNames: async () => ['mail', 'mail:invoice'], workers: async () => [], task: async () => undefined,
        covered: name => name === 'mail' ? ['mail', 'mail:invoice'] : [name]
      }
    })
    const behind = (await why('mail:1'))!.facts.find(({ kind }) => kind === 'behind')
    t.match(behind, isAll ? { ahead: { value: 10 }, estimateMs: Number } : { ahead: { value: 10 }, perMinute: null, estimateMs: null })
  }
})
