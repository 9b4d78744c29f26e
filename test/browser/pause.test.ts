import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks', identify: () => 'ada' })
const { monitoring } = shop.queueApp
const [pending] = (await monitoring.executions({ status: 'pending' })).executions
const { taskName, executionId } = pending!
const pauseOf = async () => (await monitoring.queue(taskName))!.pause

t.test('a queue is paused and resumed by keyboard, and every view of it says so', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  const pauseButton = page.getByRole('button', { name: `Pause the queue of ${taskName}…` })
  await pauseButton.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Pause this queue?' })
  await dialog.waitFor()
  t.same(await findViolations(page), [])
  await page.keyboard.type('deploy <b>now</b>')
  await page.keyboard.press('Enter')
  await page.getByText(`The queue of ${taskName} is paused`).waitFor()
  const list = page.getByRole('list', { name: 'Paused queues' })
  await list.getByText('deploy <b>now</b>').waitFor()
  t.match(await list.textContent(), /Paused by ada, since/)
  t.match(await pauseOf(), { by: 'ada', reason: 'deploy <b>now</b>', until: null })
  t.same(await findViolations(page), [])

  await page.goto(`${mount}/tasks?name=${encodeURIComponent(taskName)}`)
  await page.getByText('deploy <b>now</b>').first().waitFor()
  await page.goto(`${mount}/executions?execution=${encodeURIComponent(executionId)}`)
  await page.getByRole('dialog', { name: 'Execution', exact: true }).getByText('deploy <b>now</b>').waitFor()
  await page.goto(mount)
  await page.getByText(/queue is paused, and/i).first().waitFor()

  await page.goto(`${mount}/tasks?name=${encodeURIComponent(taskName)}`)
  await page.locator('.alert').getByRole('button', { name: 'Resume…' }).focus()
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('dialog', { name: 'Resume this queue?' }).locator('*'))
  await page.keyboard.press('Enter')
  await page.getByText(`The queue of ${taskName} has resumed`).waitFor()
  await waitFor('the queue to resume', async () => await pauseOf() === null)
  await page.locator('.alert').waitFor({ state: 'detached' })
  await page.goto(`${mount}/workers`)
  await pauseButton.waitFor()
  t.equal(await list.count(), 0)
  t.same(troubles, [])
})

t.test('an open resume dialog closes when the pause ends, and does not return with the next pause', async t => {
  const { operations } = shop.queueApp
  const { page } = await openPage(t, browser, `${mount}/tasks?name=${encodeURIComponent(taskName)}`)
  const question = page.getByRole('dialog', { name: 'Resume this queue?' })
  const button = page.locator('.alert').getByRole('button', { name: 'Resume…' })
  await operations.pauseQueue(taskName, { by: 'ben' })
  await button.click()
  await operations.resumeQueue(taskName)
  await question.waitFor({ state: 'detached' })
  await operations.pauseQueue(taskName, { by: 'ben' })
  await page.locator('.alert').waitFor()
  t.equal(await question.count(), 0)
  await operations.resumeQueue(taskName)
})

t.test('a refused pause and an unconfirmed pause are reported', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  for (const [code, said, word] of [
    ['BROKER_UNAVAILABLE', 'was not paused', 'Not done'], ['UNCONFIRMED', 'it may have been changed', 'Not confirmed']
  ] as const) {
    await page.route('**/pause', route => route.fulfill({
      status: 503, contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Gone', instance: '/', code })
    }))
    await page.getByRole('button', { name: `Pause the queue of ${taskName}…` }).click()
    await page.getByRole('button', { name: 'Pause it' }).click()
    await page.locator('.notice').filter({ hasText: said }).getByText(word).first().waitFor({ state: 'attached' })
    await page.unroute('**/pause')
  }
})

t.test('users who may not pause are not offered it', async t => {
  const readOnly = await shop.serve({ prefix: '/read', readOnly: true })
  const { page } = await openPage(t, browser, `${readOnly}/workers`)
  await page.getByRole('heading', { name: 'Queues' }).waitFor()
  await page.getByRole('link', { name: taskName }).first().waitFor()
  t.equal(await page.getByRole('button', { name: /the queue of/ }).count(), 0)
})
