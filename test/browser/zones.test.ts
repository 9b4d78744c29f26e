import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy())

t.test('submitting the fields of a time range unchanged keeps it exact to the second, even when clocks go back', async t => {
  const { page } = await openPage(t, browser, 'about:blank')
  // In Berlin, 02:30 occurs twice on 25 October 2026.
  for (const [from, to] of [['2026-11-20T01:30:17Z', '2026-11-20T03:30:45Z'], ['2026-10-25T01:30Z', '2026-10-25T01:45Z'],
    ['2026-10-25T00:45Z', '2026-10-25T01:15Z']] as const) {
    const query = new URLSearchParams({ from, to }).toString()
    await page.goto(`${mount}/failures?${query}`)
    const fields = page.locator('.range-other')
    await page.locator('.range-picker [aria-expanded]').click()
    await fields.locator('form').nth(1).getByRole('button', { name: 'Show' }).click()
    await fields.waitFor({ state: 'detached', timeout: 3_000 }).catch(() => t.fail(`${from} is not accepted`))
    t.equal(new URL(page.url()).searchParams.toString(), query)
  }
})

t.test('where clocks differ from UTC by half an hour, the hours of a week start at half past', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules/agenda?days=7`, { timezoneId: 'America/St_Johns' })
  const table = page.getByRole('table', { name: /by hour|hourly|Hour/i }).first()
  await table.waitFor()
  t.match(await table.getByRole('columnheader').allInnerTexts(), ['Day', 'Total', '00:30', '01:30'])
})
