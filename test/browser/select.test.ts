import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { darken, findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { HOSTILE, openShop } from './shop.ts'
import { withoutFirstReads } from './calm-monitoring.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring } = shop.queueApp

t.test('by keyboard alone: rows are selected, and only the selected executions are retried', async t => {
  const address = `${mount}/executions?status=failed&task=invoices%2Fcharge`
  const { page, troubles } = await openPage(t, browser, address, { colorScheme: 'light' })
  const bar = page.locator('.selection-bar')
  const rows = page.locator('.history [data-row-link]')
  await page.getByRole('checkbox').nth(2).waitFor()
  t.equal(await bar.count(), 0)
  await rows.first().focus()
  await page.keyboard.press('x')
  await bar.getByText('1 selected').waitFor()
  t.equal(await page.getByRole('checkbox').first().isChecked(), true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')
  await bar.getByText('3 selected').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('x')
  await bar.getByText('2 selected').waitFor()
  t.same(await findViolations(page), [], 'light')
  await darken(page)
  t.same(await findViolations(page, 'contrast'), [], 'dark')

  await bar.getByRole('button', { name: 'Act on these…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Act on the selected executions' })
  await dialog.getByText('2 executions').waitFor()
  await dialog.getByText('2 selected executions').waitFor()
  t.same(await dialog.locator('.bulk-actions label').allInnerTexts(), ['Retry', 'Delete'])
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/bulk\?operation=/)
  await page.locator('.bulk-progress p').getByText('2 of 2').waitFor()
  t.equal(await page.getByRole('link', { name: 'Show what matches now' }).count(), 0)
  const { items: [operation] } = await monitoring.bulk.list({})
  t.match(operation, { action: 'retry', filter: { taskName: 'invoices/charge' }, progress: { done: 2 } })
  t.equal(operation!.executionCount, 2)
  t.same(troubles, [])
})

t.test('by mouse: Shift selects a range, and another filter clears the selection', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=pending`)
  const bar = page.locator('.selection-bar')
  const boxes = page.getByRole('checkbox', { name: /^Select email:send / })
  await boxes.nth(0).click()
  await bar.getByText('1 selected').waitFor()
  // Keyboard navigation continues from this row.
  await untilFocused(page.locator('[data-row-link]'))
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  t.equal(await page.locator('dialog').count(), 0, 'no row was opened')
  await bar.getByRole('button', { name: 'Clear' }).click()
  await bar.waitFor({ state: 'detached' })
  await boxes.nth(3).click()
  await bar.getByText('1 selected').waitFor()
  await page.getByRole('link', { name: /^Success/ }).click()
  await bar.waitFor({ state: 'detached' })
  await page.goBack()
  await boxes.nth(3).click()
  const left = page.locator('.history [data-row-link]').nth(3)
  const id = await left.getAttribute('data-row-link')
  await shop.queueApp.operations.cancelExecution(id!)
  await waitFor('it to be cancelled', async () => (await monitoring.execution(id!))?.status === 'cancelled')
  await bar.getByRole('button', { name: 'Act on these…' }).click()
  await page.getByRole('dialog').getByText('Nothing matches.').waitFor()
  t.same(troubles, [])
})

t.test('the selection, its bar and its dialog stay when the list becomes empty', async t => {
  const { executions: [waiting] } = await monitoring.executions({ status: 'pending', limit: 1 })
  const id = waiting!.executionId
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=pending&search=${encodeURIComponent(`id:${id}`)}`)
  const bar = page.locator('.selection-bar')
  await page.locator(`[data-row-link="${id}"]`).focus()
  await page.keyboard.press('x')
  await bar.getByRole('button', { name: 'Act on these…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Act on the selected executions' })
  await dialog.getByText('1 execution', { exact: true }).waitFor()
  await shop.queueApp.operations.cancelExecution(id)
  await page.locator('.history').waitFor({ state: 'detached' })
  t.equal(await dialog.isVisible(), true)
  await page.keyboard.press('Escape')
  await bar.getByText('1 selected').waitFor()
  t.same(troubles, [])
})

t.test('users who may not act on any execution see no checkboxes', async t => {
  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page } = await openPage(t, browser, `${readOnly}/executions`)
  await page.locator('.history [data-row-link]').first().waitFor()
  t.equal(await page.locator('.history').getByRole('checkbox').count(), 0)
  await page.getByTitle('Read-only: this dashboard changes nothing').waitFor()
})

t.test('rows can be selected on a phone, and nothing is wider than the screen', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`, { viewport: { width: 375, height: 700 } })
  await page.getByRole('checkbox').first().click()
  await page.locator('.selection-bar').getByText('1 selected').waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  t.same(await findViolations(page), [])
})

const WORDS = [
  {
    locale: 'en-GB', act: 'Act on these…', start: 'Start',
    dialog: ['1 of your selection is left out: you may not do this.', '1 of your selection cannot be retried now, and stays unchanged.'],
    operation: ['1 selected execution was left out: not allowed for the person who started this.', /^Checking them took too long\./]
  },
  {
    locale: 'de-DE', act: 'Aktion auf diese …', start: 'Beginnen',
    dialog: [
      '1 ausgewählte Ausführung ausgelassen: Das dürfen Sie nicht.',
      '1 ausgewählte Ausführung lässt sich jetzt nicht wiederholen und bleibt unverändert.'
    ],
    operation: ['1 ausgewählte Ausführung ausgelassen: Wer die Sammelaktion begann, darf das nicht.', /^Die Prüfung dauerte zu lange\./]
  }
] as const

t.test('the dialog and the operation say which part of a selection is left out, and why', async t => {
  const some = await shop.serve({
    prefix: '/some', authorize: (_request, action, { taskName }) => action !== 'executions:retry' || taskName !== HOSTILE.task
  })
  for (const { locale, act, start, dialog: ofDialog, operation } of WORDS) {
    const { page, troubles } = await openPage(t, browser, `${some}/executions?status=failed`, { locale })
    const ofCharge = page.getByRole('checkbox', { name: /invoices\/charge/ })
    await ofCharge.nth(2).waitFor()
    await page.getByRole('checkbox', { name: /onerror/ }).click()
    await ofCharge.nth(0).click()
    await ofCharge.nth(1).click()
    const [, gone] = /([0-9a-f-]{36})/.exec(await ofCharge.nth(1).getAttribute('aria-label') ?? '') ?? []
    await shop.queueApp.operations.deleteExecution(gone!)
    await page.getByRole('button', { name: act }).click()
    const dialog = page.getByRole('dialog')
    for (const words of ofDialog) await dialog.getByText(words).waitFor()
    t.same(await findViolations(page), [], locale)
    await dialog.getByRole('button', { name: start, exact: true }).click()
    await page.waitForURL(/\/bulk\?operation=/)
    await page.locator('.bulk-facts').getByText(operation[0]).waitFor()

    await withoutFirstReads(page)
    await page.route('**/api/bulk/*', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...await response.json() as object, executions_checked: false } })
    })
    await page.reload()
    await page.locator('.bulk-facts').getByText(operation[1]).waitFor()
    t.same(troubles, [])
  }
})
