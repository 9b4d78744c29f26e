import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const UNAVAILABLE = {
  type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'The broker cannot be reached at the moment', instance: '/',
  code: 'BROKER_UNAVAILABLE'
}

t.test('figures update by themselves, and stop while paused', async t => {
  const { page } = await openPage(t, browser, mount)
  const total = page.locator('.figure', { hasText: 'Finished executions' }).locator('.figure-value')
  await waitFor('the first figure', async () => await total.innerText() === '9')
  await shop.queueApp.enqueue('email:send', ['live@example.com', 'Live'])
  await waitFor('the new execution', async () => await total.innerText() === '10')

  await page.keyboard.press('p')
  await page.getByText(/Paused since/).waitFor()
  const asked: string[] = []
  // Requests already under way when it was paused may still finish.
  await page.waitForLoadState('networkidle')
  page.on('request', request => asked.push(request.url()))
  await page.waitForTimeout(5_000)
  t.same(asked, [])
  await page.keyboard.press('p')
  await waitFor('polling to continue', async () => asked.length > 0)
})

t.test('an outage is reported with its start, old figures are marked as stale, and it recovers by itself', async t => {
  const { page } = await openPage(t, browser, mount)
  await page.getByRole('heading', { level: 1, name: /executions in the last hour/ }).waitFor()
  await page.locator('.failures').waitFor()

  await page.route('**/api/**', async route => {
    if (!route.request().url().includes('/api/health')) {
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(UNAVAILABLE) })
      return
    }
    const health = await (await route.fetch()).json() as { components: Record<string, object> }
    const broker = { healthy: false, message: 'cannot be reached' }
    await route.fulfill({
      status: 503, json: { ...health, healthy: false, status: 'unhealthy', components: { ...health.components, broker } }
    })
  })
  await page.getByRole('heading', { level: 1, name: /Broker unreachable since \d\d:\d\d/ }).waitFor()
  await page.getByText(/Figures below are from \d\d:\d\d/).waitFor()
  await page.locator('.stats.is-stale').waitFor()
  await page.getByText('Not live').waitFor()
  await page.getByRole('region', { name: 'Recent failed executions' }).getByText(/^from \d\d:\d\d$/).waitFor()
  t.equal(
    await page.locator('.figure', { hasText: 'Queue size' }).locator('.figure-value').innerText(), '4',
    'never a zero instead of an unknown value'
  )

  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await page.getByText('Tasks could not be loaded').waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('table', { name: 'Tasks' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
})

t.test('thousands of executions render only a few rows, and new ones wait for a click', async t => {
  await shop.queueApp.enqueueMany('email:send', Array.from({ length: 350 }, (_, index) => [`bulk-${index}@example.com`, 'Bulk'] as const))
  await waitFor('all of them to finish', async () =>
    (await shop.queueApp.monitoring.executions({ status: 'success', limit: 1 })).total.value >= 355)
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?status=success`)
  await page.locator('.history-body').getByRole('row').first().waitFor()
  await page.mouse.move(700, 700)
  await waitFor('the end of the list', async () => {
    await page.mouse.wheel(0, 4_000)
    return await page.getByText(/^End of list: 3\d\d executions\.$/).count() === 1
  })
  t.ok(await page.locator('.history-body').getByRole('row').count() < 80, 'only rows in view exist in the DOM')

  await shop.queueApp.enqueue('email:send', ['new@example.com', 'New'])
  const news = page.getByRole('button', { name: '1 new · show' })
  await news.waitFor({ state: 'attached' })
  await page.evaluate('scrollTo(0, 0)')
  await news.click()
  await news.waitFor({ state: 'detached' })
  t.same(troubles, [])
})

t.test('on a phone the header has two rows in every state', async t => {
  const named = await shop.serve({
    prefix: '/named', title: 'The queue app of a company with a long name', environment: 'production-eu-west-1'
  })
  const { page } = await openPage(t, browser, `${named}/schedules`, { viewport: { width: 375, height: 700 } })
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  await page.route('**/api/**', route => route.abort())
  await page.getByText(/^No answer since \d\d:\d\d$/).waitFor()
  for (const part of ['.brand', '.header-tools', '.tabs']) {
    const box = await page.locator(part).boundingBox()
    t.ok(
      box && box.y >= 0 && box.y + box.height <= 85 && box.x >= 0 && box.x + box.width <= 375, `${part} is in view: ${JSON.stringify(box)}`
    )
  }
})

t.test('on a phone, a signed-out reader sees the problem beside the name, and how to sign in again', async t => {
  const named = await shop.serve({ prefix: '/signed-out', title: 'The queue app of a company', environment: 'production-eu-west-1' })
  for (const locale of ['en', 'de']) {
    const { page } = await openPage(t, browser, `${named}/schedules`, { viewport: { width: 375, height: 700 }, locale })
    await page.getByRole('table').first().waitFor()
    await page.route('**/api/**', route =>
      route.fulfill({ status: 401, json: { status: 401, detail: 'Sign in', code: 'UNAUTHENTICATED' } }))
    await page.getByRole('button', { name: /^(Sign in again|Erneut anmelden)$/ }).waitFor()
    const [brand, lost] = [await page.locator('.brand').boundingBox(), await page.locator('.connection-lost i').boundingBox()]
    t.ok(brand!.x + brand!.width <= lost!.x, `the name ends before the mark: ${JSON.stringify([brand, lost])}`)
    t.ok(brand!.width >= 60, 'there is room for the name')
    await page.context().close()
  }
})

t.test('every page tells readers that they are signed out, and how to sign in again', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  await page.route('**/api/**', route =>
    route.fulfill({ status: 401, json: { status: 401, detail: 'Sign in', code: 'UNAUTHENTICATED' } }))
  await page.getByText('Signed out', { exact: true }).waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
})

t.test('a session that ends while a page is open leaves it readable, links to the sign-in and recovers by itself', async t => {
  const signedIn = new Map([['session', true]])
  const identify = () => (signedIn.get('session') ? { id: 'u-17', name: 'Ana Silva' } : null)
  const session = await shop.serve({
    prefix: '/session', authorize: () => signedIn.get('session') === true, identify, signInUrl: '/login?return_to={return}'
  })
  const { page } = await openPage(t, browser, `${session}/schedules?search=a`)
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  t.equal(await page.locator('.user bdi').innerText(), 'Ana Silva')

  signedIn.set('session', false)
  await page.getByText('Signed out', { exact: true }).waitFor()
  t.ok(await page.getByRole('table', { name: 'Schedules' }).isVisible(), 'what was loaded stays visible')
  t.equal(await page.getByText('Live', { exact: true }).count(), 0)
  t.equal(
    await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href'), '/login?return_to=%2Fsession%2Fschedules%3Fsearch%3Da'
  )
  signedIn.set('session', true)
  await page.getByText('Live', { exact: true }).waitFor()

  signedIn.set('session', false)
  const { page: fresh } = await openPage(t, browser, `${session}/schedules?search=a`)
  await fresh.getByRole('heading', { name: 'Sign in to see this dashboard' }).waitFor()
  t.equal(await fresh.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/login?return_to=%2Fsession%2Fschedules%3Fsearch%3Da')
})

t.test('a host that redirects signed-out requests to its sign-in page is shown as signed out, not as unreachable', async t => {
  const { page } = await openPage(t, browser, `${mount}/schedules`)
  await page.getByRole('table', { name: 'Schedules' }).waitFor()
  await page.route('**/api/**', route => route.fulfill({ status: 302, headers: { location: 'https://sign-in.example.com/' } }))
  await page.getByText('Signed out', { exact: true }).waitFor()
})
