import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { createRedisServer } from '../../support/servers/redis-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import { serveDashboard } from '../serve-dashboard.ts'

const PAGES = ['/', '/failures', '/failures?group=abc', '/executions', '/tasks', '/tasks?name=report', '/schedules', '/workers', '/audit']
/** A call to a store that does not respond takes at least a second before it is abandoned. */
const MAX_PAGE_MS = 700

void t.test('every page loads at once while the broker does not respond', { timeout: 60_000 }, async t => {
  const broker = await createRedisServer({ persistent: false })
  t.teardown(() => broker.remove())
  const queueApp = QueueApp.fromUrls({ broker: broker.url, stopGraceMs: 1000, onError() {} })
  queueApp.task('report', async () => 'done')
  await queueApp.start()
  const server = await serveDashboard(t, queueApp)
  const get = (path: string) => server.inject(`/tasks${path}`)
  await waitFor('the API to respond', async () => (await get('/api/stats')).statusCode === 200)
  for (const page of PAGES) await get(page)

  broker.freeze()
  try {
    for (const page of PAGES) {
      const askedAt = performance.now()
      const { statusCode, body } = await get(page)
      const tookMs = Math.round(performance.now() - askedAt)
      t.equal(statusCode, 200, page)
      t.match(body, /<script type="module"/, page)
      t.ok(tookMs < MAX_PAGE_MS, `${page}: ${tookMs} ms`)
    }
  } finally {
    broker.thaw()
  }
})
