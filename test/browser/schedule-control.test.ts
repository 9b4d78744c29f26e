import type { Page, Route } from 'playwright-core'
import t from 'tap'
import type { Schedule, ScheduleMissPage } from '../../schemas/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { monitoring, operations } = shop.queueApp
const find = async (description: string) => (await monitoring.schedules()).find(schedule => schedule.description === description)!
const addressOf = async (description: string, more = '') =>
  `${mount}/schedules?schedule=${encodeURIComponent((await find(description)).scheduleId)}${more}`
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Schedule', exact: true })

t.test('run now asks for confirmation, then links to its execution', async t => {
  const { page, troubles } = await openPage(t, browser, await addressOf('Daily report'))
  const panel = panelOf(page)
  const writes: string[] = []
  page.on('request', request => { if (request.method() !== 'GET') writes.push(request.url()) })
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('button', { name: 'Not now' }).click()
  t.same(writes, [])
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await waitFor('the focus', async () => await page.evaluate('document.activeElement.textContent') === 'Run it now')
  await page.keyboard.press('Enter')
  const link = panel.getByRole('status').getByRole('link')
  const executionId = await link.innerText()
  t.equal((await monitoring.execution(executionId))?.scheduleId, (await find('Daily report')).scheduleId)
  await panel.locator('.recent-runs').getByText('Success').waitFor()
  await link.click()
  await page.getByRole('dialog', { name: 'Execution' }).getByRole('heading', { name: 'email:send' }).waitFor()
  t.same(troubles, [])
})

t.test('a refused run says why', async t => {
  const { page } = await openPage(t, browser, await addressOf('Daily report'))
  await page.route('**/run', route => route.fulfill({
    status: 409, contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank', title: 'Conflict', status: 409, detail: 'No process has registered the task', instance: '/', code: 'CONFLICT'
    })
  }))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('button', { name: 'Run it now' }).click()
  await panel.getByText('Not run: No process has registered the task').waitFor()
  await panel.getByRole('button', { name: 'Run now…' }).waitFor()
})

t.test('a run whose response is lost is shown as unconfirmed, and sending it again does not run it twice', async t => {
  const { scheduleId } = await find('Charge due invoices')
  const runs = async () => (await monitoring.executions({ scheduleId, limit: 1 })).total.value
  const before = await runs()
  const { page } = await openPage(t, browser, await addressOf('Charge due invoices'))
  const panel = panelOf(page)
  const keys: Array<string | undefined> = []
  const answers: Array<(route: Route) => Promise<unknown>> = [
    // The run happens, but the connection closes before the response arrives.
    async route => route.fetch().then(() => route.abort()),
    async route => route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' }),
    async route =>
      route.fulfill({ status: 409, json: { status: 409, code: 'IDEMPOTENCY_KEY_IN_PROGRESS', detail: 'Still in progress' } })
  ]
  await page.route('**/run', async route => {
    keys.push(route.request().headers()['idempotency-key'])
    await (answers.shift() ?? (last => last.continue()))(route)
  })
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('button', { name: 'Run it now' }).dblclick()
  await panel.getByText('Not confirmed: it may have been enqueued, or may yet be.').waitFor()
  t.equal(await panel.getByText('Not run:').count(), 0)
  await panel.getByRole('button', { name: 'Send again' }).click()
  await waitFor('the second response', async () => keys.length === 2)
  await panel.getByText('Not confirmed').waitFor()
  // The state survives closing the panel.
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Charge due invoices' }).click()
  await panel.getByRole('button', { name: 'Send again' }).click()
  const executionId = await panel.getByRole('status').getByRole('link').innerText()
  t.equal((await monitoring.execution(executionId))?.scheduleId, scheduleId)
  await waitFor('the run to count', async () => await runs() > before)
  t.equal(await runs(), before + 1, 'it ran once')
  t.equal(keys.length, 4)
  t.equal(new Set(keys).size, 1, 'all with the same key')
  t.match(keys[0], /^[\x21-\x7e]{16,200}$/)

  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('button', { name: 'Run it now' }).click()
  await waitFor('another run', async () => await runs() === before + 2)
  t.not(keys[4], keys[0], 'a new request has a new key')
})

t.test('a switch or a deletion whose response is lost is shown as unconfirmed', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`)
  const unconfirmed = JSON.stringify({ status: 503, code: 'UNCONFIRMED', detail: 'It was not confirmed in time' })
  await page.route('**/disable', async route => {
    await route.fetch()
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: unconfirmed })
  })
  const toggle = page.getByRole('switch', { name: 'Daily report enabled' })
  await toggle.click()
  await page.getByText('Not confirmed whether Daily report is disabled: It was not confirmed in time.').waitFor()
  await waitFor('the state on the server', async () => await toggle.getAttribute('aria-checked') === 'false')
  t.equal(await page.getByText('is still enabled').count(), 0)
  await toggle.click()
  await page.getByText('Daily report is enabled.').waitFor()

  const { scheduleId } = await operations.createSchedule({
    taskName: 'email:send', timing: { cron: '0 3 * * *', timezone: 'UTC' }, description: 'To be deleted'
  })
  let deletions = 0
  await page.route(`**/api/schedules/${scheduleId}`, async route => {
    if (route.request().method() !== 'DELETE' || deletions++ > 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'Delete To be deleted' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this schedule?' })
  await dialog.getByRole('textbox').fill('email:send')
  await dialog.getByRole('button', { name: 'Delete schedule' }).click()
  await dialog.getByText('Not confirmed: it may be deleted, or may yet be.').waitFor()
  await dialog.getByRole('button', { name: 'Delete schedule' }).click()
  await page.getByText('To be deleted is deleted.').waitFor()
  t.equal(deletions, 2)
})

t.test('drift shows the values in code and the live values, who edited them, which win, and the call that reverts the edit', async t => {
  const { page, troubles } = await openPage(t, browser, await addressOf('Weekly digest'))
  const panel = panelOf(page)
  const row = panel.getByRole('table', { name: 'Differences from the code' }).getByRole('row', { name: /^cron/ })
  t.match(await row.innerText(), /0 8 \* \* 1\s+30 8 \* \* 1[^]*ada/)
  await panel.getByText('The edit wins: it stays through deployments.').waitFor()
  await panel.getByText('Restore what the code says').click()
  const { version, scheduleId } = await find('Weekly digest')
  const code = await panel.getByRole('region', { name: 'The call that takes the edits back' }).innerText()
  t.match(code, `curl -X PATCH '${mount}/api/schedules/${scheduleId}'`)
  t.match(code, `if-match: "${version}"`)
  t.match(code, '{"wins":"code"}')
  // The list shows it too.
  await page.getByRole('row', { name: /Weekly digest/ }).getByText('edited').waitFor()
  t.same(troubles, [])
})

t.test('missed and late runs are listed in the history with their reasons', async t => {
  const { page } = await openPage(t, browser, mount)
  await changeSchedule(page, { task_registered: false, overdue: true })
  const missed = {
    kind: 'missed', first_due_at: '2026-11-20T03:00:00.000Z', last_due_at: '2026-11-20T05:00:00.000Z', count: 3,
    recorded_at: '2026-11-20T05:00:30.000Z', late_by_ms: null, execution_id: null
  } as const
  const misses: ScheduleMissPage = {
    items: [
      { ...missed, reason: 'process_down' },
      { ...missed, kind: 'late', reason: 'broker_away', count: 1, late_by_ms: 95_000, execution_id: 'a-late-one' }
    ],
    next_cursor: null, total: { value: 2, relation: 'exact' }
  }
  await page.route('**/misses', route => route.fulfill({ json: misses }))
  await page.goto(await addressOf('Charge due invoices'))
  const history = panelOf(page).locator('.recent-runs')
  await history.getByText('no process was running').waitFor()
  t.match(await history.innerText(), /Missed\s+20 Nov, 04:00 to 20 Nov, 06:00\s+3 runs\s+no process was running/)
  t.match(await history.innerText(), /Late[^]*1 m 35 s late: the broker could not be reached/)
  await panelOf(page).getByText('No process has registered its task for five minutes.').waitFor()
  await panelOf(page).getByText('Overdue.').waitFor()
  const row = page.getByRole('row', { name: /Charge due invoices/ })
  await waitFor('the warnings in the list', async () => /no process\s*overdue\s*invoices\/charge/.test(await row.innerText()))
})

t.test('counts that cannot be read are shown as unknown, not as none', async t => {
  const { page } = await openPage(t, browser, mount)
  await changeSchedule(page, { stats: { runs: null, success: null, failed: null, missed: 0, late: 0, avg_duration_ms: null } })
  await page.goto(await addressOf('Charge due invoices'))
  const facts = panelOf(page).locator('.facts').first()
  await facts.getByText('unknown: The result backend cannot be reached').nth(1).waitFor({ state: 'attached' })
  t.notMatch(await facts.textContent(), /No run has finished|none yet|succeeded/)
})

t.test('an edit is built on the version that was read, previewed, and never sent', async t => {
  const { page, troubles } = await openPage(t, browser, await addressOf('Daily report'))
  const writes: string[] = []
  page.on('request', request => { if (request.method() !== 'GET') writes.push(request.url()) })
  await panelOf(page).getByRole('link', { name: 'Edit…' }).click()
  await page.waitForURL(/[?&]edit=1/)
  const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
  await dialog.getByText('Nothing is changed yet').waitFor()
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('15 9 * * 1-5')
  await dialog.getByRole('spinbutton', { name: 'Jitter' }).fill('60')
  await dialog.getByText('At 09:15, Monday through Friday').waitFor()
  const { version } = await find('Daily report')
  const code = dialog.getByRole('region', { name: 'The call' })
  t.match(await code.innerText(), `if-match: "${version}"`)
  t.match(await code.innerText(), '-d \'{"cron":"15 9 * * 1-5","jitter_ms":60000}\'')
  await dialog.getByRole('button', { name: 'typed client' }).click()
  t.match(await code.innerText(), "client.PATCH('/api/schedules/{id}'")

  await operations.updateSchedule((await find('Daily report')).scheduleId, { priority: 3 })
  await dialog.getByRole('button', { name: 'Start over from its current version' }).click()
  await waitFor('the current priority', async () => await dialog.getByRole('spinbutton', { name: 'Priority' }).inputValue() === '3')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await panelOf(page).waitFor()
  t.same(writes, [])
  t.same(troubles, [])
})

t.test('the agenda shows the load by hour, links to the schedules and has its own address', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByRole('link', { name: 'Agenda' }).click()
  await page.waitForURL('**/schedules/agenda')
  const table = page.getByRole('table', { name: /hour by hour/ })
  const first = table.locator('.agenda-body').getByRole('row').first()
  await first.waitFor()
  t.match(await first.getByRole('rowheader').innerText(), 'Charge due invoices', 'the heaviest first')
  t.equal(await first.getByRole('cell').count(), 25, '24 hours and their sum')
  t.match(await first.getByRole('cell').first().innerText(), /^2[34]$/, 'hourly, though perhaps not in the hour of its creation')
  t.equal(
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Schedules' }).getAttribute('aria-current'), 'true'
  )

  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL('**/schedules/agenda?days=7')
  await page.reload()
  const week = page.getByRole('table', { name: /of each day/ })
  await week.getByRole('row').nth(7).waitFor()
  const day = week.locator('[data-row-link]').nth(1)
  await day.click()
  await page.waitForURL(/\/agenda\?day=\d{4}-\d\d-\d\d$/)
  const hours = page.getByRole('table', { name: /hour by hour/ }).getByRole('columnheader')
  await hours.nth(25).waitFor()
  t.match(await hours.nth(2).getAttribute('aria-label'), '00:00', 'a single day begins at midnight')
  await page.locator('.agenda-body').getByRole('link', { name: 'Charge due invoices' }).click()
  await panelOf(page).getByRole('heading', { name: 'Charge due invoices' }).waitFor()
  t.same(troubles, [])
})

t.test('a long agenda renders only the rows in view and says how many there are', async t => {
  const { page, troubles } = await openPage(t, browser, mount, { viewport: { width: 375, height: 700 } })
  await page.route('**/agenda?**', async route => {
    const agenda = await (await route.fetch()).json() as { hours: string[]; schedules: object[] }
    const schedules = Array.from({ length: 5_000 }, (_, index) => ({
      schedule_id: `s${index}`, task_name: 'email:send', description: `Tenant ${index}`, total: 24, counts: agenda.hours.map(() => 1)
    }))
    await route.fulfill({ json: { ...agenda, schedules } })
  })
  await page.goto(`${mount}/schedules/agenda`)
  const table = page.getByRole('table', { name: /hour by hour/ })
  await table.getByText('Tenant 0', { exact: true }).waitFor()
  await page.getByText('5,000 schedules').waitFor()
  t.equal(await table.getAttribute('aria-rowcount'), '5002')
  t.ok(await table.getByRole('row').count() < 60)
  const frame = page.getByRole('region', { name: /hour by hour/ })
  await frame.focus()
  await page.keyboard.press('End')
  await table.getByText('Tenant 4999', { exact: true }).waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  t.same(troubles, [])
})

t.test('a read-only panel offers neither run nor edit, and says why', async t => {
  const readOnly = await shop.serve({ prefix: '/ro', readOnly: true })
  const { page, troubles } = await openPage(
    t, browser, `${readOnly}/schedules?schedule=${encodeURIComponent((await find('Daily report')).scheduleId)}&edit=1`
  )
  const panel = panelOf(page)
  await panel.getByText('Read-only: this dashboard changes nothing.').waitFor()
  await panel.getByText('Next 10 runs').waitFor()
  for (const name of [/^Run/, /^Delete/]) t.equal(await panel.getByRole('button', { name }).count(), 0)
  t.equal(await page.getByRole('link', { name: /^Edit\b/ }).count(), 0)
  t.equal(await page.getByRole('dialog', { name: 'Edit schedule' }).count(), 0)
  t.same(troubles, [])
})

/** Changes responses about schedules, as if every schedule had the problem. */
async function changeSchedule(page: Page, change: Partial<Schedule>): Promise<void> {
  await page.route(/\/api\/schedules(\?.*|\/sch_[^/]*)?$/, async route => {
    const answer = await (await route.fetch()).json() as Schedule | Schedule[]
    await route.fulfill({ json: Array.isArray(answer) ? answer.map(schedule => ({ ...schedule, ...change })) : { ...answer, ...change } })
  })
}
