import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { HOSTILE, openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/a/b/c' })
const { monitoring } = shop.queueApp
const find = async (description: string) => (await monitoring.schedules()).find(schedule => schedule.description === description)

t.test('a switch disables and enables its schedule', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules`)
  const toggle = page.getByRole('switch', { name: 'Daily report enabled' })
  await toggle.click()
  await page.getByText('Daily report is disabled.').waitFor()
  await page.locator('[role=switch][aria-checked=false]').and(toggle).waitFor()
  t.equal((await find('Daily report'))?.enabled, false)

  await page.getByRole('button', { name: 'Enabled only' }).click()
  await toggle.waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'Charge due invoices enabled' }).waitFor()
  await page.getByRole('button', { name: 'Enabled only' }).click()

  await toggle.click()
  await page.getByText('Daily report is enabled.').waitFor()
  t.equal((await find('Daily report'))?.enabled, true)
  await page.getByRole('row', { name: /Daily report/ }).getByText(/^in \d/).waitFor()
  t.same(troubles, [])
})

t.test('a refused switch returns to its old state and says why', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`)
  await page.route('**/disable', route => route.fulfill({
    status: 503, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'The broker cannot be reached', instance: '/',
      code: 'BROKER_UNAVAILABLE'
    })
  }))
  const toggle = page.getByRole('switch', { name: 'Daily report enabled' })
  await toggle.click()
  await page.getByText('Daily report is still enabled: The broker cannot be reached').waitFor()
  await page.locator('[role=switch][aria-checked=true]').and(toggle).waitFor()
})

t.test('the edit form of a schedule keeps what was typed, and the same change made elsewhere does not count as a conflict', async t => {
  const weekly = await find('Weekly digest')
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules?schedule=${encodeURIComponent(weekly!.scheduleId)}`)
  const edit = page.getByRole('link', { name: 'Edit…' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
  const priority = dialog.getByRole('spinbutton', { name: 'Priority' })
  await priority.fill('7')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await edit.click()
  t.equal(await priority.inputValue(), '7')
  await dialog.locator('.code').getByText('"priority":7').waitFor()
  await page.keyboard.press('Escape')
  const { status } = await fetch(`${mount}/api/schedules/${encodeURIComponent(weekly!.scheduleId)}`, {
    method: 'PATCH', body: JSON.stringify({ priority: 7 }),
    headers: { 'content-type': 'application/json', 'if-match': String(weekly!.version) }
  })
  t.equal(status, 200)
  await edit.click()
  await dialog.getByText('Nothing is changed yet').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Start over' }).count(), 0, 'no one else changed it')
  await priority.fill('8')
  await dialog.locator('.code').waitFor()
  t.same(troubles, [])
})

t.test('search filters schedules and is kept in the address', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByRole('searchbox', { name: 'Search schedules' }).fill('invoices')
  await page.getByRole('link', { name: 'Daily report' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Charge due invoices' }).waitFor()
  await page.waitForURL('**/schedules?search=invoices')
  await page.reload()
  await page.getByRole('link', { name: 'Charge due invoices' }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Daily report' }).count(), 0)
})

t.test('one click filters schedules that need attention, and a click on a column sorts the list', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules`)
  const links = page.locator('.schedules-body [data-row-link]')
  await page.getByRole('link', { name: 'Edited 1' }).click()
  await page.waitForURL('**/schedules?show=edited')
  await page.getByText('1 schedule of 4').waitFor()
  await waitFor('the only row', async () => (await links.allInnerTexts()).join() === 'Weekly digest')
  await page.getByRole('link', { name: 'Edited 1' }).click()
  await page.getByRole('columnheader', { name: 'Schedule' }).getByRole('link').click()
  await page.waitForURL('**/schedules?sort=task')
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  await waitFor('four rows in order', async () => {
    const names = await links.allInnerTexts()
    return names.length === 4 && names.join() === names.toSorted(compare).join()
  })
  t.same(troubles, [])
})

t.test('the panel lists the next runs, starting with the one in the list', async t => {
  for (const description of ['Daily report', 'Charge due invoices']) {
    const schedule = await find(description)
    const { page, troubles } = await openPage(t, browser, `${mount}/schedules?schedule=${encodeURIComponent(schedule!.scheduleId)}`)
    const runs = page.getByRole('dialog', { name: 'Schedule', exact: true }).locator('.runs time')
    await runs.nth(9).waitFor()
    t.equal(await runs.first().getAttribute('datetime'), new Date(schedule!.nextRunAt!).toISOString(), description)
    t.same(troubles, [])
  }
})

t.test('the composer previews the runs, prints the call and sends nothing', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules?new=1`)
  const writes: string[] = []
  page.on('request', request => { if (request.method() !== 'GET') writes.push(request.url()) })
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  const cron = dialog.getByRole('textbox', { name: 'Cron' })
  await cron.fill('30 2 29 3 *')
  await dialog.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin')
  await dialog.getByRole('combobox', { name: 'Task' }).selectOption('email:send')
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill('["it\'s", 1]')
  await dialog.locator('.runs li').nth(4).waitFor()
  t.match(await dialog.locator('.code').innerText(), `curl -X POST '${mount}/api/schedules/cron'`)
  t.match(await dialog.locator('.code').innerText(), '"args":["it\'\\\'\'s",1]')
  const keyOf = async (): Promise<string | undefined> => /idempotency-key: (\w{16,})/.exec(await dialog.locator('.code').innerText())?.[1]
  const key = await keyOf()
  t.ok(key, 'the call can be repeated')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Changed')
  await dialog.locator('.code').getByText('Changed').waitFor()
  t.not(await keyOf(), key, 'a changed form is a new request')
  await cron.fill('61 2 * * *')
  await dialog.locator('.field .tone-bad').getByText(/61/).waitFor()
  t.equal(await cron.getAttribute('aria-invalid'), 'true')
  t.equal(await dialog.locator('.code').count(), 0, 'a call that would be refused cannot be copied')
  await cron.pressSequentially(' ')
  await page.waitForTimeout(1_000)
  t.equal(await dialog.locator('.code').count(), 0, 'nor while the server checks it again')
  await cron.fill('30 2 * * *')
  await dialog.locator('.code').waitFor()
  t.equal(await cron.getAttribute('aria-invalid'), 'false')
  await cron.fill('* * *')
  await dialog.getByText('Five fields').waitFor()
  t.same(writes, [])
  t.same(troubles.filter(trouble => !trouble.includes('400')), [], 'no errors except the answers to invalid expressions')
})

t.test('a call is copied only once the server has accepted its timing, with the keyboard as well', async t => {
  const weekly = await find('Weekly digest')
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules?schedule=${encodeURIComponent(weekly!.scheduleId)}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
  // Another test may have copied something.
  await page.evaluate("navigator.clipboard.writeText('')")
  let answer = (): void => {}
  const held = new Promise<void>(resolve => { answer = resolve })
  await page.route(/\/preview\?.*30(\+|%20)3/, async route => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\/preview\?.*30(\+|%20)3/)
  await page.getByRole('link', { name: 'Edit…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
  const cron = dialog.getByRole('textbox', { name: 'Cron' })
  await cron.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('30 3 * * *')
  await asked
  const copy = dialog.getByRole('button', { name: 'Copy curl' })
  t.equal(await copy.getAttribute('aria-disabled'), 'true')
  await copy.focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('The server still checks the timing').waitFor()
  t.equal(await copied(), '', 'nothing is copied before it is accepted')
  answer()
  await dialog.locator('.code button:not([aria-disabled=true])').waitFor()
  await page.keyboard.press('Enter')
  await waitFor('the call', async () => (await copied()).includes('30 3 * * *'))

  await cron.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('61 8 * * *')
  await dialog.locator('.code').waitFor({ state: 'detached' })
  t.equal(await cron.getAttribute('aria-invalid'), 'true')
  const refusal = await cron.getAttribute('aria-describedby')
  t.match(await dialog.locator(`[id="${refusal}"]`).innerText(), /61/, 'the refusal describes the field')
  await untilFocused(cron)
  t.same(troubles.filter(trouble => !trouble.includes('400')), [])
})

t.test('a schedule is deleted only after its task name was typed', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByRole('button', { name: 'Delete Charge due invoices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this schedule?' })
  t.match(await dialog.innerText(), /definition and statistics are lost/)
  const confirm = dialog.getByRole('button', { name: 'Delete schedule' })
  t.equal(await confirm.isDisabled(), true)
  await dialog.getByRole('textbox').fill('invoices')
  t.equal(await confirm.isDisabled(), true)
  await dialog.getByRole('textbox').fill('invoices/charge')
  await confirm.click()
  await page.getByText('Charge due invoices is deleted.').waitFor()
  await page.getByRole('link', { name: 'Charge due invoices' }).waitFor({ state: 'detached' })
  t.equal(await find('Charge due invoices'), undefined)
  t.same(troubles, [])
})

t.test('a read-only dashboard has no switch and no delete button, and says why', async t => {
  const readOnly = await shop.serve({ prefix: '/ro', readOnly: true })
  const { page, troubles } = await openPage(t, browser, `${readOnly}/schedules`)
  await page.getByText('Read-only: this dashboard changes nothing').waitFor()
  await page.getByRole('link', { name: 'Daily report' }).waitFor()
  t.equal(await page.getByRole('switch').count(), 0)
  t.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0)
  t.equal(await page.getByRole('link', { name: 'New schedule' }).count(), 0)
  t.ok(await page.getByText(HOSTILE.task).first().isVisible())
  t.same(troubles, [])
})
