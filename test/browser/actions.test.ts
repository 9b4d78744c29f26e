import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring, operations } = shop.queueApp
const charges = async () => (await monitoring.executions({ taskName: 'invoices/charge', status: 'failed' })).executions
  .filter(({ retryOf }) => retryOf === null)
const [first, second, third] = (await charges()).map(({ executionId }) => executionId) as [string, string, string]
const addressOf = (executionId: string) => `${mount}/executions?execution=${executionId}`
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Execution', exact: true })
const focused = async (page: Page, text: string) =>
  await waitFor(`the focus on ${text}`, async () => await page.evaluate('document.activeElement.textContent') === text)

t.test('a failed execution is retried from its panel by keyboard, and the panel links to the retry', async t => {
  const { page, troubles } = await openPage(t, browser, addressOf(first))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Retry…' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Retry it')
  t.same(await findViolations(page), [])
  await page.keyboard.press('Enter')
  const link = panel.getByRole('status').getByRole('link')
  const retryId = await link.innerText()
  t.equal((await monitoring.execution(retryId))?.retryOf, first)
  await panel.getByText('Retried by').waitFor()
  await panel.locator('.panel-lead').getByRole('link', { name: /^retried: / }).waitFor()
  await link.focus()
  await page.keyboard.press('Enter')
  await panel.getByText('Retry of').waitFor()
  t.same(troubles, [])
})

t.test('arguments can be edited, and what is not a JSON array is not sent', async t => {
  const { page } = await openPage(t, browser, addressOf(second))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Retry…' }).click()
  await panel.getByRole('button', { name: 'Edit the arguments' }).click()
  const field = panel.getByLabel('Arguments, a JSON array')
  t.same(JSON.parse(await field.inputValue()), (await monitoring.execution(second))!.args)
  await field.fill('{"invoice": 7}')
  await panel.getByText('This is not a JSON array.').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Retry it' }).isDisabled(), true)
  await field.fill('["[redacted]"]')
  await panel.getByText('Replace each [redacted] with the real value.').waitFor()
  await field.fill('[707]')
  await panel.getByRole('button', { name: 'Retry it' }).click()
  const retryId = await panel.getByRole('status').getByRole('link').innerText()
  t.same((await monitoring.execution(retryId))?.args, [707])
  await panel.getByRole('status').getByRole('link').click()
  const differences = panel.getByRole('table', { name: 'Arguments that differ from the original' })
  await differences.getByText('707').waitFor()
  t.same(await differences.getByRole('cell').allInnerTexts(), [JSON.stringify((await monitoring.execution(second))!.args![0]), '707'])
  t.same(await findViolations(page), [])
})

t.test('typed arguments are kept when Esc closes the panel or the time zone changes', async t => {
  const { page } = await openPage(t, browser, addressOf(third))
  const panel = panelOf(page)
  const field = panel.getByLabel('Arguments, a JSON array')
  await panel.getByRole('button', { name: 'Retry…' }).click()
  await panel.getByRole('button', { name: 'Edit the arguments' }).click()
  await field.fill('["typed by hand"]')
  await page.getByRole('button', { name: 'Times in UTC' }).click()
  await panel.getByRole('button', { name: 'Retry…' }).click()
  t.equal(await field.inputValue(), '["typed by hand"]')
  await field.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.goBack()
  await panel.getByRole('button', { name: 'Retry…' }).click()
  t.equal(await field.inputValue(), '["typed by hand"]')
  await panel.getByRole('button', { name: 'Use its own arguments' }).click()
  await panel.getByRole('button', { name: 'Edit the arguments' }).click()
  t.same(JSON.parse(await field.inputValue()), (await monitoring.execution(third))!.args)

  await page.goto(`${mount}/tasks?name=email%3Asend`)
  const run = page.getByRole('button', { name: 'Run…' })
  const argumentsToRun = page.getByRole('dialog', { name: 'Run this task' }).getByLabel('Arguments, a JSON array')
  await run.click()
  await argumentsToRun.fill('["half typed')
  await argumentsToRun.press('Escape')
  await run.click()
  t.equal(await argumentsToRun.inputValue(), '["half typed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await run.click()
  t.equal(await argumentsToRun.inputValue(), '[]', '"Cancel" discards the typed arguments')
})

t.test('a retry that someone else has made in the meantime is linked', async t => {
  const { page } = await openPage(t, browser, addressOf(third))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Retry…' }).click()
  const { executionId } = await operations.retryExecution(third)
  await panel.getByRole('button', { name: 'Retry it' }).click()
  await panel.getByText('It was retried already:').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Retry…' }).count(), 0)
  t.equal(await panel.getByRole('status').getByRole('link').innerText(), executionId)
  const { page: later } = await openPage(t, browser, addressOf(third))
  await panelOf(later).getByText('Retried by').waitFor()
  t.equal(await panelOf(later).getByRole('button', { name: 'Retry…' }).count(), 0, 'it is not offered again')
})

t.test('a task runs from its page with the typed arguments', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks?name=email%3Asend`)
  await page.getByRole('button', { name: 'Run…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run this task' })
  await dialog.getByLabel('Arguments, a JSON array').fill('["ana@example.com", "Hello"]')
  await dialog.getByLabel('Delay in seconds').fill('-1')
  await dialog.getByText('A whole number from 0 to').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Run it' }).isDisabled(), true)
  await dialog.getByLabel('Delay in seconds').fill('0')
  t.same(await findViolations(page), [])
  await dialog.getByRole('button', { name: 'Run it' }).click()
  const executionId = await dialog.getByRole('status').getByRole('link').innerText()
  await page.keyboard.press('Enter')
  t.equal(await dialog.getByRole('button', { name: 'Run it' }).count(), 0, 'a second click cannot run it again')
  await waitFor('its success', async () => (await monitoring.execution(executionId))?.status === 'success')
  t.same((await monitoring.execution(executionId))?.args, ['ana@example.com', 'Hello'])
  await dialog.getByRole('status').getByRole('link').click()
  await panelOf(page).getByRole('heading', { name: 'email:send' }).waitFor()
  t.same(troubles, [])
})

t.test('a run whose response is lost is shown as unconfirmed until it is sent again, and runs once', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks?name=email%3Asend`)
  await page.getByRole('button', { name: 'Run…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run this task' })
  const field = dialog.getByLabel('Arguments, a JSON array')
  await field.fill('["doubt@example.com", "Hello"]')
  let isLost = true
  await page.route('**/run', async route => {
    const response = await route.fetch()
    if (isLost) await route.abort()
    else await route.fulfill({ response })
    isLost = false
  })
  await dialog.getByRole('button', { name: 'Run it' }).click()
  await dialog.getByText('Not confirmed: it may have been enqueued, or may yet be.').waitFor()
  t.equal(await field.isDisabled(), true, 'what was sent cannot be changed while it is on its way')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByRole('status').getByRole('link').waitFor()
  t.equal((await monitoring.executions({ taskName: 'email:send', search: 'doubt@example.com' })).executions.length, 1)
})

t.test('an action that would be refused is not offered', async t => {
  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const failed = (await monitoring.executions({ status: 'failed' })).executions.at(-1)!.executionId
  const { page } = await openPage(t, browser, `${readOnly}/executions?execution=${failed}`)
  await panelOf(page).getByText('Timeline').waitFor()
  t.equal(await panelOf(page).getByRole('button', { name: 'Retry…' }).count(), 0)
  await page.goto(`${readOnly}/tasks?name=email%3Asend`)
  await page.getByText('Sends one email').waitFor()
  t.equal(await page.getByRole('button', { name: 'Run…' }).count(), 0)
})

t.test('a panel and a page have no button for a task on which the reader may not act', async t => {
  const limited = await shop.serve({
    prefix: '/limited', authorize: (_request, action, { taskName }) =>
      action.endsWith(':view') || taskName === undefined || taskName === 'email:send'
  })
  const { page, troubles } = await openPage(t, browser, `${limited}/tasks?name=email%3Asend`)
  await page.getByRole('button', { name: 'Run…' }).waitFor()
  await page.goto(`${limited}/tasks?name=invoices%2Fcharge`)
  await page.getByRole('link', { name: 'All its executions' }).waitFor()
  await page.waitForLoadState('networkidle')
  t.equal(await page.getByRole('button', { name: 'Run…' }).count(), 0, 'the page of another task cannot run it')
  await page.goto(addressOf(first).replace(mount, limited))
  await panelOf(page).getByText('Retried by').waitFor()
  await page.waitForLoadState('networkidle')
  t.equal(await panelOf(page).getByRole('button', { name: 'Delete…' }).count(), 0, 'the panel of its execution cannot delete it')
  t.same(troubles, [])
  await page.goto(addressOf(first))
  await panelOf(page).getByRole('button', { name: 'Delete…' }).waitFor()
})
