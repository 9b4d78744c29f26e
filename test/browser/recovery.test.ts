import type { Page } from 'playwright-core'
import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve, succeeding, withoutFirstReads } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('every view opened during an outage recovers by itself', async t => {
  const mount = await serve(t, healthy())
  const views: Array<[path: string, seen: (page: Page) => Promise<unknown>, action?: (page: Page) => Promise<unknown>]> = [
    ['', async page => {
      await page.getByRole('table', { name: 'Failure groups' }).waitFor()
      await page.getByText('No execution has failed in the last hour').waitFor()
    }],
    ['/tasks', async page => page.getByRole('table', { name: 'Tasks' }).waitFor()],
    ['/executions', async page => page.getByRole('table', { name: 'Execution history' }).waitFor()],
    ['/schedules', async page => page.getByRole('switch').first().waitFor()],
    ['/schedules/agenda', async page => page.getByRole('table').first().waitFor()],
    ['/failures', async page => page.getByRole('table', { name: 'Failure groups' }).waitFor()],
    ['/failures?group=abc', async page => page.getByRole('region', { name: 'Stack of the last failure' }).waitFor()],
    ['/executions?execution=e-1', async page => page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()],
    ['/schedules?schedule=s-1', async page => page.getByRole('dialog', { name: 'Schedule' }).locator('.runs li').first().waitFor()],
    ['/schedules?new=1', async page => page.getByRole('dialog', { name: 'New schedule' }).locator('.runs li').first().waitFor()]
  ]
  await Promise.all(views.map(async ([path, seen]) => {
    const { page } = await openPage(t, browser, 'about:blank')
    await refuse(page, '**/api/**')
    await page.goto(mount + path)
    await page.getByText(/could not be loaded|cannot be reached|Not live/).first().waitFor()
    await page.unroute('**/api/**')
    await seen(page)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().close()
  }))
})

t.test('a history whose reload failed still follows the server', async t => {
  const monitoring = healthy()
  const started = new Set<string>()
  const mount = await serve(t, {
    ...monitoring,
    async executions(query) {
      const page = await monitoring.executions(query)
      const added = [...started].map(executionId => ({ ...page.executions[0]!, executionId, taskName: executionId }))
      return { ...page, executions: [...added, ...page.executions] }
    }
  })
  const { page } = await openPage(t, browser, `${mount}/executions`)
  const rows = page.locator('.history-body')
  await rows.getByText('email:send').first().waitFor()
  // Resuming after a pause reloads everything.
  await page.keyboard.press('p')
  await page.getByText(/Paused since/).waitFor()
  await refuse(page, '**/api/executions**')
  const refused = page.waitForResponse(response => /\/api\/executions\?.*limit=100/.test(response.url()) && response.status() === 503)
  await page.keyboard.press('p')
  await refused
  await page.unroute('**/api/executions**')
  started.add('after-the-outage')
  await rows.getByText('after-the-outage').waitFor()
  t.pass()
})

t.test("views recover from a proxy without a backend, and its 404 is not shown as the server's answer", async t => {
  const mount = await serve(t, healthy())
  for (const [path, seen] of [['/executions?execution=e-1', 'Execution history'], ['/schedules', 'Schedules']] as const) {
    const { page } = await openPage(t, browser, 'about:blank')
    await withoutFirstReads(page)
    await page.route('**/api/**', route => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>404 page not found</h1>' }))
    await page.goto(mount + path)
    await page.getByText(/could not be loaded/).first().waitFor()
    t.equal(await page.getByText('does not exist').count(), 0, 'the server has not said so')
    await page.unroute('**/api/**')
    await page.getByRole('table', { name: seen }).waitFor()
    await page.context().close()
  }
})

t.test('charts whose script cannot be loaded leave the page intact, and are drawn once it can', async t => {
  const { page } = await openPage(t, browser, 'about:blank')
  await page.route('**/time-chart*', route => route.abort())
  await page.goto(await serve(t, healthy()))
  await page.getByText('The chart could not be loaded').first().waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.figures').waitFor()
  await page.unroute('**/time-chart*')
  await page.locator('.charts canvas').nth(1).waitFor()
})

t.test('a tab that slept does not say "all well" about old figures', async t => {
  const mount = await serve(t, {
    ...healthy(), timeseries: succeeding(),
    failureGroups: async () => ({ groups: [], nextCursor: null, total: { value: 0, relation: 'exact' } })
  })
  const { page } = await openPage(t, browser, 'about:blank')
  let isHeld = false
  await page.route('**/api/timeseries**', async route => {
    await waitFor('the verdict to be read', async () => !isHeld)
    await route.continue().catch(() => {})
  })
  await page.goto(mount)
  await page.locator('.verdict-good').waitFor()
  isHeld = true
  // For the page, an hour passes. The responses with health and statistics arrive first.
  await page.evaluate('{ const now = Date.now.bind(Date); Date.now = () => now() + 3_600_000 }')
  await page.route('**/api/**', async route => {
    if (route.request().url().includes('/timeseries')) return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(Date.now() + 3_600_000).toUTCString() } })
  })
  await page.getByText(/^All was well at/).waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  isHeld = false
})
