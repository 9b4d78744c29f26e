import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const MAX_REQUESTS = 8
/** What a page asks right after it is whole belongs to its load. */
const WATCHED_ON_MS = 1_500

/** What a reader may open next: the scripts of the other pages, and the executions beside the open one. */
const isAhead = (address: string): boolean => /^\/(?:assets\/|api\/executions\/)/.test(address)

const PAGES = [
  '/', '/?range=7d', '/failures', '/failures?range=30d', '/failures?group=abc', '/executions', '/executions?status=failed',
  '/executions?execution=e-1', '/tasks', '/tasks?name=email%3Asend', '/schedules', '/schedules?schedule=s-1', '/schedules/agenda',
  '/workers'
]

t.test('no page makes more than eight requests until it is whole, and asks nothing twice', async t => {
  const mount = await serve(t, healthy())
  for (const path of PAGES) {
    const { page, troubles } = await openPage(t, browser, 'about:blank')
    const asked: string[] = []
    let isWhole = false
    page.on('request', request => {
      const address = request.url().slice(mount.length)
      if (!isWhole || !isAhead(address)) asked.push(address)
    })
    await page.goto(mount + path)
    await page.locator('main h1, main h2').first().waitFor()
    await waitFor('no skeleton', async () => await page.locator('.skeleton-row, .skeleton-text').count() === 0)
    isWhole = true
    const reads = asked.filter(address => address.startsWith('/api/'))
    t.same(reads, [...new Set(reads)], `${path}: nothing is asked twice`)
    await page.waitForTimeout(WATCHED_ON_MS)

    const distinct = [...new Set(asked)]
    t.ok(distinct.length <= MAX_REQUESTS, `${path}: ${distinct.length} requests`)
    if (distinct.length > MAX_REQUESTS) t.comment(distinct.join('\n'))
    t.same(troubles.filter(each => !each.startsWith('other origin')), [], path)
    await page.context().close()
  }
})

t.test('an answer in the page is used once: what is polled comes from the server', async t => {
  const monitoring = healthy()
  let total = 12
  const executions: typeof monitoring.executions = async query =>
    ({ ...await monitoring.executions(query), total: { value: total, relation: 'exact' } })
  const { page } = await openPage(t, browser, `${await serve(t, { ...monitoring, executions })}/executions`)
  const all = page.locator('.filter-item').first().locator('.filter-count')
  await all.getByText('12', { exact: true }).waitFor()
  total = 34
  await all.getByText('34', { exact: true }).waitFor()
  t.pass('the counts follow the server')
})
