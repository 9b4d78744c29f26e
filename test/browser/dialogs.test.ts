import t from 'tap'
import type { Route } from 'playwright-core'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy(), { access: 'host', requireReason: ['schedules:run'] })
const REFUSED = { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'Not at this hour', instance: '/', code: 'FORBIDDEN' }
const refuse = (route: Route) => route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(REFUSED) })

/** A route handler that refuses the request once `release` is called. */
function refuseLater() {
  let release = (): void => {}
  const released = new Promise<void>(resolve => { release = resolve })
  return { release, handle: (route: Route) => released.then(() => refuse(route)) }
}

t.test('selecting text with the mouse beyond the edge of a dialog does not close it, and a click outside does', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: /^Pause the queue of/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Pause this queue?' })
  const field = dialog.getByLabel('Reason')
  await field.fill('deploy')
  const box = (await field.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 200, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.type('backup ')
  t.match(await field.inputValue(), /^backup /)
  await page.mouse.click(box.x - 200, box.y)
  await dialog.waitFor({ state: 'detached' })
  t.same(troubles, [])
})

t.test('in a narrow window, a notice is shown above a panel that has opened since, and stays when the panel closes', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`, { viewport: { width: 768, height: 800 } })
  const toggle = page.locator('[role=switch][aria-checked=true]')
  const row = page.locator('[data-row-link="s-1"]')
  const answer = refuseLater()
  await page.route('**/disable', answer.handle)
  await toggle.click()
  await row.click()
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  await panel.waitFor()
  answer.release()
  const notice = page.getByRole('status').getByText('is still enabled: Not at this hour')
  await notice.waitFor()
  t.equal(await page.locator('.notice').count(), 1)
  t.equal(await panel.locator('.notice').count(), 1)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await notice.waitFor()
  await toggle.click()
  await row.click()
  await panel.getByRole('button', { name: 'Dismiss' }).first().click()
  t.equal(await page.locator('.notice').count(), 1, 'only one of the two was dismissed')
})

t.test('the dialog that deletes a schedule stays open until the response arrives', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules?schedule=s-1`)
  const answer = refuseLater()
  await page.route('**/api/schedules/s-1', route => (route.request().method() === 'DELETE' ? answer.handle(route) : route.fallback()))
  await page.getByRole('dialog', { name: 'Schedule', exact: true }).getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this schedule?' })
  await dialog.getByRole('textbox').first().fill('email:send')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Deleting…' }).waitFor()
  // At the second Escape the browser closes a dialog, even if the page prevents it.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
  answer.release()
  await dialog.getByText(/Not at this hour/).waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'detached' })
})

t.test('the dialog that runs a task stays open, with its arguments, until the response arrives', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks?name=email%3Asend`)
  const answer = refuseLater()
  await page.route('**/api/tasks/*/run', answer.handle)
  await page.getByRole('button', { name: 'Run…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run this task' })
  await dialog.getByRole('textbox').first().fill('["ada@example.com"]')
  await dialog.getByRole('button', { name: 'Run it' }).click()
  await dialog.getByRole('button', { name: 'Enqueueing…' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  answer.release()
  await dialog.getByText(/Not at this hour/).waitFor()
  t.equal(await dialog.getByRole('textbox').first().inputValue(), '["ada@example.com"]')
})

t.test('the reason for a refused run is kept for the next try', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules?schedule=s-1`)
  await page.route('**/api/schedules/s-1/run', refuse)
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('textbox').fill('OPS-17')
  await panel.getByRole('button', { name: 'Run it now' }).click()
  await panel.getByText(/Not at this hour/).waitFor()
  await panel.getByRole('button', { name: 'Run now…' }).click()
  t.equal(await panel.getByRole('textbox').inputValue(), 'OPS-17')

  // After a successful run, the next one needs a new reason.
  await page.unroute('**/api/schedules/s-1/run')
  await panel.getByRole('button', { name: 'Run it now' }).click()
  await panel.getByText('Enqueued').waitFor()
  await panel.getByRole('button', { name: 'Run now…' }).click()
  t.equal(await panel.getByRole('textbox').inputValue(), '')
})

t.test('the outcome of an action is shown even if the server is slow to return what it changed', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: /^Pause the queue of/ }).first().click()
  await page.route('**/pause', route => route.fulfill({ json: { pause: {} } }))
  // There is no response, and the page gives up after ten seconds.
  await page.route('**/api/queues', () => {})
  let isGivenUp = false
  page.on('requestfailed', () => { isGivenUp = true })
  await page.getByRole('button', { name: 'Pause it' }).click()
  await page.getByText(/^The queue of .* is paused/).waitFor()
  t.equal(isGivenUp, false)
})

t.test('by keyboard, the focus returns to the button of a question that was answered', async t => {
  const { page } = await openPage(t, browser, `${await serve(t, healthy())}/schedules?schedule=s-1`)
  await page.route('**/api/schedules/s-1/run', refuse)
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  const [button, confirm] = ['Run now…', 'Run it now'].map(name => panel.getByRole('button', { name }))
  await button!.focus()
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Not now' }).press('Enter')
  await untilFocused(button!)
  await page.keyboard.press('Enter')
  await untilFocused(confirm!)
  await page.keyboard.press('Enter')
  await panel.getByText(/Not at this hour/).waitFor()
  await untilFocused(button!)
})
