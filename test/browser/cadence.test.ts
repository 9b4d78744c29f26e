import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

/** After this time a page counts as untouched, and has polled once more at its former pace. */
const UNTIL_STILL_MS = 20_000
const WATCHED_MS = 30_000
const REQUESTS_PER_MINUTE = 40

const browser = await launchBrowser(t)

t.test('an untouched page makes at most 40 requests a minute, and polls faster again once it is used', async t => {
  const mount = await serve(t, healthy())
  const pages = await Promise.all(['/', '/executions', '/schedules'].map(async path => {
    const { page } = await openPage(t, browser, mount + path)
    const asked: string[] = []
    page.on('request', request => { asked.push(request.url()) })
    return { page, path, asked }
  }))
  const [first] = pages
  await first!.page.waitForTimeout(UNTIL_STILL_MS)
  for (const { asked } of pages) asked.length = 0
  await first!.page.waitForTimeout(WATCHED_MS)
  // Polling less often does not make the figures count as stale.
  t.equal(await first!.page.getByText('Retrying').count(), 0)
  for (const { path, asked } of pages) {
    const perMinute = asked.length * 60_000 / WATCHED_MS
    t.ok(perMinute > 0 && perMinute <= REQUESTS_PER_MINUTE, `${path}: ${perMinute} a minute`)
  }

  const { page, asked } = first!
  await page.mouse.move(200, 300)
  asked.length = 0
  const countStats = (): number => asked.filter(url => url.endsWith('/api/stats')).length
  await waitFor('statistics to be polled at the pace of a page in use', async () => {
    await page.mouse.move(200 + asked.length, 300)
    return countStats() >= 4
  }, 20_000)
})
