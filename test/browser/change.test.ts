import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring } = shop.queueApp
const [pending] = (await monitoring.executions({ status: 'pending' })).executions
const executionId = pending!.executionId

t.test('priority and due time of a pending execution are changed by keyboard', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?execution=${executionId}`)
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Change…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change priority or due time' })
  await dialog.waitFor()
  t.same(await findViolations(page), [])
  const submit = dialog.getByRole('button', { name: 'Change it' })
  t.ok(await submit.isDisabled(), 'nothing differs yet')

  await dialog.getByLabel('Priority').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('many')
  await dialog.getByText('A whole number from 0 to').waitFor()
  t.ok(await submit.isDisabled())
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9')
  await dialog.getByLabel('Due', { exact: false }).fill('2026-12-24T18:00:30')
  await page.keyboard.press('Enter')
  await panel.getByText('Changed.').waitFor()
  const changed = await waitFor('the change', async () => {
    const execution = (await monitoring.execution(executionId))!
    return execution.priority === 9 && execution
  })
  t.equal(changed.state, 'delayed')
  t.equal(new Date(changed.nextAttemptAt!).toISOString(), await page.evaluate('new Date("2026-12-24T18:00:30").toISOString()'))
  await panel.locator('.panel-lead').getByText(/due/i).waitFor()
  t.same(troubles, [])
})

t.test('a refusal is shown in the dialog, and users who may not change executions are not offered it', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions?execution=${executionId}`)
  const panel = page.getByRole('dialog', { name: 'Execution', exact: true })
  await panel.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change priority or due time' })
  await dialog.getByLabel('Due', { exact: false }).fill('2031-01-01T00:00')
  await dialog.getByRole('button', { name: 'Change it' }).click()
  await dialog.getByText('Not changed:').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: other } = await openPage(t, browser, `${readOnly}/executions?execution=${executionId}`)
  const reader = other.getByRole('dialog', { name: 'Execution', exact: true })
  await reader.getByText('Timeline').waitFor()
  t.equal(await reader.getByRole('button', { name: 'Change…' }).count(), 0)
})
