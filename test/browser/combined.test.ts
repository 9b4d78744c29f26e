import fastify from 'fastify'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { embeddedUrl, redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'

const browser = await launchBrowser(t)

/** An app with a task and a schedule of its own, beside an existing queue with a job scheduler. */
async function serve(t: Test, options: { readonly manage: boolean }): Promise<string> {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const owner = startOwnersWorker(t, 6, 'emails', url)
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'emails' })
  await queue.add('emails', { fail: true })
  await waitFor('its failure', async () => owner.outcomes.length === 1)
  const store = await embeddedUrl(t)
  const queueApp = QueueApp.fromUrls({ broker: store, backend: store, queues: { broker: url }, ...options })
  queueApp.task('invoices', async () => { throw new Error('no customer') })
  await queueApp.createScheduler().scheduleCron('invoices', '0 7 * * *', 'Invoices of the day')
  await queueApp.start()
  await queueApp.enqueue('invoices')
  const app = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host' })
  t.teardown(async () => {
    await app.close()
    await queueApp.stop()
  })
  await waitFor('both failures', async () => (await queueApp.monitoring.executions({ status: 'failed' })).executions.length === 2)
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
}

for (const [manage, offered] of [
  [false, { queue: [], schedule: [], panel: [] }],
  [true, { queue: [/Pause/], schedule: ['switch'], panel: ['Edit'] }]
] as const) {
  t.test(`an existing queue beside own tasks offers only the possible actions, ${manage ? 'managed' : 'only observed'}`, async t => {
    const mount = await serve(t, { manage })
    const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
    const queues = page.getByRole('table', { name: 'Queues' })
    const buttonsOf = (name: string) => queues.getByRole('row', { name }).getByRole('button')
    await buttonsOf('invoices').nth(1).waitFor()
    t.match(await buttonsOf('invoices').allInnerTexts(), [/Limit/, /Pause/])
    await waitFor('the rights for the existing queue', async () => await buttonsOf('emails').count() === offered.queue.length)
    t.match(await buttonsOf('emails').allInnerTexts(), offered.queue)
    t.same(await findViolations(page), [])

    await page.goto(`${mount}/schedules`)
    const row = (name: string) => page.getByRole('row', { name })
    await row('Invoices of the day').getByRole('switch').waitFor()
    await row('Invoices of the day').getByRole('button', { name: /Delete/ }).waitFor()
    t.equal(await row('nightly').getByRole('switch').count(), offered.schedule.length)
    t.equal(await row('nightly').getByRole('button', { name: /Delete/ }).count(), 0)
    const rightsOfSchedule = page.waitForResponse(/api\/session\?task_name=/)
    await row('nightly').getByRole('link').first().click()
    const panel = page.getByRole('dialog', { name: 'Schedule' })
    await panel.getByText('Next 10 runs').waitFor()
    t.equal(await panel.getByText('Only the code that owns this schedule changes it').count(), manage ? 0 : 1)
    await rightsOfSchedule
    const edit = panel.getByRole('link', { name: 'Edit' })
    await waitFor('the actions that the rights for its schedule allow', async () => await edit.count() === offered.panel.length)
    t.equal(await panel.getByRole('button', { name: /Delete/ }).count(), 0)
    t.same(await findViolations(page), [])
    t.equal(await edit.count(), offered.panel.length)

    await page.goto(`${mount}/schedules?new=1`)
    const task = page.getByRole('dialog', { name: 'New schedule' }).getByRole('combobox', { name: 'Task' })
    await task.getByRole('option', { name: 'invoices' }).waitFor({ state: 'attached' })
    t.same(await task.getByRole('option').allInnerTexts(), ['invoices'], 'only the owner of a queue creates its schedules')

    for (const [task, isSelectable] of [['invoices', true], ['emails', manage]] as const) {
      const rights = page.waitForResponse(/api\/session\?task_name=/)
      await page.goto(`${mount}/executions?task=${task}&status=failed`)
      await page.locator('.history-body [data-row-link]').first().waitFor()
      await rights
      const all = page.getByRole('button', { name: 'All that match…' })
      await waitFor(`the actions that the rights for ${task} allow`, async () => await all.count() === (isSelectable ? 1 : 0))
      t.equal(await page.locator('.history-body [data-row-link]').count(), 1)
    }
    t.same(troubles, [])
  })
}
