import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { sampleQueue, sampleWorkers } from '../dashboard/sample-workers.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve } from './calm-monitoring.ts'

const TASKS = ['email:send', 'reports/daily', 'executions']
const browser = await launchBrowser(t)
const monitoring = {
  ...healthy(),
  workers: async () => sampleWorkers(Date.now(), TASKS),
  queues: async () => TASKS.map(sampleQueue)
}
const mount = await serve(t, monitoring)

t.test('the page shows what each worker runs, and marks silent workers and unknown values', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workers' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await page.waitForURL(/\/workers$/)
  await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor()
  await page.getByText('1 worker, 1 silent').waitFor()
  const rows = page.getByRole('table', { name: 'Workers' }).locator('.workers-body').getByRole('row')
  await waitFor('two workers', async () => await rows.count() === 2)
  const silent = await rows.first().innerText()
  t.match(silent, /^host:2:cd\s+<\/script>\s+Silent/, 'which comes first')
  t.equal(await rows.first().locator('.unknown').count(), 4, 'what it runs, its memory, its version and its last report are not known')
  t.equal(await rows.first().locator('.status-success').count(), 0)
  t.match(await rows.nth(1).innerText(), /^host · 1\s+shop\s+Alive\s+1 execution\s+<\/script>[^]*3\s+(59 s|1 m) ago\s+61\.0 MB\s+0\.1\.0/)
  t.equal(await rows.nth(1).getByRole('link', { name: '</script>' }).getAttribute('href'), '/tasks/executions?execution=%3Ci%3E')
  await rows.nth(1).getByRole('link', { name: 'host · 1' }).click()
  await page.waitForURL(/\/executions\?worker=host%3A1%3Aab$/)
  t.same(troubles, [])
})

t.test('queues show state and utilisation and link to their task; sorting and searching are kept in the address', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  const rows = page.getByRole('table', { name: 'Queues' }).locator('.queues-body').getByRole('row')
  await waitFor('three queues', async () => await rows.count() === 3)
  t.match(await rows.nth(0).innerText(), /^email:send\s+Running\s+3\s+1\s+1\.2 s\s+0\.5\s+1\s+50\.0 %\s+5 per 1 m/)
  t.match(await rows.nth(1).innerText(), /^reports\/daily\s+Paused/)
  t.match(await rows.nth(1).locator('.unknown').getAttribute('title'), 'No worker runs this task')
  t.match(await rows.nth(2).locator('.unknown').getAttribute('title'), 'does not report')
  await page.getByRole('table', { name: 'Queues' }).getByRole('link', { name: 'In use' }).click()
  await page.waitForURL(/queues=-utilisation/)
  await page.getByRole('searchbox', { name: 'Search workers and queues' }).fill('executions')
  await waitFor('one queue', async () => await rows.count() === 1)
  await page.reload()
  await waitFor('the same queue', async () => await rows.count() === 1)
  t.match(page.url(), /find=executions/)
  await rows.getByRole('link', { name: 'executions' }).click()
  await page.waitForURL(/\/tasks\?name=executions$/)
  t.same(troubles, [])
})

t.test('without a worker, the page says how to start one', async t => {
  const address = await serve(t, { ...monitoring, workers: async () => [], queues: async () => [] })
  const { page, troubles } = await openPage(t, browser, `${address}/workers`)
  await page.getByText('No process runs tasks').waitFor()
  t.match(await page.getByRole('region', { name: 'How to start a worker' }).innerText(), /await queueApp\.run\(\)/)
  t.same(troubles, [])
})

t.test('if one list fails, the other stays, and readers without access to a list are told so', async t => {
  const { page } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('table', { name: 'Queues' }).waitFor()
  await refuse(page, '**/api/workers')
  await page.reload()
  await page.getByText('Workers could not be loaded').waitFor()
  await page.getByRole('table', { name: 'Queues' }).waitFor()

  const limited = await serve(t, monitoring, { authorize: (_request, action) => action !== 'queues:view' })
  const { page: other } = await openPage(t, browser, `${limited}/workers`)
  await other.getByText('Queues: you do not have access.').waitFor()
  await other.getByRole('table', { name: 'Workers' }).waitFor()
})

t.test('on a phone, a worker and a queue have two lines, and nothing overflows', async t => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, troubles } = await openPage(t, browser, `${mount}/workers`, { viewport: { width: 375, height: 812 }, colorScheme })
    const row = page.locator('.workers-body').getByRole('row').nth(1)
    await row.waitFor()
    t.match(await row.innerText(), /^host · 1\s+Alive\s+1 execution\s+(?:now|\d s ago)$/)
    const queue = await page.locator('.queues-body').getByRole('row').first().innerText()
    t.match(queue, /^email:send\s+Running\s+3 waiting\s+1 running\s+50\.0 %\s+Limit…\s+Pause…$/)
    t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    const tab = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workers' }).boundingBox()
    t.ok(tab!.x + tab!.width <= 375, 'the current page is in sight in the header')
    t.same(troubles, [])
  }
})
