import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { HOSTILE, openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })

t.test('the status filter shows the executions of each status with correct counts', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  const filter = page.getByRole('navigation', { name: 'Status' })
  const rows = page.getByRole('table', { name: 'Execution history' }).locator('.history-body').getByRole('row')
  const all = Object.values(shop.counts).reduce((sum, count) => sum + count, 0)
  await filter.getByRole('link', { name: `All ${all}` }).waitFor()
  await rows.nth(all - 1).waitFor()
  t.equal(await rows.count(), all)

  for (const [status, word] of [['pending', 'Pending'], ['running', 'Running'], ['success', 'Success'], ['failed', 'Failed']] as const) {
    await filter.getByRole('link', { name: `${word} ${shop.counts[status]}` }).click()
    await page.waitForURL(`**/executions?status=${status}`)
    await untilRows(page, shop.counts[status])
    t.same(new Set(await rows.locator('.cell-status').allInnerTexts()), new Set([word]), `only ${status} ones`)
    t.equal(await filter.locator('[aria-current]').innerText().then(text => text.includes(word)), true)
  }

  await filter.getByRole('link', { name: /^All/ }).click()
  await untilRows(page, all)
  t.same(troubles, [])
})

t.test('task and time range filter the history and are kept in the address', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`)
  await page.getByRole('combobox', { name: 'Task', exact: true }).selectOption('invoices/charge')
  await untilRows(page, 3)
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('1h')
  await page.waitForURL('**/executions?task=invoices%2Fcharge&range=1h')
  await page.reload()
  await untilRows(page, 3)
  t.equal(await page.getByRole('combobox', { name: 'Task', exact: true }).inputValue(), 'invoices/charge')

  await page.goto(`${mount}/executions?task=stay&status=failed`)
  await page.getByText('No execution matches these filters').waitFor()
  await page.getByRole('link', { name: 'Show all executions' }).click()
  await page.getByRole('table', { name: 'Execution history' }).waitFor()
})

t.test('the panel says when an error message was cut', async t => {
  const { executions: [hostile] } = await shop.queueApp.monitoring.executions({ status: 'failed', taskName: HOSTILE.task, limit: 1 })
  t.match((await shop.queueApp.monitoring.execution(hostile!.executionId))!.truncated, ['/error/message'])
  const { page } = await openPage(t, browser, `${mount}/executions?execution=${encodeURIComponent(hostile!.executionId)}`)
  await page.getByRole('dialog', { name: 'Execution' }).getByRole('heading', { name: 'Error cut: over the size limit' }).waitFor()
})

t.test('an execution has its own address and shows its timeline, error and arguments', async t => {
  const failed = (await shop.queueApp.monitoring.executions({ status: 'failed', taskName: 'invoices/charge', limit: 1 })).executions[0]!
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?execution=${encodeURIComponent(failed.executionId)}`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByRole('heading', { name: 'invoices/charge' }).waitFor()
  // The parts below the heading come later.
  for (const part of ['Failed for good', '1 item']) await panel.getByText(part).first().waitFor()
  const text = await panel.innerText()
  t.match(text, /RangeError\s+invoice \d has no customer/)
  t.match(text, /Attempt 1[^]*Submitted[^]*Failed for good/)
  t.match(text, /Arguments[^]*1 item/)
  t.match(await panel.locator('.frames-own').first().innerText(), /^\s*at .*shop\.ts/, 'its stack is open, and begins with the own frames')
  await panel.getByRole('link', { name: '2 others like this' }).waitFor()
  t.same(troubles, [])

  const gone = await openPage(t, browser, `${mount}/executions?execution=no-such-execution`)
  await gone.page.getByText('There is no execution with the id "no-such-execution"').waitFor()
})

t.test('an execution whose result could not be stored is shown as a success, with the reason', async t => {
  const executionId = await shop.queueApp.enqueue(shop.queueApp.task('tags', () => ({ tags: new Map() })))
  await shop.queueApp.result(executionId, { waitMs: 60_000 })
  const { page } = await openPage(t, browser, `${mount}/executions?execution=${executionId}`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('It succeeded, but its return value could not be stored: result.tags is a Map').waitFor()
  t.ok(await panel.getByText('Success', { exact: true }).first().isVisible())
})

t.test('on a phone the panel is modal and nothing overflows', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions?status=failed`, { viewport: { width: 320, height: 700 } })
  await page.locator('.history-body [data-row-link]').first().click()
  await page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()
  t.equal(await page.evaluate('document.querySelector("dialog.panel").matches(":modal")'), true)
  for (const path of ['/', '/executions', '/tasks', '/schedules']) {
    await page.goto(mount + path)
    await page.locator('[data-row-link]').first().waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
  }
})

/** Only the rows in view exist in the DOM; these tests have fewer than fit. */
async function untilRows(page: Page, count: number): Promise<void> {
  await waitFor(`${count} rows`, async () => await page.locator('.history-body').getByRole('row').count() === count)
}

t.test('navigating to another page scrolls to the top', async t => {
  const { page, troubles } = await openPage(t, browser, mount, { viewport: { width: 375, height: 500 } })
  await page.getByRole('link', { name: 'All failed executions' }).scrollIntoViewIfNeeded()
  t.ok(Number(await page.evaluate('scrollY')) > 0)
  await page.getByRole('link', { name: 'All failed executions' }).click()
  await page.waitForURL('**/executions?status=failed&range=1h')
  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor()
  await waitFor('the top of the page', async () => await page.evaluate('scrollY') === 0)
  t.same(troubles, [])
})

t.test('an old address of the history redirects to the new page and keeps its query', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks?status=failed&task=invoices%2Fcharge&tasks=all`)
  await page.waitForURL('**/executions?status=failed&task=invoices%2Fcharge')
  await untilRows(page, 3)
})
