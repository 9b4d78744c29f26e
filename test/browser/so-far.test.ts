import t from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { NOW } from '../dashboard/sample-queue-app.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('outcomes that are counted but not listed yet are not shown as missing, and appear by themselves', async t => {
  const monitoring = healthy()
  const { items } = monitoring.bulk
  let isListed = false
  const bulk: Monitoring['bulk'] = {
    ...monitoring.bulk,
    items: async (id, query) => isListed ? items(id, query) : { items: [], nextCursor: null, total: 0 }
  }
  const { page } = await openPage(t, browser, `${await serve(t, { ...monitoring, bulk })}/bulk?operation=b-1`)
  await page.getByRole('link', { name: 'All 5' }).waitFor()
  await page.getByText('The newest outcomes are not listed yet.').waitFor()
  t.equal(await page.getByText('No item has an outcome yet.').count(), 0)
  isListed = true
  await page.getByRole('table', { name: 'Items' }).getByText('e-1').first().waitFor()
})

t.test('a partly loaded list of schedules shows the minimum number that need attention', async t => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const schedules = Array.from({ length: 2_500 }, (_, index) => ({
    ...sample!, scheduleId: `s-${index}`, description: `Tenant ${index}`, createdAt: NOW + index, missed: index % 100 === 0 ? 2 : 0
  }))
  const { page } = await openPage(t, browser, `${await serve(t, {
    ...monitoring,
    schedules: async ({ after, limit } = {}) => schedules.filter(one => !after || one.createdAt > after.createdAt).slice(0, limit),
    statistics: async () => ({ ...await monitoring.statistics(), schedules: { total: 2_500, enabled: 2_500, overdue: 4 } })
  })}/schedules`)
  const filters = page.getByRole('navigation', { name: 'Schedules that need attention' })
  await filters.getByRole('link', { name: 'Missed 10+' }).waitFor()
  await filters.getByRole('link', { name: 'Overdue 4', exact: true }).waitFor()
  t.match(await filters.getByRole('link', { name: 'Missed' }).getAttribute('title'), /Only the schedules that are loaded are counted\.$/)
  await filters.getByRole('link', { name: 'Missed' }).click()
  await filters.getByRole('link', { name: 'Missed 25', exact: true }).waitFor()
})

t.test('counts that could not be refreshed show from which time they are', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${mount}/executions`)
  const filter = page.getByRole('navigation', { name: 'Status' })
  await filter.locator('.filter-count').nth(3).getByText(/^\d/).waitFor()
  const unavailable = { status: 503, detail: 'The broker cannot be reached', code: 'BROKER_UNAVAILABLE' }
  await page.route('**/api/executions?**', route => route.fulfill({ status: 503, json: unavailable }))
  await filter.getByText(/^from \d\d:\d\d/).waitFor()
  await page.unroute('**/api/executions?**')
  await filter.getByText(/^from \d\d:\d\d/).waitFor({ state: 'detached' })
  t.equal(await filter.locator('.filter-count', { hasText: '–' }).count(), 0)

  await page.goto(mount)
  await page.locator('.figures').waitFor()
  await page.route('**/api/stats', route => route.fulfill({ status: 503, json: unavailable }))
  await page.locator('.stats.is-stale').waitFor()
  await page.locator('.page-range').getByText(/^from /).waitFor()
})

t.test('a list marks a failed execution with the status of its retry, and marks retries as such', async t => {
  const monitoring = healthy()
  const executions: Monitoring['executions'] = async query => {
    const page = await monitoring.executions(query)
    const [first, second, ...others] = page.executions
    const retry = { ...first!, retryOf: second!.executionId, status: 'running' as const }
    return { ...page, executions: [retry, second!, ...others], retries: new Map([[second!.executionId, retry]]) }
  }
  const { page } = await openPage(t, browser, `${await serve(t, { ...monitoring, executions })}/executions`)
  const rows = page.locator('.history-body').getByRole('row')
  await rows.nth(0).getByText('a retry', { exact: true }).waitFor()
  await rows.nth(1).getByText('retried: Running', { exact: true }).waitFor()
  t.equal(await page.locator('.history-body').getByText(/retried|a retry/).count(), 2)
})
