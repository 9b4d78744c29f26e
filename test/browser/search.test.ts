import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const rowsOf = (page: Page) => page.getByRole('table', { name: 'Execution history' }).locator('.history-body').getByRole('row')
const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Search executions' })

t.test('"/" focuses the search box, which completes fields and values, and the address keeps the search', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  await rowsOf(page).first().waitFor()
  await page.keyboard.press('/')
  t.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Search executions')
  await page.keyboard.type('sta')
  await page.getByRole('option', { name: /^status:/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await waitFor('the field', async () => await boxOf(page).inputValue() === 'status:')
  await page.getByRole('option', { name: /^failed/ }).waitFor()
  await page.keyboard.type('fai')
  // Between two responses there are no completions at all.
  await waitFor('the only matching value', async () =>
    /^failed[^\n]*$/.test((await page.getByRole('option').locator('code').allInnerTexts()).join('\n')))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await waitFor('the completion', async () => await boxOf(page).inputValue() === 'status:failed ')
  await page.keyboard.type('customer')
  await page.keyboard.press('Enter')
  await page.waitForURL(/[?&]search=status%3Afailed\+customer/)
  await waitFor('3 rows', async () => await rowsOf(page).count() === 3)
  t.same(new Set(await rowsOf(page).locator('.cell-task a').allInnerTexts()), new Set(['invoices/charge']))

  await page.reload()
  await waitFor('3 rows after the reload', async () => await rowsOf(page).count() === 3)
  t.equal(await boxOf(page).inputValue(), 'status:failed customer')
  await boxOf(page).fill('')
  await boxOf(page).press('Enter')
  await waitFor('all rows', async () => await rowsOf(page).count() > 3)
  t.same(troubles, [])
})

t.test('an invalid search marks the faulty character and says what is wrong', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?search=${encodeURIComponent('status:failed stauts:x')}`)
  const fault = page.getByRole('alert')
  await fault.getByText(/did you mean status:/).waitFor()
  t.equal(await fault.locator('mark').innerText(), 's')
  t.equal(await page.evaluate('document.querySelector(".search-fault code").textContent'), 'status:failed stauts:x')
  t.equal(await page.evaluate('document.querySelector(".search-fault code").firstChild.textContent'), 'status:failed ')
  t.equal(await boxOf(page).getAttribute('aria-invalid'), 'true')
  await boxOf(page).fill('status:failed')
  await boxOf(page).press('Enter')
  await fault.waitFor({ state: 'detached' })
  await waitFor('4 rows', async () => await rowsOf(page).count() === 4)
  t.same(troubles.filter(trouble => !trouble.includes('400')), [])
})

t.test('failures link to their group, and the group and minimum duration are kept in the address', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  const groups = page.getByRole('table', { name: 'Failure groups' })
  await groups.getByRole('link', { name: /RangeError/ }).click()
  await page.waitForURL(/\/failures\?group=/)
  await page.goto(`${mount}/executions${new URL(page.url()).search}&status=failed`)
  await waitFor('3 rows', async () => await rowsOf(page).count() === 3)
  await page.getByRole('combobox', { name: 'Took' }).selectOption('3600000')
  await page.waitForURL(/took=3600000/)
  await page.getByText('No execution matches these filters').waitFor()
  await page.getByRole('combobox', { name: 'Took' }).selectOption('')
  await page.getByRole('button', { name: 'Show every failure' }).click()
  await waitFor('4 rows', async () => await rowsOf(page).count() === 4)

  await page.locator('.history-body [data-row-link]').first().click()
  await page.getByRole('link', { name: /^(2 others like this|All failures of this group)$/ }).waitFor()
  await page.getByTitle('Executions of this worker').click()
  await page.waitForURL(/\/executions\?worker=/)
  await rowsOf(page).first().waitFor()
  t.same(troubles, [])
})

t.test('an execution that is the only kept failure of its group is not described as removed', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions?search=TypeError`)
  await rowsOf(page).first().click()
  const words = page.locator('.alike', { hasText: 'kept' })
  await words.waitFor()
  t.equal(await words.innerText(), 'All failures of this group, no other of which is kept')
})

t.test('an execution removed by retention says so instead of being called unknown', async t => {
  const { page } = await openPage(t, browser, mount)
  await page.route('**/api/executions/old', route => route.fulfill({
    status: 410, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Gone', status: 410, detail: 'The execution "old" is not kept any more', instance: '/',
      code: 'EXECUTION_PRUNED'
    })
  }))
  await page.goto(`${mount}/executions?execution=old`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('This execution is no longer kept').first().waitFor()
  t.equal(await panel.getByRole('button', { name: 'Try again' }).count(), 0)
})
