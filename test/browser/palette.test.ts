import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy())

t.test('the palette finds pages, tasks and groups by itself, and schedules through the server', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  await find(page, 'workers')
  await pick(page, /^Workers\s*Page$/)
  await page.waitForURL('**/workers')
  await find(page, 'email:s')
  await pick(page, /^email:send\s*Task$/)
  await page.waitForURL(/\/tasks\?name=email(?::|%3A)send$/)
  await find(page, 'TypeError')
  await pick(page, /TypeError.*Failure group$/s)
  await page.waitForURL(/\/failures\?group=abc$/)

  const searched = page.waitForRequest(/\/api\/schedules\?search=s-1$/)
  await find(page, 's-1')
  await searched
  await pick(page, /Schedule$/)
  await page.waitForURL(/\/schedules\?schedule=/)
  t.same(troubles, [])
})

t.test('only what looks like an id is offered as an execution', async t => {
  const { page } = await openPage(t, browser, mount)
  for (const id of ['0197f1c0-0000-7000-8000-00000000000A', 'repeat:sch_A1:1763629200000']) {
    await find(page, id)
    await pick(page, /Open execution$/)
    const opened = id.startsWith('repeat') ? id : id.toLowerCase()
    await page.waitForURL(url => url.pathname.endsWith('/executions') && url.searchParams.get('execution') === opened)
    t.pass(id)
  }
  for (const text of ['email:send', 'sch_A1', 'deadbeef', 'repeat:x']) {
    await find(page, text)
    await page.getByText(/^Searching/).waitFor({ state: 'detached' })
    t.equal(await page.getByRole('option').filter({ hasText: 'Open execution' }).count(), 0, text)
    await page.keyboard.press('Escape')
  }
})

t.test('the last visited places are offered first', async t => {
  const { page } = await openPage(t, browser, mount)
  await find(page, 'workers')
  await pick(page, /^Workers\s*Page$/)
  await page.waitForURL('**/workers')
  await page.keyboard.press('Control+k')
  await waitFor('the place that was visited last', async () =>
    /^Workers\s*Recent$/.test(await page.getByRole('option').first().innerText()))
})

t.test('a view is saved, opened after a reload, and forgotten', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=failed&task=email%3Asend`)
  await find(page, 'save Broken mail')
  await pick(page, /^Save this page as “Broken mail”\s*Action$/)
  await page.goto(`${mount}/schedules`)
  await find(page, 'broken m')
  await pick(page, /^Broken mail\s*Saved view$/)
  await page.waitForURL(/\/executions\?status=failed&task=email(?::|%3A)send$/)
  await find(page, 'forget')
  await pick(page, /^Forget the saved view “Broken mail”\s*Action$/)
  await find(page, 'broken m')
  await page.getByText(/^Searching/).waitFor({ state: 'detached' })
  t.equal(await page.getByRole('option').filter({ hasText: 'Saved view' }).count(), 0)
  t.same(troubles, [])
})

t.test('times switch to UTC and back, in the palette and in the header, and the browser keeps it', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`, { timezoneId: 'Asia/Kolkata' })
  const time = page.getByRole('table', { name: 'Execution history' }).locator('time').first()
  await time.waitFor()
  const local = await time.innerText()
  await find(page, 'UTC')
  await pick(page, /^Times in UTC\s*Action$/)
  await waitFor('the time in UTC', async () => await time.innerText() !== local)
  const utc = await time.innerText()
  await page.reload()
  await time.waitFor()
  t.equal(await time.innerText(), utc)
  const button = page.getByRole('button', { name: 'Times in UTC' })
  t.equal(await button.getAttribute('aria-pressed'), 'true')
  await button.focus()
  await page.keyboard.press('Enter')
  await waitFor('the time in the local zone', async () => await time.innerText() === local)
  t.equal(await button.getAttribute('aria-pressed'), 'false')
})

/** Opens the palette by its shortcut and types the text. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).waitFor()
  await page.keyboard.type(text)
}

/** Moves down to the matching option and chooses it. Options that arrive later may be inserted above it. */
async function pick(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('option').filter({ hasText: name }).first().waitFor()
  const chosen = page.locator('[role=option][aria-selected=true]')
  await waitFor(`${name} to be chosen`, async () => {
    if (name.test(await chosen.innerText())) return true
    await page.keyboard.press('ArrowDown')
    return name.test(await chosen.innerText())
  })
  await page.keyboard.press('Enter')
}
