import t from 'tap'
import type { Session } from '../../schemas/index.ts'
import { mayOpen } from '../../ui/src/format/places/routes.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('the dashboard has no links to executions for users who may not see them', async t => {
  const address = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => !/^executions:/.test(action) })
  const { page } = await openPage(t, browser, address)
  await page.getByText('Failure groups: you do not have access.').waitFor()
  await page.getByText('Failed executions: you do not have access.').waitFor()
  await page.getByRole('region', { name: 'Over time' }).waitFor()
  t.same(await page.locator('main a[href*="executions"], main a[href*="failures"]').allInnerTexts(), [])
  t.equal(await page.getByText('new and rising ones first').count(), 0, 'there is nothing to order')
})

t.test('data that the session lists as refused is not requested', async t => {
  for (const [right, paths] of [
    ['stats:view', ['/', '/failures', '/executions']], ['tasks:view', ['/executions', '/schedules?new=1']],
    ['executions:view', ['/', '/tasks']], ['schedules:view', ['/', '/tasks']], ['queues:view', ['/', '/workers']]
  ] as const) {
    const mount = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => action !== right })
    const { page, troubles } = await openPage(t, browser, 'about:blank')
    const refused: string[] = []
    page.on('response', response => { if (response.status() === 403) refused.push(new URL(response.url()).pathname) })
    for (const path of paths) {
      await page.goto(mount + path)
      await page.locator('main h1, main h2').first().waitFor()
      // Some requests follow only after the first responses, and all of them are repeated, so wait for two polls.
      for (let count = 0; count < 2; count++) await page.waitForResponse('**/api/health')
      t.same(refused, [], `without ${right} on ${path}`)
    }
    t.same(troubles.filter(each => !each.startsWith('other origin')), [])
    await page.context().close()
  }
})

t.test('the palette offers no page that the reader may not open', async t => {
  const address = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => !/^executions:/.test(action) })
  const { page } = await openPage(t, browser, address)
  await page.locator('main h2').first().waitFor()
  await page.keyboard.press('Control+k')
  const find = page.getByRole('combobox', { name: 'Find' })
  for (const text of ['', 'failed', '01890a5d-ac96-774b-bcce-b302099a8057']) {
    await find.fill(text)
    await page.getByText(/^Searching/).waitFor({ state: 'detached' })
    const found = page.getByRole('option').filter({ hasText: /^(?:Executions|Failures)\s*Page|Filter$|Open execution$/ })
    t.same(await found.allInnerTexts(), [], text)
  }
})

t.test('no page has a link to one that the reader may not open', async t => {
  for (const [right, pages] of [
    ['executions:view', ['/tasks', '/workers', '/tasks?name=email%3Asend', '/bulk?operation=0190', '/audit']],
    ['tasks:view', ['/workers', '/schedules?schedule=s-1', '/audit']],
    ['workers:view', ['/executions?execution=e-1']],
    ['schedules:view', ['/executions?execution=e-1', '/audit']]
  ] as const) {
    const mount = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => action !== right })
    const { actions } = await (await fetch(`${mount}/api/session`)).json() as Session
    const { page } = await openPage(t, browser, 'about:blank')
    for (const path of pages) {
      await page.goto(mount + path)
      await page.locator('main h1').waitFor()
      await page.waitForLoadState('networkidle')
      const links = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map(each => each.getAttribute("href"))')
      t.same(links.filter(href => !mayOpen(href.slice(new URL(mount).pathname.length) || '/', actions)), [], `without ${right} on ${path}`)
    }
    await page.context().close()
  }
})

t.test('the page is shown as live even to users who may not see the health of the app', async t => {
  const mount = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => action !== 'health:view' })
  const { page } = await openPage(t, browser, `${mount}/tasks`)
  for (let count = 0; count < 2; count++) await page.waitForResponse('**/api/health')
  t.equal(await page.locator('.connection').innerText(), 'Live')
})

t.test('after a right was taken away, what was read with it is gone, until the right is back', async t => {
  const taken = new Set<string>()
  const mount = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => !taken.has(action) })
  const open = async (path: string) => (await openPage(t, browser, mount + path)).page
  const [dashboard, executions] = [await open(''), await open('/executions')]
  const figures = dashboard.getByText('1,000 finished')
  const rows = executions.locator('.history-body [data-row-link]')
  await Promise.all([figures.waitFor(), rows.first().waitFor()])
  for (const action of ['stats:view', 'executions:view']) taken.add(action)
  await Promise.all([figures.waitFor({ state: 'detached' }), executions.getByText('You may not open Executions').waitFor()])
  t.equal(await rows.count(), 0)
  await dashboard.getByText('Failed executions: you do not have access.').waitFor()
  taken.clear()
  await Promise.all([dashboard.reload(), executions.reload()])
  await Promise.all([figures.waitFor(), rows.first().waitFor()])
})

t.test('a reader who loses every right, even the one to see their rights, causes only a few requests', async t => {
  let isAllowed = true
  const mount = await serve(t, healthy(), { access: 'local', authorize: () => isAllowed })
  const { page } = await openPage(t, browser, mount)
  await page.getByText('1,000 finished').waitFor()
  let requests = 0
  page.on('request', () => { requests++ })
  isAllowed = false
  await page.getByText('you do not have access').first().waitFor()
  const before = requests
  await page.waitForTimeout(3_000)
  t.ok(requests - before < 40, `${requests - before} requests in three seconds`)
  t.equal(await page.getByText('1,000 finished').count(), 0)
})

t.test('a list under the mouse goes away with the right to see it', async t => {
  const taken = new Set<string>()
  const mount = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => !taken.has(action) })
  const { page } = await openPage(t, browser, mount)
  const rows = page.getByRole('table', { name: 'Failure groups' }).locator('[data-row-link]')
  await rows.first().hover()
  taken.add('executions:view')
  await page.getByText('Failure groups: you do not have access.').waitFor()
  t.equal(await rows.count(), 0)
})

t.test('a host that refuses with an error of its own also takes along what was read before', async t => {
  let isAllowed = true
  const mount = await serve(t, healthy(), {
    access: 'local',
    authorize(_request, action) {
      if (!isAllowed && action === 'executions:view') throw Object.assign(new Error('not any more'), { statusCode: 403 })
      return true
    }
  })
  const { page } = await openPage(t, browser, `${mount}/executions`)
  const rows = page.locator('.history-body [data-row-link]')
  await rows.first().waitFor()
  isAllowed = false
  await rows.first().waitFor({ state: 'detached' })
  t.equal(await rows.count(), 0)
})
