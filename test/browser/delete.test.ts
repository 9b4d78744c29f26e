import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring } = shop.queueApp
const { executions: [failed] } = await monitoring.executions({ status: 'failed' })
const { executions: [first, second] } = await monitoring.executions({ status: 'success' })
const addressOf = (executionId: string, base = mount) => `${base}/executions?execution=${executionId}`

t.test('a failed execution is deleted by keyboard, and the panel says so', async t => {
  const executionId = failed!.executionId
  const { page, troubles } = await openPage(t, browser, addressOf(executionId))
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Delete…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete this execution?' })
  await dialog.getByText('It can no longer be retried.').waitFor()
  t.same(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.ok(await monitoring.execution(executionId), 'nothing was deleted')

  await page.keyboard.press('Enter')
  await waitFor('the focus on the reason', async () => await page.evaluate('document.activeElement.tagName') === 'INPUT')
  await page.keyboard.type('personal data')
  await page.keyboard.press('Enter')
  await panel.getByText('This execution is no longer kept').first().waitFor()
  t.equal(await monitoring.execution(executionId), null)
  await waitFor('the audit entry', async () =>
    (await monitoring.auditEntries({ action: 'executions:delete' })).entries.some(({ outcome }) => outcome === 'done'))
  t.match((await monitoring.auditEntries({ action: 'executions:delete' })).entries[0], { reason: 'personal data', outcome: 'done' })
  await waitFor('the focus on the title', async () => await page.evaluate('document.activeElement.tagName') === 'H2')
  t.same(await findViolations(page), [])
  t.same(troubles.filter(each => !each.includes('410')), [])
})

t.test('an execution is deleted by mouse and leaves its list', async t => {
  const executionId = first!.executionId
  const { page } = await openPage(t, browser, `${addressOf(executionId)}&status=success`)
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  const row = page.locator(`[data-row-link][href*="${executionId}"]`)
  await row.waitFor()
  await panel.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this execution?' })
  await dialog.getByRole('button', { name: 'Delete it' }).waitFor()
  t.equal(await dialog.getByText('retried').count(), 0)
  await dialog.getByRole('button', { name: 'Delete it' }).click()
  await panel.getByText('This execution is no longer kept').first().waitFor()
  await row.waitFor({ state: 'detached' })
  t.equal(await monitoring.execution(executionId), null)
})

t.test('a refusal is shown in the dialog, and users who may not delete are not offered it', async t => {
  const executionId = second!.executionId
  const { page } = await openPage(t, browser, addressOf(executionId))
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Delete…' }).click()
  await page.route('**/api/executions/*', route => route.request().method() !== 'DELETE' ? route.fallback() : route.fulfill({
    status: 503, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Unavailable', status: 503, detail: 'It is out of reach', instance: '/', code: 'BROKER_UNAVAILABLE'
    })
  }))
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByText('Not deleted: It is out of reach').waitFor()

  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: reader } = await openPage(t, browser, addressOf(executionId, readOnly))
  await reader.getByRole('dialog', { name: 'Execution', exact: true }).getByText('Timeline').waitFor()
  t.equal(await reader.getByRole('button', { name: 'Delete…' }).count(), 0)
})
