import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks', identify: () => 'ada' })
const { monitoring } = shop.queueApp
const [pending] = (await monitoring.executions({ status: 'pending' })).executions
const { taskName } = pending!
const limitsOf = async () => (await monitoring.queue(taskName))!.limits

t.test('a queue is limited by keyboard, and the limits are lifted by mouse', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  const button = page.getByRole('button', { name: `Limit the queue of ${taskName}…` })
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Limit this queue' })
  await dialog.waitFor()
  t.same(await findViolations(page), [])
  const submit = dialog.getByRole('button', { name: 'Limit it' })
  t.ok(await submit.isDisabled(), 'nothing differs yet')
  await waitFor('the focus on the first field', async () => await page.evaluate('document.activeElement.tagName') === 'INPUT')
  await page.keyboard.type('none')
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2')
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('slow <b>database</b>')
  await page.keyboard.press('Enter')
  await page.getByText(`The queue of ${taskName} now has these limits`).waitFor()
  const list = page.getByRole('list', { name: 'Limited queues' })
  await list.getByText('slow <b>database</b>').waitFor()
  t.match(await list.textContent(), /2 at once.* by ada, since/)
  t.match(await limitsOf(), { concurrency: 2, by: 'ada', reason: 'slow <b>database</b>' })
  t.same(await findViolations(page), [])

  await button.click()
  await dialog.getByLabel('At once').fill('')
  await submit.click()
  await page.getByText(`The queue of ${taskName} now has only the limits in its code`).waitFor()
  await waitFor('no limits', async () => await limitsOf() === null)
  await list.waitFor({ state: 'detached' })
  t.same(troubles, [])
})

t.test('a limit that someone else set while the dialog was open is kept', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: `Limit the queue of ${taskName}…` }).click()
  const rate = { max: 100, durationMs: 60_000 }
  await shop.queueApp.operations.limitQueue(taskName, { rate, by: 'ben' })
  await page.getByLabel('At once').fill('5')
  await page.getByRole('button', { name: 'Limit it' }).click()
  await page.getByText(`The queue of ${taskName} now has these limits`).waitFor()
  t.match(await limitsOf(), { concurrency: 5, rate })
  await shop.queueApp.operations.limitQueue(taskName, { concurrency: null, rate: null })
})

t.test('refused limits are reported, and users who may not set them are not offered it', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await page.route('**/limits', route => route.fulfill({
    status: 503, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Unavailable', status: 503, detail: 'Gone', instance: '/', code: 'BROKER_UNAVAILABLE'
    })
  }))
  await page.getByRole('button', { name: `Limit the queue of ${taskName}…` }).click()
  await page.getByLabel('At once').fill('3')
  await page.getByRole('button', { name: 'Limit it' }).click()
  await page.getByText('were not changed: Gone').first().waitFor()

  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page: reader } = await openPage(t, browser, `${readOnly}/workers`)
  await reader.getByRole('link', { name: taskName }).first().waitFor()
  t.equal(await reader.getByRole('button', { name: /the queue of/ }).count(), 0)
})
