import t from 'tap'
import type { Page } from 'playwright-core'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const HOUR_MS = 3_600_000

/** A page whose reader's clock can be set while it is open. */
async function openWithClock(address: string): Promise<{ readonly page: Page; readonly set: (aheadMs: number) => Promise<unknown> }> {
  const { page } = await openPage(t, browser, 'about:blank')
  await page.addInitScript('window.ahead = 0; { const now = Date.now.bind(Date); Date.now = () => now() + window.ahead }')
  await page.goto(address)
  return { page, set: aheadMs => page.evaluate(`window.ahead = ${aheadMs}`) }
}

t.test('when the reader\'s clock changes while a page is open, the page polls at once and its times are right again', async t => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const dueAt = Date.now() + 1_200_000
  const mount = await serve(t, { ...monitoring, schedules: async () => [{ ...sample!, nextRunAt: dueAt }] })
  const { page, set } = await openWithClock(mount)
  const due = page.locator('.upcoming').getByText(/^in 1\d m/)
  await due.waitFor()
  const asked: string[] = []
  page.on('request', request => { asked.push(new URL(request.url()).pathname) })
  for (const ahead of [HOUR_MS, -HOUR_MS]) {
    // A request that merely follows its interval must not count as a reaction to the change, so wait for one first.
    await waitFor('the schedules to be requested', async () => asked.some(path => path.endsWith('/api/schedules')))
    asked.length = 0
    await set(ahead)
    // The session is polled least often.
    await waitFor('everything to be requested', async () => asked.some(path => path.endsWith('/api/session')), 20_000)
    await due.waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    t.equal(await due.count(), 1, `a clock that is ${ahead} ms ahead`)
  }
})

t.test('the time shown for stale figures stays, whatever the reader\'s clock is set to', async t => {
  const { page, set } = await openWithClock(await serve(t, healthy()))
  await page.locator('.upcoming li').first().waitFor()
  await page.route('**/api/schedules?**', route => route.fulfill({ status: 503, json: { status: 503, detail: 'Away', code: 'AWAY' } }))
  const stale = page.locator('.section', { has: page.locator('.upcoming') }).getByText(/^from /)
  await stale.waitFor()
  const said = await stale.textContent()
  for (const ahead of [HOUR_MS, -HOUR_MS]) {
    const answered = page.waitForResponse('**/api/session')
    await set(ahead)
    await answered
    await page.getByText('Live', { exact: true }).waitFor()
    t.equal(await stale.textContent(), said)
  }
})

t.test('after a sleep without a network, nothing is shown as live', async t => {
  const { page, set } = await openWithClock(await serve(t, healthy()))
  await page.getByText('Live', { exact: true }).waitFor()
  await page.route('**/api/**', () => new Promise(() => {}))
  await set(HOUR_MS)
  await page.getByText(/^Not live since .*\d\d:\d\d$/).waitFor()
  t.equal(await page.getByText('Live', { exact: true }).count(), 0)
})

t.test('a pause that someone else made is shown within seconds', async t => {
  const monitoring = healthy()
  let isPaused = false
  const mount = await serve(t, {
    ...monitoring,
    queues: async () => (await monitoring.queues()).map((queue, index) => (
      { ...queue, pause: isPaused && index === 0 ? { since: Date.now(), by: 'ben', reason: null, until: null } : null }
    ))
  })
  const { page } = await openPage(t, browser, mount)
  await page.locator('.figures').waitFor()
  const answered = () => page.waitForResponse('**/api/queues', { timeout: 29_000 })
  await answered()
  isPaused = true
  await answered()
  await page.getByText(/queue is paused/i).first().waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
})
