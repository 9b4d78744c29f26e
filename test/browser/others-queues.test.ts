import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'

const url = await redisUrl(t)
const queue = openQueue(t, 5, 'emails', url)
const worker = startOwnersWorker(t, 5, 'emails', url)
const job = await queue.add('send', { fail: true, to: 'ada' })
await waitFor('its failure', async () => worker.outcomes.length === 1)
const queueApp = QueueApp.fromQueues(queue, { manage: true })
await queueApp.start()
const app = fastify()
await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', identify: () => 'ada' })
const mount = `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
const browser = await launchBrowser(t)
t.teardown(async () => {
  await app.close()
  await queueApp.stop()
})

t.test('a failed job of an existing queue is retried from its panel, with its own data', async t => {
  const failed = await waitFor('the failure', async () => (await queueApp.monitoring.executions({ status: 'failed' })).executions[0])
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?execution=${encodeURIComponent(failed.executionId)}`)
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Retry…' }).focus()
  await page.keyboard.press('Enter')
  await panel.getByText('The same job runs again, with its own data.').waitFor()
  t.equal(await panel.getByRole('button', { name: /arguments/ }).count(), 0, 'only the owner changes its data')
  t.same(await findViolations(page), [])
  await page.keyboard.press('Enter')
  await waitFor('its second failure', async () => worker.outcomes.length === 2)
  t.match(worker.outcomes, [{ jobId: job.id }, { jobId: job.id }])
  t.same(troubles, [])
})

t.test('its queue is paused without an end time, and the panel still shows a waiting job after its cancellation', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  const row = page.getByRole('row', { name: /emails/ }).first()
  await row.getByRole('button', { name: /Pause/ }).click()
  await page.getByRole('dialog').getByText('Reason').first().waitFor()
  t.equal(await page.getByText('Until (optional)').count(), 0)
  await page.getByRole('button', { name: 'Pause it' }).click()
  await row.getByRole('button', { name: /Resume/ }).waitFor()
  t.equal(await queue.isPaused(), true)

  const waiting = await queue.add('send', { to: 'bob' })
  await page.goto(`${mount}/executions?execution=${encodeURIComponent(`emails:${waiting.id}`)}`)
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Cancel it…' }).click()
  await panel.getByRole('button', { name: 'Cancel it', exact: true }).click()
  await panel.locator('.panel-lead').getByText('Cancelled').waitFor()
  // The id under which the history has it.
  await page.waitForURL(url => new RegExp(`^emails:${waiting.id}@\\d+$`).test(url.searchParams.get('execution') ?? ''))
  t.equal(await queue.getJob(waiting.id!), undefined)
  t.same(await findViolations(page), [])
  t.equal(await page.getByRole('button', { name: /Delete/ }).count(), 0)
  t.same(troubles, [])
})
