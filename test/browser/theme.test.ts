import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, type DashboardOptions } from '../../lib/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { darken, findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="teal"/></svg>'
const TEXT = '</script>Back to <b>the shop'

const shop = await openShop(t)
const browser = await launchBrowser(t)

/** A host with a logo, and a page that shows the dashboard in a frame. */
async function serve(options: Omit<DashboardOptions, 'queueApp'>): Promise<string> {
  const host = fastify()
  host.get('/logo.svg', (_request, reply) => reply.type('image/svg+xml').send(LOGO))
  host.get('/portal', (_request, reply) => reply.type('text/html').send('<iframe src="/tasks" width="900" height="700"></iframe>'))
  await host.register(dashboardPlugin, { ...options, prefix: '/tasks', queueApp: shop.queueApp })
  const address = await host.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => host.close())
  return address
}

const address = await serve({
  title: 'Shop', environment: 'canary', frameAncestors: ['self'],
  interface: {
    logo: '/logo.svg', accent: '#ffd400', environmentColour: '#0a0', backLink: { href: '/portal', text: TEXT }, defaultTheme: 'dark'
  }
})

t.test('the host sets logo, colours, back link and theme', async t => {
  const { page, troubles } = await openPage(t, browser, `${address}/tasks/schedules?new=1`, { colorScheme: 'light' })
  await page.getByRole('link', { name: TEXT }).waitFor()
  await page.waitForFunction('document.querySelector(".brand-logo").naturalWidth > 0')
  t.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(236, 236, 238)', 'dark by default')
  t.equal(await page.evaluate('getComputedStyle(document.querySelector(".environment")).backgroundColor'), 'rgb(0, 170, 0)')
  t.equal(await page.evaluate('getComputedStyle(document.querySelector(".environment")).color'), 'rgb(0, 0, 0)')
  // The form for a new schedule is a separate script, which loads after the header.
  await page.locator('.button-primary').first().waitFor()
  t.equal(await page.evaluate('getComputedStyle(document.querySelector(".button-primary")).color'), 'rgb(0, 0, 0)', 'black on yellow')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).waitFor()
  t.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(27, 28, 31)')
  await page.reload()
  await page.getByRole('button', { name: 'Theme: light' }).waitFor()
  t.same(troubles, [], "the reader's choice is kept, and the policy refused nothing")
})

t.test("axe finds no violation with a host's colours, in both themes", async t => {
  const themed = await serve({ environment: 'canary', interface: { accent: '#ffd400', environmentColour: '#777' } })
  for (const path of ['/', '/tasks?status=failed', '/schedules?new=1']) {
    const { page } = await openPage(t, browser, `${themed}/tasks${path}`, { colorScheme: 'light', reducedMotion: 'reduce' })
    await page.locator('[data-row-link]').first().waitFor()
    // The composer loads separately, after the list behind it.
    if (path.includes('new=')) await page.getByRole('dialog').waitFor()
    await page.waitForFunction('document.querySelector(".skeleton-row, .skeleton-text") === null')
    t.same(await findViolations(page), [], `${path}, light`)
    await darken(page)
    t.same(await findViolations(page, 'contrast'), [], `${path}, dark`)
  }
})

t.test('on a phone the header has two rows and everything fits in', async t => {
  const { page } = await openPage(t, browser, `${address}/tasks`, { viewport: { width: 375, height: 700 } })
  await page.getByRole('link', { name: TEXT }).waitFor()
  t.equal(await page.evaluate('document.querySelector(".header").offsetHeight'), 84)
  t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
})

t.test('only a page that the host allows can frame the dashboard', async t => {
  const { page } = await openPage(t, browser, `${address}/portal`)
  await page.frameLocator('iframe').getByRole('navigation', { name: 'Pages' }).waitFor()
  // Another origin, because its host name differs.
  const other = address.replace('127.0.0.1', 'localhost')
  const closed = await serve({})
  for (const refused of [`${closed}/portal`, `${other}/portal`]) {
    const { page, troubles } = await openPage(t, browser, refused)
    if (refused.startsWith(other)) await page.evaluate(`document.querySelector('iframe').src = '${address}/tasks'`)
    await waitFor(`the refusal of ${refused}`, async () => /frame-ancestors|X-Frame-Options/.test(troubles.join('\n')))
  }
})
