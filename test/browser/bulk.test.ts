import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { darken, findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring } = shop.queueApp

/** Waits until this many executions have failed. */
const untilFailed = (count: number) => waitFor(`${count} failures`, async () =>
  (await monitoring.executions({ status: 'failed', limit: 1 })).total.value === count)

t.test('by keyboard alone: all failed executions are retried, and the progress survives a reload', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=failed`, { colorScheme: 'light' })
  await page.getByRole('button', { name: 'All that match…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Act on all that match' })
  await dialog.getByText('4 executions').waitFor()
  t.same(await findViolations(page), [], 'light')
  await darken(page)
  t.same(await findViolations(page, 'contrast'), [], 'dark')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal((await monitoring.bulk.list({})).total, 0, 'nothing was started')

  await page.keyboard.press('Enter')
  await dialog.getByText('4 executions').waitFor()
  await untilFocused(dialog.getByRole('radio'))
  // The sample scrolls, so the keyboard reaches it too.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('the <b>mail</b> server is back')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bulk\?operation=/)
  for (const step of ['started', 'reloaded']) {
    await page.locator('.bulk-progress p').getByText('4 of 4').waitFor()
    await page.locator('.page-header').getByText('Done').waitFor()
    await page.getByText('the <b>mail</b> server is back').waitFor()
    await page.locator('.bulk-items [data-row-link]').nth(3).waitFor()
    t.same(await findViolations(page, step === 'started' ? 'contrast' : 'all'), [], step)
    await page.reload()
  }
  await page.locator('.bulk-items [data-row-link]').nth(3).waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await untilFailed(8)
  t.same(troubles, [])
})

t.test('by mouse: the list leads to an operation, to its items by outcome, and to the executions that match now', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  await page.getByRole('link', { name: 'Bulk operations' }).click()
  await page.locator('.bulk [data-row-link]').first().click()
  const outcomes = page.getByRole('navigation', { name: 'Outcome' })
  await outcomes.getByRole('link', { name: 'Skipped' }).click()
  await page.getByText('No item has this outcome.').waitFor()
  t.match(page.url(), /outcome=skipped/)
  await outcomes.getByRole('link', { name: /^Done/ }).click()
  await page.locator('.bulk-items .above').first().click()
  await page.waitForURL(/\/executions\?execution=/)
  await page.getByRole('dialog', { name: 'Execution', exact: true }).getByText('Timeline').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Show what matches now' }).click()
  await page.waitForURL(/\/executions\?status=failed/)
  t.same(troubles, [])
})

t.test('when the count has changed, nothing starts until the reader accepts the new one', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions?status=failed&task=invoices%2Fcharge`)
  await page.getByRole('button', { name: 'All that match…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Act on all that match' })
  await dialog.getByText('6 executions').waitFor()
  await shop.queueApp.enqueue('invoices/charge', [99])
  await untilFailed(9)
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await dialog.getByText('Nothing was started: 7 match now, not 6.').waitFor()
  t.equal((await monitoring.bulk.list({})).total, 1)
  await dialog.getByRole('button', { name: 'Start with 7' }).click()
  await page.waitForURL(/\/bulk\?operation=/)
  await page.locator('.bulk-progress p').getByText('7 of 7').waitFor()
  t.equal((await monitoring.bulk.list({})).total, 2)
  // Three of them had been retried before.
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Skipped 3' }).click()
  await page.getByText('It was retried already').first().waitFor()
})

t.test('an operation can start before its dry run has ended; it is then suspended, resumed and aborted', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions?status=success`)
  await page.route('**/api/bulk', route => route.request().postDataJSON()?.dry_run === true ? undefined : route.fallback())
  await page.getByRole('button', { name: 'All that match…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Act on all that match' })
  await dialog.getByText('Counting what matches…').waitFor()
  await dialog.getByLabel('Items per second (optional)').fill('0')
  t.equal(await dialog.getByRole('button', { name: 'Start' }).isDisabled(), true)
  await dialog.getByLabel('Items per second (optional)').fill('1')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/bulk\?operation=/)
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.locator('.page-header').getByText('Suspended').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('.page-header').getByText('Running').waitFor()
  await page.getByRole('button', { name: 'Abort…' }).click()
  await page.getByRole('button', { name: 'Abort it' }).click()
  await page.locator('.page-header').getByText('Aborted').waitFor()
})

t.test('a start whose response is lost is requested again, and happens once', async t => {
  const { total: before } = await monitoring.bulk.list({})
  const { page } = await openPage(t, browser, `${mount}/executions?status=failed`, { viewport: { width: 375, height: 800 } })
  let lost = 0
  await page.route('**/api/bulk', async route => {
    if (route.request().postDataJSON()?.dry_run !== false || lost++ > 0) return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'All that match…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Act on all that match' })
  await dialog.locator('.bulk-sample').waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'the dialog fits')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText('Perhaps started:').waitFor()
  await dialog.getByLabel('Items per second (optional)').fill('7')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/bulk\?operation=/)
  await page.locator('.bulk-facts').waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'the operation fits')
  t.equal((await monitoring.bulk.list({})).total, before + 1)
})

t.test('users who may not start an operation are not offered it, and a refusal is shown in the dialog', async t => {
  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: reader } = await openPage(t, browser, `${readOnly}/executions?status=failed`)
  await reader.locator('[data-row-link]').first().waitFor()
  t.equal(await reader.getByRole('button', { name: 'All that match…' }).count(), 0)

  const { page } = await openPage(t, browser, `${mount}/executions?status=failed`)
  await page.route('**/api/bulk', route => route.request().method() !== 'POST' ? route.fallback() : route.fulfill({
    status: 403, contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403, detail: 'Not for you', instance: '/', code: 'OTHER' })
  }))
  await page.getByRole('button', { name: 'All that match…' }).click()
  await page.getByText('Not counted: Not for you').waitFor()
  t.equal(await page.getByRole('button', { name: 'Start' }).isDisabled(), true)
})

t.test('an operation that does not exist is requested once', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks`)
  let asked = 0
  await page.route('**/api/bulk/unknown', route => { asked++; return route.continue() })
  await page.goto(`${mount}/bulk?operation=unknown`)
  await page.getByText('This bulk operation does not exist').waitFor()
  // It is polled every 2 seconds while it may change.
  await page.waitForTimeout(5_500)
  t.equal(asked, 1)
})

t.test('by keyboard alone: a failure group is retried', async t => {
  const { groups } = await monitoring.failureGroups({ taskName: 'invoices/charge' })
  const { errorGroup, count, type } = groups[0]!
  const { total: before } = await monitoring.bulk.list({})
  const { page, troubles } = await openPage(t, browser, `${mount}/failures?group=${errorGroup}`, { viewport: { width: 375, height: 800 } })
  await page.getByRole('heading', { name: type }).waitFor()
  await page.getByRole('button', { name: 'Retry all…' }).focus()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'the page fits')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Act on all that match' })
  await dialog.getByText(`${count} executions`).waitFor()
  t.equal(await dialog.getByRole('radio').count(), 1, 'it asks for nothing but the retry')
  t.same(await findViolations(page), [])
  await dialog.getByLabel('Items per second (optional)').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bulk\?operation=/)
  await page.locator('.page-header').getByText('Done').waitFor()
  const { items: [operation] } = await monitoring.bulk.list({})
  t.match(operation, { action: 'retry', filter: { errorGroup, status: 'failed' }, count: { value: count, relation: 'exact' } })
  t.equal((await monitoring.bulk.list({})).total, before + 1)
  t.same(troubles, [])
})

t.test('by keyboard alone: a bulk retry is suspended, resumed, aborted and undone, and a dialog gives the focus back', async t => {
  await shop.queueApp.enqueueMany('invoices/charge', Array.from({ length: 150 }, (_, index) => [index]))
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=failed`, { viewport: { width: 375, height: 800 } })
  const state = page.locator('.page-header')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'All that match…' }).waitFor()
  await tabTo(page, 'All that match…')
  await page.keyboard.press('Enter')
  await untilFocused(dialog.getByRole('radio'))
  for (const key of [...Array.from({ length: 12 }, () => 'Tab'), 'Shift+Tab']) {
    await page.keyboard.press(key)
    t.ok(await dialog.locator(':focus').count() === 1 || await isNowhere(page), `${key} does not leave the dialog for what is behind it`)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page.getByRole('button', { name: 'All that match…' }))

  await page.keyboard.press('Enter')
  await dialog.getByLabel('Items per second (optional)').focus()
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bulk\?operation=/)
  const title = page.getByRole('heading', { level: 1 })
  await untilFocused(title)
  for (const [button, becomes] of [['Suspend', 'Suspended'], ['Resume', 'Running']] as const) {
    await page.getByRole('button', { name: button }).waitFor()
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    await state.getByText(becomes).waitFor()
    await untilFocused(title)
  }
  await waitFor('some retries: the oldest were retried before', async () =>
    (await monitoring.bulk.list({ limit: 1 })).items[0]!.progress!.done > 0)
  for (const [button, confirm, becomes] of [['Abort…', 'Abort it', 'Aborted'], ['Undo…', 'Undo it', 'Undone']] as const) {
    await page.getByRole('button', { name: button }).waitFor()
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    await untilFocused(dialog.locator('*'))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(page.getByRole('button', { name: button }))
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
    await state.getByText(becomes).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(title)
  }
  const { items: [operation] } = await monitoring.bulk.list({})
  t.match(operation, { action: 'retry', state: 'undone', progress: { failed: 0 } })
  t.same(troubles, [])
})

t.test('a change that got no response is shown as unconfirmed, not as refused', async t => {
  const address = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${address}/bulk?operation=b-1`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Abort…' }).click()
  await page.route('**/api/bulk/**', route => route.request().method() === 'GET' ? route.fallback() : route.abort())
  await dialog.getByRole('button', { name: 'Abort it' }).click()
  await dialog.getByText('Not confirmed: it may have happened, or may yet. The server did not answer').waitFor()
  t.equal(await dialog.getByText('Not aborted').count(), 0)
  await page.unroute('**/api/bulk/**')
  await page.route('**/api/bulk/**', route => route.request().method() === 'GET'
    ? route.fallback()
    : route.fulfill({
      status: 409, contentType: 'application/problem+json', json: { code: 'BULK_STATE', detail: 'it is over', status: 409 }
    }))
  await dialog.getByRole('button', { name: 'Abort it' }).click()
  await dialog.getByText('Not aborted: it is over').waitFor()
})

const isNowhere = (page: Page) => page.evaluate<boolean>('document.activeElement === document.body')

/** Presses Tab until the button has the focus, at most as often as a page has controls. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).and(page.locator(':focus'))
  for (let presses = 0; presses < 60 && await button.count() === 0; presses++) await page.keyboard.press('Tab')
  if (await button.count() === 0) throw new Error(`Tab does not reach ${name}`)
}
