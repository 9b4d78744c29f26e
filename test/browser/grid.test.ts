import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { healthy, serve, withoutFirstReads } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy())
const namesOf = (page: Page) => page.locator('.grid-head [role=columnheader]').allInnerTexts()
const focusedRow = (page: Page) => page.evaluate('document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex") ?? null')

t.test('an open panel leaves the focus in the list, where Enter, "j", "k" and the arrow keys move from row to row', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  await page.locator('.history-body [data-row-link]').nth(3).waitFor()
  await page.keyboard.press('j')
  const ahead = page.waitForRequest(/api\/executions\/schedule%3A/)
  await page.keyboard.press('Enter')
  await ahead
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('Timeline').waitFor()
  t.equal(await focusedRow(page), '2')
  for (const [key, row] of [['j', '3'], ['ArrowDown', '4'], ['k', '3']] as const) {
    await page.keyboard.press(key)
    await waitFor(`${key} to open the row`, async () => await page.locator('.history-body .is-open').getAttribute('aria-rowindex') === row)
    await waitFor(`${key} to move the focus`, async () => await focusedRow(page) === row)
  }
  await page.keyboard.press('Enter')
  // Enter on the open row goes into the panel.
  await untilFocused(panel.locator('*'))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await waitFor('the focus to return', async () => await focusedRow(page) === '3')
  t.same(troubles, [])
})

t.test('pressing Back once closes the panel, however many rows it stepped through', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  await page.locator('.history-body [data-row-link]').nth(3).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Execution' }).waitFor()
  for (const row of ['3', '4']) {
    await page.keyboard.press('j')
    await waitFor('the next row', async () => await page.locator('.history-body .is-open').getAttribute('aria-rowindex') === row)
  }
  await page.goBack()
  await page.waitForURL(url => url.search === '')
  await page.getByRole('dialog', { name: 'Execution' }).waitFor({ state: 'detached' })
  t.same(troubles, [])
})

t.test('a reader chooses columns and density, which are kept for this list only', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`)
  await page.getByLabel('Columns and density').click()
  await page.getByRole('checkbox', { name: 'Submitted' }).uncheck()
  await page.getByRole('checkbox', { name: 'Worker' }).check()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Worker' }).waitFor({ state: 'hidden' })
  await page.reload()
  await page.locator('.history.is-compact').waitFor()
  t.strictSame(await namesOf(page), ['Select', 'Status', 'Task', 'Last change', 'Waited', 'Took', 'Attempt', 'Error', 'Worker'])
  await page.goto(`${mount}/schedules`)
  await page.locator('.schedules:not(.is-compact)').waitFor()
})

t.test('tasks can be searched, sorted by a column and grouped by prefix, and the address keeps it', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks`)
  const header = page.getByRole('columnheader', { name: 'Backlog' })
  await header.getByRole('link').click()
  await page.waitForURL('**/tasks?sort=-backlog')
  await waitFor('the order', async () => await header.getAttribute('aria-sort') === 'descending')
  await page.getByRole('button', { name: 'Group by prefix' }).click()
  await page.locator('.grid-heading').getByText('email:*').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('DAILY')
  await page.waitForURL(/find=DAILY/)
  await waitFor('the only row', async () => await page.locator('.tasks-body [data-row-link]').count() === 1)
  t.same(troubles, [])
})

t.test('the page of a task has its facts, failures, schedules and latest executions', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks`)
  await page.getByRole('link', { name: 'email:send' }).click()
  await page.waitForURL('**/tasks?name=email%3Asend')
  await page.getByRole('heading', { level: 1, name: 'Tasks email:send' }).waitFor()
  await page.locator('.task-facts').getByText('First seen').waitFor()
  await page.getByRole('img', { name: /^Failed, hour by hour/ }).waitFor()
  await page.getByRole('region', { name: 'Schedules' }).getByRole('link').first().waitFor()
  await page.getByRole('region', { name: 'Failure groups' }).getByRole('link', { name: /TypeError/ }).first().waitFor()
  await page.getByRole('region', { name: 'Executions' }).locator('[data-row-link]').first().click()
  await page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()
  await page.waitForURL(/\/tasks\?name=email%3Asend&execution=/)
  await page.goto(`${mount}/tasks?name=no+such+task`)
  await page.getByText('No process has registered this task').waitFor()
  t.same(troubles.filter(trouble => !trouble.includes('404')), [])
})

t.test('the page of a task starts at its top', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks`, { viewport: { width: 1440, height: 300 } })
  const last = page.locator('.tasks-body [data-row-link]').last()
  await last.scrollIntoViewIfNeeded()
  t.ok(Number(await page.evaluate('scrollY')) > 0)
  await last.click()
  await page.waitForURL(/name=/)
  await waitFor('the top of the page', async () => await page.evaluate('scrollY') === 0)
})

t.test('on a phone a row has two lines, and every page fits the screen', async t => {
  for (const [path, body] of [['/executions', 'history'], ['/tasks', 'tasks'], ['/schedules', 'schedules']] as const) {
    const { page } = await openPage(t, browser, mount + path, { viewport: { width: 375, height: 800 } })
    const row = page.locator(`.${body}-body [role=row]`).first()
    await row.waitFor()
    t.ok((await row.boundingBox())!.height <= 84, `${path}: ${(await row.boundingBox())!.height}`)
    t.equal(await row.locator('.grid-line').count(), 2)
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
    await page.context().close()
  }
})

t.test('rows that scroll past too fast to be read are not drawn, and appear as soon as scrolling slows down', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  await withoutFirstReads(page)
  await page.route('**/api/executions?*', async route => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    const { items, ...rest } = await response.json() as { items: object[] }
    const many = Array.from({ length: 5_000 }, (_, index) => ({ ...items[index % items.length], execution_id: `row-${index}` }))
    return route.fulfill({ response, json: { ...rest, items: many, next_cursor: null } })
  })
  await page.goto(`${mount}/executions`)
  await page.locator('.history-body [data-row-link=row-0]').waitFor()
  const seen = (pxPerMs: number) => page.evaluate<{ frames: number; passing: number; drawn: number }>(`new Promise(done => {
    const seen = { frames: 0, passing: 0, drawn: 0 }
    const [from, start] = [scrollY, performance.now()]
    const step = now => {
      scrollTo(0, from + (now - start) * ${pxPerMs})
      seen.frames++
      if (document.querySelector('.grid-passing')) seen.passing++
      if (document.querySelector('.history-body [data-row-link]')) seen.drawn++
      if (now - start < 1500) requestAnimationFrame(step)
      else done(seen)
    }
    requestAnimationFrame(step)
  })`)
  const read = await seen(1)
  t.match(read, { passing: 0, drawn: read.frames })
  const flown = await seen(60)
  t.ok(flown.passing > 0 && flown.drawn < flown.frames, JSON.stringify(flown))
  await page.locator('.grid-passing').waitFor({ state: 'detached' })
  await waitFor('the right row at this scroll position', () => page.evaluate<boolean>(`{
    const head = document.querySelector('.history .grid-head').getBoundingClientRect().bottom
    const row = document.elementsFromPoint(300, head + 60).map(each => each.closest('.history-body [role=row]')).find(Boolean)
    const top = document.querySelector('.history-body').getBoundingClientRect().top
    row !== undefined && Number(row.getAttribute('aria-rowindex')) - 2 === Math.round((row.getBoundingClientRect().top - top) / 36)
  }`))
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('.history-body [data-row-link=row-0]').waitFor()
  t.same(troubles, [])
})

t.test('the columns of failure groups can be chosen, as in every list', async t => {
  const { page } = await openPage(t, browser, `${mount}/failures`)
  await page.getByLabel('Columns and density').click()
  await page.getByRole('radio', { name: 'Compact' }).check()
  await page.locator('.failure-groups.is-compact').waitFor()
  await page.getByRole('checkbox', { name: 'Last 24 hours' }).uncheck()
  await waitFor('the column to disappear', async () => !(await namesOf(page)).includes('Last 24 hours'))
})
