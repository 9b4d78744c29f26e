import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'

const browser = await launchBrowser(t)

t.test('values that an observing app cannot know are shown neither as healthy nor as zero', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  startOwnersWorker(t, 6, 'emails', url)
  const queueApp = QueueApp.fromQueues(queue)
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  // Removed at once, so it is rebuilt from the events of its queue.
  await queue.add('send', { to: 'ada' }, { removeOnComplete: true, attempts: 5 })
  await waitFor('the history', async () => (await queueApp.monitoring.executions({ status: 'success' })).executions.length === 1)
  const host = Fastify({ forceCloseConnections: true })
  t.teardown(() => host.close())
  await host.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  const address = `${await host.listen({ port: 0, host: '127.0.0.1' })}/tasks`

  const { page, troubles } = await openPage(t, browser, address)
  const parts = page.getByRole('list', { name: 'Health' }).getByRole('listitem')
  for (const [part, state] of [['Broker', 'healthy'], ['Scheduler', 'not known'], ['Workers', 'not known']] as const) {
    const item = parts.filter({ hasText: part })
    await waitFor(`the state of ${part}`, async () => (await item.locator('.status').textContent()) === state)
  }
  await page.getByText('0 of 0 enabled').waitFor()

  await page.goto(`${address}/executions`)
  const attempt = page.locator('.history-body .cell-attempt').first()
  await waitFor('the attempt, without a maximum number', async () => (await attempt.innerText()).trim() === '1')
  await page.locator('[data-row-link]').first().click()
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('attempt 1', { exact: true }).waitFor()
  t.equal(await panel.getByText('attempt 1 of').count(), 0, 'the maximum number of attempts is unknown')
  t.same(troubles, [])
})
