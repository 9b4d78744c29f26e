import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks', identify: () => 'ada' })
const { monitoring, operations } = shop.queueApp
const idsOf = async (status: 'pending' | 'running') =>
  (await monitoring.executions({ status })).executions.map(({ executionId }) => executionId)
const [first, second] = await idsOf('pending') as [string, string]
const [running] = await idsOf('running') as [string]
const addressOf = (executionId: string, base = mount) => `${base}/executions?execution=${executionId}`
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Execution', exact: true })
const focused = async (page: Page, text: string) =>
  await waitFor(`the focus on ${text}`, async () => await page.evaluate('document.activeElement.textContent') === text)

t.test('a pending execution is cancelled from its panel by keyboard, with a reason', async t => {
  const { page, troubles } = await openPage(t, browser, addressOf(first))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Cancel it…' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Cancel it')
  await panel.getByText('It never runs.').waitFor()
  t.same(await findViolations(page), [])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('no <b>longer</b> needed')
  await page.keyboard.press('Tab')
  await focused(page, 'Cancel it')
  await page.keyboard.press('Enter')
  await panel.getByText('no <b>longer</b> needed').waitFor()
  await panel.locator('.panel-lead').getByText('Cancelled').waitFor()
  t.match(await monitoring.execution(first), {
    status: 'cancelled', cancellation: { requestedBy: 'ada', reason: 'no <b>longer</b> needed' }
  })
  t.equal(await panel.getByRole('button', { name: 'Cancel it…' }).count(), 0)
  await page.goto(`${mount}/executions?status=cancelled`)
  await page.getByRole('link', { name: 'email:send' }).first().waitFor()
  t.same(await findViolations(page), [])
  t.same(troubles, [])
})

t.test('a running execution whose handler ignores its signal is shown as asked to stop', async t => {
  const { page, troubles } = await openPage(t, browser, addressOf(running))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Cancel it…' }).click()
  await panel.getByText('Its handler is asked to stop').waitFor()
  await panel.getByRole('button', { name: 'Cancel it', exact: true }).click()
  await panel.locator('.panel-lead').getByText('asked to stop').waitFor()
  await panel.locator('.panel-lead').getByText('Cancelling').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Cancel it…' }).count(), 0, 'it cannot be cancelled again')
  await page.goto(`${mount}/executions?status=running`)
  await page.getByText('Cancelling').first().waitFor()
  t.same(await findViolations(page), [])
  t.same(troubles, [])
})

t.test('a cancellation that comes too late shows why, and users who may not cancel are not offered it', async t => {
  const { page } = await openPage(t, browser, addressOf(second))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Cancel it…' }).click()
  await page.route('**/cancel', route => route.fulfill({
    status: 409, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Conflict', status: 409, detail: 'This execution is completed', instance: '/', code: 'NOT_CANCELLABLE'
    })
  }))
  await panel.getByRole('button', { name: 'Cancel it', exact: true }).click()
  await panel.getByText('Not cancelled: This execution is completed').waitFor()
  await page.unroute('**/cancel')
  await operations.cancelExecution(second)
  await panel.locator('.panel-lead').getByText('Cancelled').waitFor()

  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: other } = await openPage(t, browser, addressOf(running, readOnly))
  await panelOf(other).getByText('Timeline').waitFor()
  t.equal(await panelOf(other).getByRole('button', { name: 'Cancel it…' }).count(), 0)
})
