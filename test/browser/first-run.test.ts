import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('a new app shows its first steps, and marks each as done without a reload', async t => {
  const monitoring = healthy()
  let [registeredTasks, activeWorkers, running, success] = [0, 0, 0, 0]
  const { page, troubles } = await openPage(t, browser, await serve(t, {
    ...monitoring,
    statistics: async () => ({
      ...await monitoring.statistics(), registeredTasks, activeWorkers,
      executions: { ...(await monitoring.statistics()).executions, pending: 0, running, success, failed: 0 }
    })
  }))
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  await steps.filter({ hasText: 'A task is registered: not yet' }).getByText("queueApp.task('email:send'").waitFor()
  t.same((await steps.locator('.status').allInnerTexts()).map(text => text.trim()), [
    'A task is registered: not yet', 'A worker runs: not yet', 'Something has run: not yet'
  ])
  t.equal(await page.getByRole('table').count(), 0, 'no empty tables beside them')
  await page.setViewportSize({ width: 320, height: 700 })
  await waitFor('the code not to be wider than a narrow page', () =>
    page.evaluate<boolean>('document.documentElement.scrollWidth <= document.documentElement.clientWidth'))

  registeredTasks = 1
  await steps.filter({ hasText: 'A worker runs: not yet' }).getByText('await queueApp.start()').waitFor()
  await waitFor('the first step', async () => (await steps.first().innerText()).trim() === 'A task is registered')
  activeWorkers = 1
  await steps.filter({ hasText: 'Something has run: not yet' }).getByText('await queueApp.enqueue(').waitFor()
  running = 1
  await steps.getByText('await queueApp.enqueue(').waitFor({ state: 'detached' })
  success = 1
  await steps.first().waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Recent failed executions' }).waitFor()
  t.same(troubles, [])
})
