import type { Page } from 'playwright-core'
import t from 'tap'
import type { FailureGroupPage } from '../../schemas/index.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const userOf = (cookies: string | undefined): string => /user=(\w+)/.exec(cookies ?? '')?.[1] ?? 'ada'
const mount = await shop.serve({
  prefix: '/tasks', identify: request => userOf(request.headers.cookie),
  scope: request => (userOf(request.headers.cookie) === 'ben' ? name => name === 'email:send' : null)
})
const { monitoring, operations } = shop.queueApp
/** Waits until the page has polled twice. */
async function untilUpdated(page: Page): Promise<void> {
  for (let count = 0; count < 2; count++) await page.waitForResponse('**/api/health')
}

t.test('switching to UTC in another tab closes no dialog here, and takes effect after a reload', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: 'Pause the queue of email:send…' }).click()
  const reason = page.getByRole('dialog', { name: 'Pause this queue?' }).getByLabel('Reason')
  await reason.fill('half a sentence')
  const other = await page.context().newPage()
  await other.goto(mount)
  await other.getByRole('button', { name: 'Times in UTC' }).click()
  await page.bringToFront()
  await untilUpdated(page)
  t.equal(await reason.inputValue({ timeout: 1_000 }).catch(() => 'the dialog is closed'), 'half a sentence')
  await page.reload()
  await page.getByRole('button', { name: 'Times in UTC', pressed: true }).waitFor()
  t.same(troubles, [])
})

t.test('views that are saved in two tabs are all kept', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  const choose = async (tab: Page, text: string, option: RegExp): Promise<void> => {
    await tab.bringToFront()
    await tab.locator('main h1').waitFor()
    await tab.keyboard.press('Control+k')
    await tab.getByRole('combobox', { name: 'Find' }).fill(text)
    await tab.getByRole('option').filter({ hasText: option }).first().click()
  }
  await choose(page, 'save first view', /Save this page/)
  const other = await page.context().newPage()
  await other.goto(`${mount}/schedules`)
  await choose(other, 'save second view', /Save this page/)
  await choose(page, 'save third view', /Save this page/)
  await page.reload()
  for (const name of ['first view', 'second view', 'third view']) await choose(page, name, /Saved view/)
})

t.test('if someone else deletes a schedule while its panel is open, the panel says so and no longer offers a run', async t => {
  const { scheduleId } = await operations.createSchedule({
    taskName: 'email:send', timing: { cron: '0 7 * * *', timezone: 'UTC' }, description: 'Short lived', args: []
  })
  const { page } = await openPage(t, browser, `${mount}/schedules?schedule=${encodeURIComponent(scheduleId)}`)
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  await panel.getByRole('button', { name: 'Run now…' }).waitFor()
  await operations.deleteSchedule(scheduleId)
  await panel.getByText('This schedule does not exist').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Run now…' }).count(), 0)
})

t.test('an open resume dialog of the list closes when the pause ends, even if another pause follows at once', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await operations.pauseQueue('email:send', { by: 'ben', reason: 'one' })
  await page.getByRole('button', { name: 'Resume the queue of email:send…' }).click()
  const question = page.getByRole('dialog', { name: 'Resume this queue?' })
  await question.waitFor()
  await operations.resumeQueue('email:send')
  await operations.pauseQueue('email:send', { by: 'cid', reason: 'two' })
  await page.getByText('two').first().waitFor()
  t.equal(await question.count(), 0)
  await operations.resumeQueue('email:send')
})

t.test('an open pause dialog shows that someone else has paused the queue', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: 'Pause the queue of email:send…' }).click()
  const question = page.getByRole('dialog', { name: 'Pause this queue?' })
  await question.getByLabel('Reason').fill('mine')
  await operations.pauseQueue('email:send', { by: 'cid', reason: 'a migration' })
  await question.getByText('a migration').waitFor()
  t.match(await question.innerText(), /Paused\s+by cid[^]*Your pause replaces theirs/)
  t.equal(await question.getByLabel('Reason').inputValue(), 'mine')
  await page.keyboard.press('Enter')
  await page.getByText('The queue of email:send is paused').waitFor()
  t.equal((await monitoring.queue('email:send'))!.pause?.reason, 'mine')
  await operations.resumeQueue('email:send')
})

t.test('an open resolve dialog shows what someone else has decided about the failure group', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/failures`)
  const groups = await (await fetch(`${mount}/api/failures`)).json() as FailureGroupPage
  const group = groups.items.find(({ type }) => type === 'RangeError')!
  await page.getByRole('row').filter({ hasText: 'RangeError' }).getByRole('button', { name: 'Resolve…' }).click()
  const question = page.getByRole('dialog', { name: 'Resolve this failure group?' })
  await question.getByLabel('Note').fill('mine')
  const { status } = await fetch(`${mount}/api/failures/${group.error_group}/resolve`, {
    method: 'PUT', body: JSON.stringify({ note: 'fixed in 1.2' }), headers: { 'content-type': 'application/json', cookie: 'user=cid' }
  })
  t.equal(status, 200)
  await question.getByText('fixed in 1.2').waitFor()
  t.match(await question.innerText(), /resolved by cid[^]*anything else replaces it/)
  t.equal(await question.getByLabel('Note').inputValue(), 'mine')
  t.same(troubles, [])
})

t.test('after another user signs in in another tab, this tab hides what only the previous user may see', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`)
  const history = page.getByRole('table', { name: 'Execution history' })
  await history.getByText('invoices/charge').first().hover()
  await page.context().addCookies([{ name: 'user', value: 'ben', url: mount }])
  await page.evaluate('dispatchEvent(new Event("visibilitychange"))')
  await page.locator('.user').getByText('ben').waitFor()
  await untilUpdated(page)
  t.equal(await history.getByText('email:send').count() > 0, true)
  t.equal(await history.getByText('invoices/charge').count(), 0)
})

t.test('times of a schedule that were loaded before a switch to UTC do not count as changed', async t => {
  const { scheduleId } = await operations.createSchedule({
    taskName: 'email:send', timing: { cron: '0 7 * * *', timezone: 'UTC' }, description: 'From next year', args: [],
    startAt: Date.parse('2031-01-01T08:00:00Z')
  })
  const { page } = await openPage(t, browser, `${mount}/schedules?schedule=${encodeURIComponent(scheduleId)}`)
  const edit = page.getByRole('link', { name: 'Edit…' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
  await dialog.getByRole('spinbutton', { name: 'Priority' }).fill('7')
  t.equal(await dialog.getByLabel('Not before').inputValue(), '2031-01-01T09:00')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Times in UTC' }).click()
  await edit.click()
  await dialog.locator('.code').getByText('"priority":7').waitFor()
  t.equal(await dialog.getByLabel('Not before').inputValue(), '2031-01-01T08:00')
  t.notMatch(await dialog.locator('.code').first().innerText(), /start_at/)
})
