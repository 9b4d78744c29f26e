import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { CLOCK, launchBrowser, openPage, untilFocused } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/a/b' })

t.test('throughput and durations are drawn, share a cursor and are available as a table', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  const charts = page.getByRole('region', { name: 'Over time' })
  await charts.locator('canvas').nth(1).waitFor()
  await charts.getByText('5 succeeded').waitFor()
  await charts.getByRole('img', { name: /^Throughput, last hour: 5 executions succeeded, 4 failed/ }).waitFor()

  await waitFor('the values under the mouse', async () => {
    // A redrawn chart does not know where the mouse is.
    const over = (await charts.locator('.u-over').first().boundingBox())!
    await page.mouse.move(over.x + over.width - 5, over.y + 40)
    await page.mouse.move(over.x + over.width - 4, over.y + 40)
    return await charts.getByText(new RegExp(`${CLOCK} to ${CLOCK}`)).count() > 0
  })
  await waitFor('one cursor', async () => await charts.locator('.u-cursor-x').evaluateAll(lines =>
    lines.length === 2 && new Set(lines.map(line => (line as unknown as { style: { transform: string } }).style.transform)).size === 1))

  await charts.getByText('As a table').click()
  t.match(await charts.getByRole('table').innerText(), /not over/)
  t.same(troubles, [], 'the content security policy refused nothing')
})

t.test('the time range is kept in the address and in links to executions', async t => {
  const { page } = await openPage(t, browser, mount)
  for (const [name, words, range] of [
    ['24 h', 'last 24 hours', '24h'], ['90 d', 'last 90 days', '90d'], ['15 m', 'last 15 minutes', '15m']
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.waitForURL(`**/?range=${range}`)
    await page.getByRole('img', { name: new RegExp(`^Throughput, ${words}`) }).waitFor()
  }
  await page.reload()
  await page.getByRole('img', { name: /^Throughput, last 15 minutes/ }).waitFor()
  await page.getByRole('link', { name: 'All failed executions' }).click()
  await page.waitForURL(/status=failed&range=15m$/)
})

t.test('the chart library is loaded only for a page with charts', async t => {
  const { page } = await openPage(t, browser, `${mount}/executions`)
  await page.getByRole('table', { name: 'Execution history' }).waitFor()
  t.same(await drawingLibraries(page), [])
  await page.goto(mount)
  await page.getByRole('region', { name: 'Over time' }).locator('canvas').first().waitFor()
  t.equal((await drawingLibraries(page)).length, 1, 'loaded once charts are drawn')
})

t.test('brushing over a chart sets the range of the page, and an invalid range is reported', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  const over = page.getByRole('region', { name: 'Over time' }).locator('.u-over').first()
  const box = (await over.boundingBox())!
  // Up to the current minute: the app has counted only since it started, which may be seconds ago.
  await page.mouse.move(box.x + box.width - 1, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/\?from=\d{4}-\d\d-\d\dT\d\d%3A\d\dZ/)
  await page.getByRole('img', { name: new RegExp(`^Throughput, (?:since ${CLOCK}|${CLOCK} to ${CLOCK}):`) }).waitFor()
  await page.goBack()
  await page.getByRole('img', { name: /^Throughput, last hour/ }).waitFor()

  await page.getByRole('button', { name: 'Other…' }).click()
  await page.getByRole('textbox', { name: 'Last' }).fill('soon')
  await page.getByRole('textbox', { name: 'Last' }).press('Enter')
  await page.getByText('Write 45m, 6h or 30d, up to 1y.').waitFor()
  await page.getByRole('textbox', { name: 'Last' }).fill('45m')
  await page.getByRole('textbox', { name: 'Last' }).press('Enter')
  await page.waitForURL(/\?range=45m$/)
  const opener = page.getByRole('button', { name: 'Last 45 m' })
  // The focus returns to the button that opened the fields.
  await untilFocused(opener)
  await opener.click()
  await page.getByRole('textbox', { name: 'Last' }).press('Escape')
  await page.getByRole('textbox', { name: 'Last' }).waitFor({ state: 'detached' })
  await untilFocused(opener)
  await page.goto(`${mount}/?range=yesterday`)
  await page.getByText('“yesterday” is not a time range: write 45m, 6h or 30d, up to 1y. Shown instead: last hour.').waitFor()
  t.same(troubles, [])
})

/** Addresses from which the page has loaded the chart library. */
async function drawingLibraries(page: Page): Promise<string[]> {
  const scripts = await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name)')
  return (scripts as string[]).filter(name => /\/time-chart-[^/]+\.js$/.test(name))
}
