import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { NOW } from '../dashboard/sample-queue-app.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve, succeeding, withoutFirstReads } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

const FAILING = /^Failing (?:at least )?since .{5,20} · 33\.3 % of 3 executions in the last hour failed/

t.test('the verdict is not "all well" before the last hour is known, or for a reader who may not see it', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, 'about:blank')
  let isHeld = true
  await withoutFirstReads(page)
  await page.route('**/api/timeseries**', async route => {
    await waitFor('the verdict to be read', async () => !isHeld)
    await route.continue()
  })
  await page.goto(mount)
  await page.getByText('Looking…').waitFor()
  await page.getByText('1,000 finished').waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  isHeld = false
  await page.getByRole('heading', { level: 1, name: FAILING }).waitFor()

  const limited = await serve(t, healthy(), { authorize: async (_request, action) => action !== 'executions:view' })
  const other = await openPage(t, browser, limited)
  await other.page.getByRole('heading', { level: 1, name: FAILING }).waitFor()
  await other.page.getByText('Failure groups: you do not have access').waitFor()
  t.equal(await other.page.getByRole('button', { name: 'Try again' }).count(), 0, 'retrying cannot give rights')
  const calm = await serve(t, { ...healthy(), timeseries: succeeding() }, {
    authorize: async (_request, action) => action !== 'executions:view'
  })
  const blind = await openPage(t, browser, calm)
  await blind.page.getByText('No problems in what you may see').waitFor()
  t.equal(await blind.page.locator('.verdict-good').count(), 0)
})

t.test('a new failure group is in the verdict, with a link to its failures', async t => {
  const { failureGroups, ...rest } = healthy()
  const asNew = async (query: Parameters<typeof failureGroups>[0]) => {
    const { groups: [first], ...page } = await failureGroups(query)
    return { ...page, groups: [{ ...first!, firstSeenAt: Date.now() - 60_000 }] }
  }
  const { page } = await openPage(t, browser, await serve(t, { ...rest, failureGroups: asNew, timeseries: succeeding() }))
  await page.getByRole('heading', { level: 1, name: /^1 new failure group · 2 executions in the last hour, none failed/ }).waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  await page.getByRole('link', { name: '1 new failure group' }).click()
  await page.waitForURL(/\/tasks\/failures\?group=abc$/)
})

t.test('executions that wait for a task without a worker are in the verdict, soon after they began to wait', async t => {
  const monitoring = healthy()
  let isWaiting = false
  const mount = await serve(t, {
    ...monitoring, timeseries: succeeding(),
    failureGroups: async () => ({ groups: [], nextCursor: null, total: { value: 0, relation: 'exact' } }),
    statistics: async () => ({ ...await monitoring.statistics(), queueSize: 40, oldestPendingMs: isWaiting ? 6_000 : null }),
    async queues() {
      const [first, ...others] = (await monitoring.queues()).map(queue => ({ ...queue, pending: 0, oldestPendingMs: null, workers: 1 }))
      return [{ ...first!, ...isWaiting && { pending: 40, oldestPendingMs: 6_000, workers: 0 } }, ...others]
    }
  })
  const { page } = await openPage(t, browser, mount)
  await page.locator('.verdict-good').waitFor()
  isWaiting = true
  await page.getByRole('heading', { level: 1, name: /^Executions of email:send are waiting, and no worker handles it · 2 exec/ }).waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  await page.getByText('Start a process that registers what has no worker').waitFor()
  await page.getByRole('link', { name: 'Executions of email:send are waiting' }).click()
  await page.waitForURL(/\/workers$/)
})

t.test('all schedules are counted and reachable, few rows are rendered, and the next run is found among all of them', async t => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const schedules = Array.from({ length: 2_500 }, (_, index) => ({
    ...sample!, scheduleId: `s-${index}`, description: `Tenant ${index}`, createdAt: NOW + index,
    nextRunAt: Date.now() + (index === 2_400 ? 600_000 : 7_200_000 + index),
    missed: index === 0 ? 86 : 0
  }))
  const mount = await serve(t, {
    ...monitoring,
    async schedules({ after, search, order, limit } = {}) {
      const found = schedules.filter(one => (!after || one.createdAt > after.createdAt) && (!search || one.description.includes(search)))
      return (order === 'nextRun' ? found.toSorted((one, other) => one.nextRunAt - other.nextRunAt) : found).slice(0, limit)
    },
    statistics: async () => ({ ...await monitoring.statistics(), schedules: { total: 2_500, enabled: 2_400, overdue: 0 } })
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByText('2,500 schedules').waitFor()
  const rows = page.getByRole('table', { name: 'Schedules' }).getByRole('row')
  t.ok(await rows.count() < 60, `${await rows.count()} rows`)
  await waitFor('the last schedule', async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return await page.getByRole('link', { name: 'Tenant 2499', exact: true }).count() === 1
  })
  t.ok(await rows.count() < 60, `${await rows.count()} rows at the end`)
  await page.goto(`${mount}/schedules?show=missed`)
  await page.getByText('1 schedule of 2,500').waitFor()
  await page.getByRole('link', { name: 'Tenant 0', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('Tenant 2444')
  await page.getByRole('option', { name: /Tenant 2444/ }).waitFor()
  t.equal(await page.getByRole('option', { name: /Open execution/ }).count(), 0, 'a name is not an id')

  for (const width of [375, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${mount}/schedules`)
    const row = page.getByRole('row', { name: /Tenant 0\b/ })
    await row.waitFor()
    t.match(await row.innerText(), /\b86\b/, `missed runs are shown at ${width} px`)
  }
  await page.goto(mount)
  await page.locator('.upcoming li').first().getByText('Tenant 2400').waitFor()
  t.same(troubles, [])
})

t.test('a search continues by itself, shows its progress and can be stopped', async t => {
  const monitoring = healthy()
  let pages = 0
  const mount = await serve(t, {
    ...monitoring,
    async executions(query) {
      const answer = await monitoring.executions({ limit: query.limit ?? 50 })
      if (!query.search) return { ...answer, total: { value: 50_000, relation: 'exact' as const } }
      const at = query.cursor === undefined ? 0 : Number(query.cursor)
      pages = at + 1
      await sleep(at > 3 && at < 8 ? 1_000 : 0)
      return {
        executions: at === 2 ? answer.executions.slice(0, 1) : [], nextCursor: at === 9 ? null : String(at + 1),
        total: { value: 1, relation: 'at_least' as const }, scanned: 5_000, complete: false
      }
    }
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?search=needle`)
  await page.getByText(/^[1-9]\d % searched · 1 found$/).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  const stoppedAt = pages
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  t.ok(pages <= stoppedAt + 1)
  await page.getByRole('button', { name: 'Continue' }).click()
  await waitFor('the last page', async () => pages === 10)
  await page.getByText('Everything is searched · 1 found').waitFor()
  t.equal(await page.locator('.history-body').getByRole('row').count(), 1)
  t.same(troubles, [])
})

t.test('"j" and "k" move through the rows in view and update the open panel', async t => {
  const mount = await serve(t, healthy())
  for (const width of [1440, 900]) {
    const { page } = await openPage(t, browser, `${mount}/executions?schedule=s-1`, { viewport: { width, height: 700 } })
    const rows = page.locator('.history-body [data-row-link]')
    await rows.nth(3).waitFor()
    await page.keyboard.press('j')
    const focused = await page.evaluate(`(() => {
      const { top, left } = document.activeElement.getBoundingClientRect()
      return document.elementFromPoint(left + 4, top + 4)?.closest('[role=row]') === document.activeElement.closest('[role=row]')
    })()`)
    t.equal(focused, true, 'the header does not cover the first row')
    await rows.nth(1).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/execution=/)
    const opened = () => page.locator('.history-body .is-open').getAttribute('aria-rowindex')
    await page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()
    await waitFor('the row to be marked', async () => await opened() === '3')
    await page.keyboard.press('j')
    await waitFor('the next execution', async () => await opened() === '4')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await waitFor('the first execution', async () => await opened() === '2')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Execution' }).waitFor({ state: 'detached' })
    await waitFor('the focus to return to the row of the panel', async () =>
      await page.evaluate('document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex")') === '2')
    await page.context().close()
  }
})

t.test("cut arguments are shown as the start of their JSON, a queue by its name and server times in the reader's zone", async t => {
  const monitoring = healthy()
  const health = await monitoring.health()
  const mount = await serve(t, {
    ...monitoring,
    execution: async id => ({
      ...(await monitoring.execution(id))!, queue: 'billing%3areconcile', args: ['[{"to":"ana@example.com"'], truncated: ['/args']
    }),
    health: async () => ({
      ...health, status: 'degraded',
      components: { ...health.components, backend: { healthy: false, message: 'It waits since 2026-11-20T08:00:00.000Z' } }
    })
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?execution=e-1`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  t.equal(await panel.getByRole('region', { name: 'Start of the arguments' }).innerText(), '[{"to":"ana@example.com"…')
  await panel.getByText('billing:reconcile', { exact: true }).waitFor()
  t.match(await page.locator('.history .grid-head').innerText(), /Last change/)
  await page.goto(mount)
  await page.locator('.health').getByText('It waits since 20 Nov, 09:00').waitFor()
  t.same(troubles, [])
})

t.test('a wrong clock of the reader does not change the times shown', async t => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const mount = await serve(t, { ...monitoring, schedules: async () => [{ ...sample!, nextRunAt: Date.now() + 300_000 }] })
  for (const wrong of [-3_600_000, 3_600_000]) {
    const { page } = await openPage(t, browser, 'about:blank')
    await page.addInitScript(`{ const now = Date.now.bind(Date); Date.now = () => now() + ${wrong} }`)
    await page.goto(mount)
    await page.locator('.upcoming').getByText(/^in [45] m/).waitFor()
    await page.context().close()
  }
})

t.test('"j" and "k" still move through a list that lacks the execution in the panel', async t => {
  const mount = await serve(t, healthy())
  for (const width of [1440, 900]) {
    const { page } = await openPage(t, browser, `${mount}/executions?execution=e-1&search=task:email`, { viewport: { width, height: 700 } })
    await page.goto(`${mount}/executions?execution=01900000-0000-7000-8000-00000000000a`)
    await page.getByText('This execution does not exist').waitFor()
    await page.locator('.history-body [data-row-link]').nth(3).waitFor({ state: 'attached' })
    await page.keyboard.press('j')
    await page.waitForURL(/execution=e-1$/)
    await page.keyboard.press('j')
    await page.waitForURL(/execution=schedule/)
    await page.context().close()
  }
})

t.test('a search that has not finished, or cannot run, is not reported as "nothing found"', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, mount)
  await page.locator('.verdict h1', { hasText: 'Failing' }).waitFor()
  await refuse(page, '**/api/schedules?*search=*', { detail: 'The broker cannot be reached since 2026-11-20T08:00:00.000Z' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('s-1')
  await page.getByText('Searching schedules…').waitFor()
  t.equal(await page.getByText('Nothing found with this name.').count(), 0)
  await page.getByText('Schedules could not be searched: The broker cannot be reached since 20 Nov, 09:00.').waitFor()
  await page.unroute('**/api/schedules?*search=*')
  await page.getByRole('option', { name: /morning/ }).first().waitFor()

  const { page: composer } = await openPage(t, browser, 'about:blank')
  await refuse(composer, '**/api/tasks')
  await composer.goto(`${mount}/schedules?new=1`)
  const tasks = composer.getByRole('dialog').getByRole('combobox', { name: 'Task' })
  await tasks.getByText('Tasks could not be loaded').waitFor({ state: 'attached' })
  await composer.unroute('**/api/tasks')
  await tasks.getByText('email:send').waitFor({ state: 'attached' })
})

t.test('an outage is reported once per page, and a permanent refusal offers no "Try again"', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, 'about:blank')
  await refuse(page, '**/api/**')
  await page.goto(`${mount}/executions`)
  await page.getByText('The execution history could not be loaded').waitFor()
  t.equal(await page.getByText('The broker cannot be reached at the moment').count(), 1)
  t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1)

  const { page: refused } = await openPage(t, browser, 'about:blank')
  await refuse(refused, '**/api/**', { code: 'STORE_REFUSED', detail: 'Redis refuses HGETALL to the user "app": give it +@hash' })
  // The health embedded in the page says that all was well just now. It is requested again, and refused, before the schedules are.
  const healthRefused = refused.waitForResponse('**/api/health')
  await refused.route(url => url.pathname.endsWith('/api/schedules'), async route => {
    await healthRefused
    await route.fallback()
  })
  await refused.goto(`${mount}/schedules`)
  await refused.getByText('Redis refuses HGETALL to the user "app": give it +@hash.').waitFor()
  t.equal(await refused.getByText('Seen since').count(), 0, 'its start is unknown')
  await refused.getByText('It loads by itself once that is fixed.').waitFor()
  t.equal(await refused.getByRole('button', { name: 'Try again' }).count(), 0)
  await refused.goto(mount)
  await refused.getByText('Redis refuses HGETALL to the user "app": give it +@hash.').waitFor()
})
