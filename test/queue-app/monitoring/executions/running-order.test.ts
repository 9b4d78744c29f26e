import t from 'tap'
import { QueueApp } from '../../../../lib/index.ts'
import { onEveryStore } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

const RUNNING = 24

t.test('executions that started in a different order than they were enqueued are on one page each', t => onEveryStore(t, async (t, url) => {
  const release = new AbortController()
  const started: string[] = []
  const queueApp = QueueApp.fromUrls({ broker: url, backend: url, onError: error => t.comment(error.message) })
  queueApp.task('hold', async () => {
    started.push('one')
    await new Promise<void>(resolve => { release.signal.addEventListener('abort', () => { resolve() }) })
    // Spread over seconds, so that differences between workers' clocks do not matter.
  }, { concurrency: RUNNING, rateLimit: { max: RUNNING / 4, durationMs: 1_200 } })
  await queueApp.start()
  t.teardown(async () => {
    release.abort()
    await queueApp.stop()
  })
  await queueApp.operations.pauseQueue('hold')
  for (let index = 0; index < RUNNING; index++) await queueApp.enqueue('hold', [], { priority: RUNNING - index })
  await queueApp.operations.resumeQueue('hold')
  await waitFor('the executions to start', async () => started.length === RUNNING)
  for (const order of ['newest', 'oldest'] as const) {
    const shown: Array<{ executionId: string; startedAt: number | null }> = []
    for (let cursor: string | null = null, pages = 0; pages < 20; pages++) {
      const page = await queueApp.monitoring.executions({ status: 'running', order, limit: 3, ...cursor !== null && { cursor } })
      shown.push(...page.executions)
      cursor = page.nextCursor
      if (cursor === null) break
    }
    t.equal(new Set(shown.map(({ executionId }) => executionId)).size, RUNNING, order)
    t.equal(shown.length, RUNNING)
    const times = shown.map(({ startedAt }) => startedAt!)
    t.same(times, times.toSorted((one, other) => order === 'newest' ? other - one : one - other))
  }
}))
