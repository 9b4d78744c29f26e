import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/ops', identify: () => 'ada' })
const { monitoring, operations } = shop.queueApp
const groupOf = async (type: string) => (await monitoring.failureGroups({})).groups.find(each => each.type === type)!

t.test('a failure group is resolved from its row and reopened from its page, by keyboard alone', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/failures`)
  const table = page.getByRole('table', { name: 'Failure groups' })
  const row = table.getByRole('row').filter({ hasText: 'RangeError' })
  const press = async (key: string, times = 1) => { for (let i = 0; i < times; i++) await page.keyboard.press(key) }
  const focusText = async () => String(await page.evaluate('document.activeElement.textContent'))

  await row.getByRole('link').focus()
  await press('Tab')
  t.equal(await focusText(), 'Resolve…')
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Resolve this failure group?' })
  await dialog.waitFor()
  t.same(await findViolations(page), [])
  await page.keyboard.type('fixed in <b>1.2</b>')
  await press('Tab', 2)
  t.equal(await focusText(), 'Resolve it')
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  t.match(await groupOf('RangeError'), { state: 'resolved', decision: { by: 'ada', note: 'fixed in <b>1.2</b>' } })

  await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: 'Resolved' }).focus()
  await press('Enter')
  await page.waitForURL(/\/failures\?state=resolved$/)
  await row.getByText('resolved').waitFor()
  await waitFor('the only row', async () => await table.locator('[data-row-link]').count() === 1)
  t.match(await row.getByText('resolved').getAttribute('title'), /^resolved by ada .*: fixed in <b>1\.2<\/b>$/)
  t.same(await findViolations(page), [])

  await row.getByRole('link').focus()
  await press('Enter')
  await page.waitForURL(/group=/)
  const facts = page.locator('.group-facts')
  await facts.getByText('fixed in <b>1.2</b>').waitFor()
  t.match(await facts.innerText(), /State\s+resolved · resolved by ada · /)
  await page.getByRole('button', { name: 'Reopen…' }).focus()
  await press('Enter')
  await page.getByRole('dialog', { name: 'Reopen this failure group?' }).waitFor()
  await press('Escape')
  t.equal((await groupOf('RangeError')).state, 'resolved', 'nothing was confirmed')
  await waitFor('the focus to be back', async () => await focusText() === 'Reopen…')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Reopen this failure group?' }).waitFor()
  t.equal(await page.evaluate(`(async () => {
    document.querySelector('dialog [aria-label="Close"]').click()
    await new Promise(resolve => setTimeout(resolve))
    return document.activeElement.textContent
  })()`), 'Reopen…', 'before the next frame')
  await press('Enter')
  await untilFocused(page.getByRole('dialog', { name: 'Reopen this failure group?' }).locator('*'))
  await press('Tab', 2)
  await press('Enter')
  await facts.getByText('reopened by ada').waitFor()
  t.same(await findViolations(page), [])
  t.equal((await groupOf('RangeError')).state, 'open')
  await page.goto(`${mount}/audit`)
  await page.getByRole('link', { name: `Failure group ${(await groupOf('RangeError')).errorGroup}` }).first().waitFor()
  t.same(troubles, [])
})

t.test('a group that fails while the dialog is open is shown with that failure, and resolved when confirmed again', async t => {
  const { errorGroup, count } = await groupOf('RangeError')
  const { page } = await openPage(t, browser, `${mount}/failures?group=${errorGroup}`)
  await page.getByRole('button', { name: 'Resolve…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve this failure group?' })
  await dialog.getByRole('textbox').fill('understood')
  await shop.queueApp.enqueue('invoices/charge', [9])
  await waitFor('the failure', async () => (await groupOf('RangeError')).count > count)
  await dialog.getByRole('button', { name: 'Resolve it' }).click()
  await dialog.getByText('Not resolved: This failure group failed again').waitFor()
  await dialog.getByText('Confirm again to resolve that one too.').waitFor()
  t.equal((await groupOf('RangeError')).state, 'open')
  t.same(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Resolve it' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.match(await groupOf('RangeError'), { state: 'resolved', decision: { note: 'understood' } })
  await operations.reopenFailureGroup(errorGroup)
})

t.test('no button is offered for a group that also occurs in tasks outside the scope', async t => {
  const { tasks } = await groupOf('RangeError')
  const seen = await shop.serve({ prefix: '/mine', scope: () => name => name === tasks[0]!.taskName })
  const { page } = await openPage(t, browser, `${seen}/failures?state=all`)
  const row = page.getByRole('row').filter({ hasText: 'RangeError' })
  await row.getByRole('button', { name: 'Resolve…' }).waitFor()
  await page.route('**/api/failures?*', async route => {
    const response = await route.fetch()
    const body = await response.json() as { items: Array<{ decidable: boolean }> }
    await route.fulfill({ response, json: { ...body, items: body.items.map(each => ({ ...each, decidable: false })) } })
  })
  await page.getByRole('navigation', { name: 'State' }).getByRole('link', { name: 'Open' }).click()
  await row.getByRole('button', { name: 'Resolve…' }).waitFor({ state: 'detached' })
  await row.waitFor()
  t.equal(await page.getByRole('button', { name: /Resolve…|Reopen…/ }).count(), 0)
})

t.test('a refusal is shown in the dialog, and users who may not resolve or reopen are offered no button', async t => {
  const { errorGroup } = await groupOf('RangeError')
  const { page } = await openPage(t, browser, `${mount}/failures?group=${errorGroup}`)
  await page.route('**/resolve', route => route.fulfill({
    status: 404, contentType: 'application/problem+json', body: JSON.stringify({
      type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is no failure group "x"', instance: '/',
      code: 'FAILURE_GROUP_NOT_FOUND'
    })
  }))
  await page.getByRole('button', { name: 'Resolve…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve this failure group?' })
  await dialog.getByRole('textbox').fill('a\u202eb')
  await dialog.getByText('It contains characters that cannot be displayed.').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Resolve it' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill('')
  await dialog.getByRole('button', { name: 'Resolve it' }).click()
  await dialog.getByText('Not resolved: There is no failure group "x"').waitFor()

  await operations.resolveFailureGroup(errorGroup)
  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: other } = await openPage(t, browser, `${readOnly}/failures?state=all`)
  await other.getByRole('row').filter({ hasText: 'RangeError' }).getByText('resolved').waitFor()
  t.equal(await other.getByRole('button', { name: /Resolve…|Reopen…/ }).count(), 0)
  await operations.reopenFailureGroup(errorGroup)
})

t.test('the verdict names a resolved group that fails again, and a German reader resolves it again', async t => {
  const { errorGroup } = await groupOf('RangeError')
  await operations.resolveFailureGroup(errorGroup)
  await shop.queueApp.enqueue('invoices/charge', [7])
  await waitFor('the group to regress', async () => (await groupOf('RangeError')).state === 'regressed')
  const { page } = await openPage(t, browser, mount)
  await page.getByText('1 resolved failure group failed again').waitFor()
  const address = await shop.serve({ prefix: '/wieder', interface: { language: 'de' } })
  await page.goto(`${address}/failures?state=regressed`)
  await page.getByRole('link', { name: /RangeError/ }).click()
  await page.locator('.group-facts').getByText('wieder aufgetreten').waitFor()
  await page.getByRole('button', { name: 'Öffnen …' }).waitFor()
  await page.getByRole('button', { name: 'Erledigen …' }).click()
  await page.getByRole('textbox', { name: 'Notiz (freiwillig)' }).fill('behoben')
  await page.getByRole('button', { name: 'Erledigen', exact: true }).click()
  await page.locator('.group-facts').getByText('behoben').waitFor()
  t.match(await groupOf('RangeError'), { state: 'resolved', decision: { note: 'behoben' } })
})
