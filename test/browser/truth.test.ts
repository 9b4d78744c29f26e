import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring.ts'
import { createRouter, type RouterOptions } from '../../lib/index.ts'
import { NOW, sampleMonitoring } from '../dashboard/sample-monitoring.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'

const browser = await launchBrowser(t)
const UNAVAILABLE = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'The broker cannot be reached at the moment', instance: '/', code: 'BROKER_UNAVAILABLE' }
const refuse = (page: Page, address: string, status = 503) => page.route(address, (route) => route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ ...UNAVAILABLE, status }) }))

t.test('nothing is called well before the last hour is known, nor to somebody who may not see it', async (t) => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, 'about:blank')
  let isHeld = true
  await page.route('**/api/timeseries**', async (route) => {
    await waitFor('the verdict to be read', async () => !isHeld)
    await route.continue()
  })
  await page.goto(mount)
  await page.getByText('Looking…').waitFor()
  await page.locator('.figure', { hasText: 'Finished executions' }).getByText('1,000').waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  isHeld = false
  await page.getByRole('heading', { level: 1, name: /^Failing · 33\.3 % of 3 executions in the last hour/ }).waitFor()

  const limited = await serve(t, healthy(), { authorize: async (_request, action) => action !== 'executions:view' })
  const other = await openPage(t, browser, limited)
  await other.page.getByText('Failing · 33.3 % of 3 executions in the last hour failed').waitFor()
  await other.page.getByText('Failure groups: not shown to you').waitFor()
  t.equal(await other.page.getByRole('button', { name: 'Try again' }).count(), 0, 'asking again gives no rights')
  const calm = await serve(t, { ...healthy(), timeseries: succeeding() }, { authorize: async (_request, action) => action !== 'executions:view' })
  const blind = await openPage(t, browser, calm)
  await blind.page.getByText('No trouble in what you may see').waitFor()
  t.equal(await blind.page.locator('.verdict-good').count(), 0)
})

t.test('a failure group that is new stands in the verdict, with the way to its failures', async (t) => {
  const { failureGroups, ...rest } = healthy()
  const asNew = async (query: Parameters<typeof failureGroups>[0]) => {
    const { groups: [first], ...page } = await failureGroups(query)
    return { ...page, groups: [{ ...first!, firstSeenAt: Date.now() - 60_000 }] }
  }
  const { page } = await openPage(t, browser, await serve(t, { ...rest, failureGroups: asNew, timeseries: succeeding() }))
  await page.getByRole('heading', { level: 1, name: /^1 new failure group · 2 executions in the last hour, none failed/ }).waitFor()
  t.equal(await page.locator('.verdict-good').count(), 0)
  await page.getByRole('link', { name: 'Show its failures' }).click()
  await page.waitForURL(/\/tasks\/tasks\?status=failed&group=abc$/)
})

t.test('every view that was opened during an outage recovers by itself', async (t) => {
  const mount = await serve(t, healthy())
  const views: Array<[path: string, seen: (page: Page) => Promise<unknown>, action?: (page: Page) => Promise<unknown>]> = [
    ['', async (page) => page.getByRole('table', { name: 'Recent failed executions' }).waitFor()],
    ['/tasks', async (page) => page.getByRole('table', { name: 'Execution history' }).waitFor()],
    ['/schedules', async (page) => page.getByRole('switch').first().waitFor()],
    ['/schedules/agenda', async (page) => page.getByRole('table').first().waitFor()],
    ['/tasks?execution=e-1', async (page) => page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()],
    ['/schedules?schedule=s-1', async (page) => page.getByRole('dialog', { name: 'Schedule' }).locator('.runs li').first().waitFor()],
    ['/schedules?new=1', async (page) => page.getByRole('dialog', { name: 'New schedule' }).locator('.runs li').first().waitFor()]
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

t.test('all schedules are counted, reached and drawn as few rows, and the next one to run is found among all of them', async (t) => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const schedules = Array.from({ length: 2_500 }, (_, index) => ({
    ...sample!, scheduleId: `s-${index}`, description: `Tenant ${index}`, createdAt: NOW + index, nextRunAt: Date.now() + (index === 2_400 ? 600_000 : 7_200_000 + index),
    missed: index === 0 ? 86 : 0
  }))
  const mount = await serve(t, {
    ...monitoring,
    async schedules({ after, search, order, limit } = {}) {
      const found = schedules.filter((one) => (!after || one.createdAt > after.createdAt) && (!search || one.description.includes(search)))
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
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('Tenant 2444')
  await page.getByRole('option', { name: /Tenant 2444/ }).waitFor()
  t.equal(await page.getByRole('option', { name: /Open execution/ }).count(), 0, 'a name is no id')

  for (const width of [375, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${mount}/schedules`)
    const row = page.getByRole('row', { name: /Tenant 0\b/ })
    await row.waitFor()
    t.match(await row.innerText(), /\b86\b/, `missed runs are told at ${width} px`)
  }
  await page.goto(mount)
  await page.locator('.upcoming li').first().getByText('Tenant 2400').waitFor()
  t.same(troubles, [])
})

t.test('a search goes on by itself, says how far it is, and can be stopped', async (t) => {
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
      return { executions: at === 2 ? answer.executions.slice(0, 1) : [], nextCursor: at === 9 ? null : String(at + 1), total: { value: 1, relation: 'at_least' as const }, scanned: 5_000, complete: false }
    }
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks?search=needle`)
  await page.getByText(/^[1-9]\d % searched · 1 found$/).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  const stoppedAt = pages
  await page.getByRole('button', { name: 'Go on' }).waitFor()
  t.ok(pages <= stoppedAt + 1)
  await page.getByRole('button', { name: 'Go on' }).click()
  await waitFor('the last page', async () => pages === 10)
  await page.getByText(/searched ·/).waitFor({ state: 'detached' })
  t.equal(await page.locator('.history-body').getByRole('row').count(), 1)
  t.same(troubles, [])
})

t.test('j and k move through what is in sight, and take the open panel with them', async (t) => {
  const mount = await serve(t, healthy())
  for (const width of [1440, 900]) {
    const { page } = await openPage(t, browser, `${mount}/tasks?schedule=s-1`, { viewport: { width, height: 700 } })
    const rows = page.locator('.history-body [data-row-link]')
    await rows.nth(3).waitFor()
    await page.keyboard.press('j')
    const focused = await page.evaluate(`(() => {
      const { top, left } = document.activeElement.getBoundingClientRect()
      return document.elementFromPoint(left + 4, top + 4)?.closest('[role=row]') === document.activeElement.closest('[role=row]')
    })()`)
    t.equal(focused, true, 'the first row is not behind the header')
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
    await waitFor('the focus to be where the panel was', async () => await page.evaluate('document.activeElement.closest("[role=row]")?.getAttribute("aria-rowindex")') === '2')
    await page.context().close()
  }
})

t.test('what was cut is shown as the start of its JSON, a queue by its name, a time of the server in the zone of the reader', async (t) => {
  const monitoring = healthy()
  const health = await monitoring.health()
  const mount = await serve(t, {
    ...monitoring,
    execution: async (id) => ({ ...(await monitoring.execution(id))!, queue: 'billing%3areconcile', args: ['[{"to":"ana@example.com"'], truncated: ['/args'] }),
    health: async () => ({
      ...health, status: 'degraded', components: { ...health.components, backend: { healthy: false, message: 'It waits since 2026-11-20T08:00:00.000Z' } }
    })
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks?execution=e-1`)
  const panel = page.getByRole('dialog', { name: 'Execution' })
  t.equal(await panel.getByRole('region', { name: 'Start of the arguments' }).innerText(), '[{"to":"ana@example.com"…')
  await panel.getByText('billing:reconcile', { exact: true }).waitFor()
  t.match(await page.locator('.history .grid-head').innerText(), /Last change/)
  await page.goto(mount)
  await page.locator('.health').getByText('It waits since 20 Nov, 09:00').waitFor()
  t.same(troubles, [])
})

t.test('a wrong clock of the reader changes no time', async (t) => {
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

/** The sample with nothing that needs attention, in the last hour of which one of three failed. */
function healthy(): Monitoring {
  const monitoring = sampleMonitoring()
  return {
    ...monitoring,
    statistics: async () => ({ ...await monitoring.statistics(), activeWorkers: 1 }),
    async health() {
      const health = await monitoring.health()
      return { ...health, status: 'healthy', timestamp: Date.now(), components: { ...health.components, workers: { healthy: true, message: 'fine' } } }
    }
  }
}

function succeeding(): Monitoring['timeseries'] {
  const { timeseries } = sampleMonitoring()
  return async (query) => {
    const answer = await timeseries(query)
    return { ...answer, points: answer.points.map((point) => ({ ...point, failed: point.failed === null ? null : 0 })) }
  }
}

async function serve(t: Test, monitoring: Monitoring, options: RouterOptions = { access: 'host' }): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(createRouter({ monitoring }, options), { prefix: '/tasks' })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
}
