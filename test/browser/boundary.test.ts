import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('a page, panel or section that fails to render says so, and the rest stays usable', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, 'about:blank')
  const broken = page.getByRole('alert')
  const answerNonsense = (address: string) => page.route(address, route => route.fulfill({ json: [{ schedule_id: 's-1' }] }))

  await answerNonsense('**/api/schedules?*limit=*')
  await page.goto(mount)
  await page.getByRole('region', { name: 'Upcoming schedules' }).getByText('Upcoming schedules cannot be shown').waitFor()
  await page.getByRole('table', { name: 'Failure groups' }).waitFor()
  await page.locator('.figures').waitFor()

  await answerNonsense('**/api/schedules')
  await page.getByRole('link', { name: 'Schedules', exact: true }).click()
  await broken.getByText('This page cannot be shown').waitFor()
  await broken.getByText('This is a bug in the dashboard, not in your queue app.').waitFor()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByRole('table', { name: 'Tasks' }).waitFor()
  await broken.waitFor({ state: 'detached' })

  await page.route('**/api/executions/e-1', route => route.fulfill({ json: { task_name: 'email:send' } }))
  await page.goto(`${mount}/executions?execution=e-1`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('Execution cannot be shown').waitFor()
  await page.getByRole('table', { name: 'Execution history' }).waitFor()
  await page.unroute('**/api/executions/e-1')
  await panel.getByRole('button', { name: 'Reload' }).click()
  await panel.getByText('Timeline').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
})

t.test('a page that failed to render renders by itself once its data is valid again', async t => {
  const { page } = await openPage(t, browser, 'about:blank')
  let isBroken = true
  await page.route('**/api/schedules', async route => (isBroken ? route.fulfill({ json: [{ schedule_id: 's-1' }] }) : route.continue()))
  await page.goto(`${await serve(t, healthy())}/schedules`)
  await page.getByText('This page cannot be shown').waitFor()
  isBroken = false
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

t.test('a page whose script cannot be loaded says so, and opens by itself once the script can be loaded', async t => {
  const { page } = await openPage(t, browser, 'about:blank')
  await page.route('**/schedules-page*', route => route.abort())
  await page.goto(`${await serve(t, healthy())}/schedules`)
  await page.getByText('This page could not be loaded').waitFor()
  await page.getByRole('button', { name: 'Reload' }).waitFor()
  await page.unroute('**/schedules-page*')
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  await waitFor('the title', async () => await page.title() === 'Schedules · Tasks')
})

t.test('every page opens during a server outage, because its script was preloaded', async t => {
  const { page } = await openPage(t, browser, 'about:blank')
  const scripts: string[] = []
  page.on('requestfinished', request => { if (request.url().endsWith('.js')) scripts.push(request.url()) })
  await page.goto(await serve(t, healthy()))
  await waitFor('the scripts of the other pages', async () =>
    [
      'schedules-page', 'tasks-page', 'agenda-page', 'command-palette', 'help-dialog'
    ].every(name => scripts.some(url => url.includes(name))))
  await page.route('**', route => route.abort())
  await page.getByRole('link', { name: 'Schedules', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await page.getByRole('link', { name: 'Agenda' }).click()
  await page.getByRole('heading', { level: 1, name: 'Agenda' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  t.pass()
})

t.test('"g" plus a letter opens a page, and readers see only the pages they may open', async t => {
  const mount = await serve(t, healthy())
  const { page, troubles } = await openPage(t, browser, mount)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.locator('.figures').waitFor()
  t.same(troubles, [])

  const limited = await serve(t, healthy(), { authorize: async (_request, action) => !action.startsWith('schedules:') })
  const { page: other } = await openPage(t, browser, limited)
  await other.getByRole('link', { name: 'Tasks', exact: true }).waitFor()
  t.equal(await other.getByRole('link', { name: 'Schedules', exact: true }).count(), 0)
  await other.goto(`${limited}/schedules/agenda`)
  await other.getByText('You may not open Agenda').waitFor()
  t.equal(await other.getByRole('button', { name: 'Try again' }).count(), 0)
})
