import t from 'tap'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)

const FIGURES = /Finished executions\s+9\b[^]*Success rate\s+55\.6 %[^]*Failure rate\s+44\.4 %[^]*Active workers\s+1\b[^]*Queue size\s+4\b/

for (const [index, prefix] of ['/', '/tasks', '/a/b/c'].entries()) {
  t.test(`the pages work under ${prefix}`, async t => {
    const mount = await shop.serve({ prefix, title: 'Shop', environment: 'production' })

    // By default each prefix gets half of the addresses.
    const take = <Value>(values: readonly Value[]) => (isSoak ? values : values.filter((_value, at) => at % 2 === index % 2))
    for (const start of take([mount, `${mount}/`])) {
      const { page, troubles } = await openPage(t, browser, start)
      await page.getByRole('heading', { level: 1, name: /executions in the last hour/ }).waitFor()
      t.equal(await page.locator('.environment').innerText(), 'production')
      await waitFor('the figures of the queue app', async () => FIGURES.test(await page.locator('.figures').innerText()))
      await waitFor('its failed executions', async () =>
        await page.getByRole('table', { name: 'Recent failed executions' }).getByRole('row').count() === 5)
      await waitFor('its next runs', async () => /Charge due invoices[^]*in \d+ m/.test(await page.locator('.upcoming').innerText()))

      await page.getByRole('link', { name: 'Tasks', exact: true }).click()
      await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: 'email:send' }).waitFor()
      t.equal(new URL(page.url()).pathname, new URL(`${mount}/tasks`).pathname)

      await page.getByRole('link', { name: 'Executions', exact: true }).click()
      await page.getByRole('table', { name: 'Execution history' }).getByText('invoices/charge').first().waitFor()
      t.equal(new URL(page.url()).pathname, new URL(`${mount}/executions`).pathname)

      await page.getByRole('link', { name: 'Schedules', exact: true }).click()
      await page.getByRole('link', { name: 'Daily report' }).waitFor()
      t.equal(new URL(page.url()).pathname, new URL(`${mount}/schedules`).pathname)

      await page.goBack()
      await page.getByRole('table', { name: 'Execution history' }).waitFor()
      t.same(troubles, [], `no errors at ${start}`)
    }

    for (const deep of take(['/tasks', '/tasks/', '/schedules/?enabled=only', '/schedules'])) {
      const { page, troubles } = await openPage(t, browser, mount + deep)
      await page.getByRole('table', { name: deep.startsWith('/tasks') ? 'Tasks' : 'Schedules' }).waitFor()
      t.same(troubles, [], `no errors at ${deep}`)
    }
  })
}

t.test('an unknown address says so and links back to the dashboard', async t => {
  const mount = await shop.serve({ prefix: '/x' })
  const { page } = await openPage(t, browser, `${mount}/no/such/page`)
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: /executions in the last hour/ }).waitFor()
  t.equal(new URL(page.url()).pathname, '/x/')
})

t.test('every action is reachable by keyboard', async t => {
  const mount = await shop.serve()
  const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
  await page.getByRole('table', { name: 'Execution history' }).locator('.history-body [data-row-link]').nth(7).waitFor()

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  t.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Search executions')
  await page.evaluate('document.activeElement.blur()')

  for (let row = 0; row < 6; row++) await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Execution' }).getByText('Timeline').waitFor()
  t.match(page.url(), /[?&]execution=/, 'the open execution is in the address')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Execution' }).waitFor({ state: 'detached' })
  t.notMatch(page.url(), /execution=/)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('daily')
  await page.getByRole('option', { name: /Daily report/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Schedule', exact: true }).getByText('Next 10 runs').waitFor()
  await page.keyboard.press('p')
  await page.getByText(/Paused since/).waitFor()
  t.same(troubles, [])
})

t.test('a chosen theme survives a reload', async t => {
  const mount = await shop.serve()
  const { page } = await openPage(t, browser, mount, { colorScheme: 'light' })
  const background = (): Promise<unknown> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const light = await background()
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  t.not(await background(), light)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  t.not(await background(), light)
})
