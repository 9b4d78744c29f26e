import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const MAX_REQUESTS = 8
/** Requests that a page makes right after it is complete still belong to its load. */
const WATCHED_ON_MS = 1_500

/** Preloads of what a reader may open next, after the page is complete: other pages and dialogs, and the executions beside the open one. */
function isAhead(address: string, path: string): boolean {
  const part = /^\/assets\/(?<name>\w+)(?:-page|-dialog|-palette)?-[\w-]+\.js$/.exec(address)?.groups?.['name']
  if (part === 'shared') return /^\/(?:\?|$)/.test(path)
  if (/-(?:page|dialog|palette)-/.test(address)) return !path.split('?')[0]!.endsWith(`/${part}`)
  return address.startsWith('/api/executions/') && !path.includes(address.slice('/api/executions/'.length))
}

const PAGES = [
  '/', '/?range=7d', '/failures', '/failures?range=30d', '/failures?group=abc', '/executions', '/executions?status=failed',
  '/executions?execution=e-1', '/tasks', '/tasks?name=email%3Asend', '/schedules', '/schedules?new=1', '/schedules?schedule=s-1',
  '/schedules/agenda', '/workers', '/bulk', '/bulk?operation=b-1', '/audit'
]

t.test('no page makes more than eight requests until it is complete', async t => {
  const mount = await serve(t, healthy())
  for (const path of PAGES) {
    const { page, troubles } = await openPage(t, browser, 'about:blank')
    const asked: string[] = []
    page.on('request', request => {
      const address = request.url().slice(mount.length)
      if (!isAhead(address, path)) asked.push(address)
    })
    const later = /^\/(?:\?|$)/.test(path) ? page.waitForResponse('**/first-reads.json*') : null
    const html = await (await page.goto(mount + path))!.text()
    // A request for a response that the page already held is polling, however slow this machine is.
    const [, json] = /id="task-dashboard-answers">(.*?)<\/script>/.exec(html)!
    const held = await (await later)?.json() as object | undefined ?? (JSON.parse(json!) as { reads: object }).reads
    const isPolled = (address: string): boolean =>
      address.slice(1) in held || address === '/api/health' || address === '/api/stats'
    await page.locator('main h1, main h2').first().waitFor()
    await waitFor('no skeleton', async () => await page.locator('.skeleton-row, .skeleton-text').count() === 0)
    await page.waitForTimeout(WATCHED_ON_MS)

    const distinct = [...new Set(asked)].filter(address => !isPolled(address))
    t.ok(distinct.length <= MAX_REQUESTS, `${path}: ${distinct.length} requests`)
    if (distinct.length > MAX_REQUESTS) t.comment(distinct.join('\n'))
    t.same(troubles.filter(each => !each.startsWith('other origin')), [], path)
    await page.context().close()
  }
})

t.test('a response embedded in the page is used once, and polling gets new ones from the server', async t => {
  const monitoring = healthy()
  let total = 12
  const executions: typeof monitoring.executions = async query =>
    ({ ...await monitoring.executions(query), total: { value: total, relation: 'exact' } })
  const { page } = await openPage(t, browser, 'about:blank')
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).search))
  await page.goto(`${await serve(t, { ...monitoring, executions })}/executions`)
  const all = page.locator('.filter-item').first().locator('.filter-count')
  await all.getByText('12', { exact: true }).waitFor()
  t.notOk(asked.includes('?limit=1'), 'the first counts are those embedded in the page')
  total = 34
  await all.getByText('34', { exact: true }).waitFor()
  t.pass('the counts follow the server')
})
