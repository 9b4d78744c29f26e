import t from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve } from './calm-monitoring.ts'
import { openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/ops' })

t.test('a group of failures shows its error, first and last time, tasks, stack and executions, ' +
  'and one click lists the oldest first', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  await page.getByRole('link', { name: 'Failures', exact: true }).click()
  await page.getByRole('table', { name: 'Failure groups' }).getByRole('link', { name: /RangeError/ }).click()
  await page.waitForURL(/\/ops\/failures\?group=/)
  await page.getByRole('heading', { level: 1, name: 'Failures RangeError' }).waitFor()
  for (const [part, text] of [
    [page.getByRole('region', { name: 'Error message' }), /invoice \d has no customer/],
    [page.locator('.group-facts'), /Failures\s+3\b[^]*First seen[^]*Last seen[^]*Tasks\s+invoices\/charge 3[^]*24 hours/],
    [page.getByRole('region', { name: 'Stack of the last failure' }), /RangeError: invoice \d has no customer\s+at .*shop\.ts/]
  ] as const) await waitFor(String(text), async () => text.test(await part.innerText()))
  const rows = page.locator('.history-body').getByRole('row')
  await waitFor('its 3 executions', async () => await rows.count() === 3)

  const hrefs = async () =>
    Promise.all((await rows.getByRole('link').all()).map(async link =>
      /execution=([^&]+)/.exec(await link.getAttribute('href') ?? '')?.[1]))
  const newestFirst = await hrefs()
  await page.getByRole('button', { name: 'Oldest first' }).click()
  await page.waitForURL(/order=oldest/)
  await waitFor('the oldest to be first', async () => (await hrefs()).join() === newestFirst.toReversed().join())

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Execution' })
  await panel.getByText('Timeline').waitFor()
  await panel.getByRole('link', { name: '2 others like this' }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  t.match(page.url(), /\/failures\?group=.*order=oldest/, 'the panel is closed, the group is still open')
  await page.locator('h1').getByRole('link', { name: 'Failures' }).click()
  await page.getByRole('table', { name: 'Failure groups' }).waitFor()
  t.same(troubles, [])
})

t.test('a group is copied as Markdown, including its address', async t => {
  const { page } = await openPage(t, browser, `${mount}/failures`, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('link', { name: /RangeError/ }).click()
  await page.getByRole('region', { name: 'Stack of the last failure' }).waitFor()
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await page.getByText('Copied').waitFor()
  const text = String(await page.evaluate('navigator.clipboard.readText()'))
  t.match(text, /^### `RangeError` in `invoices\/charge`\n\n```\ninvoice \d has no customer\n```/)
  t.match(text, `- ${page.url()}\n`)
  t.match(text, /Stack of the last failure:\n\n```\nRangeError/)
})

t.test("a paged list of groups says how many there are, keeps the server's order and loads more at a click", async t => {
  const monitoring = healthy()
  const { groups: [sample] } = await monitoring.failureGroups({})
  const all = Array.from({ length: 450 }, (_, index) => ({
    ...sample!, errorGroup: `g-${index}`, type: `Error${index}`, count: index, lastSeenAt: Date.now() - index * 1_000
  }))
  const failureGroups: Monitoring['failureGroups'] = async ({ errorGroup, cursor, limit = 50 }) => {
    const found = errorGroup === undefined ? all : all.filter(group => group.errorGroup === errorGroup)
    const start = Number(cursor ?? 0)
    const end = start + limit
    return {
      groups: found.slice(start, end), nextCursor: end < found.length ? String(end) : null,
      total: { value: found.length, relation: 'exact' }
    }
  }
  const address = await serve(t, { ...monitoring, failureGroups })
  const { page, troubles } = await openPage(t, browser, `${address}/failures`)
  await page.getByText('450 groups, those that failed last first').waitFor()
  const table = page.getByRole('table', { name: 'Failure groups' })
  const links = table.locator('[data-row-link]')
  t.match(await links.first().innerText(), /^Error0\b/)
  await page.getByRole('button', { name: 'Show more than these 200 groups' }).click()
  await page.getByRole('button', { name: 'Show more than these 400 groups' }).click()
  await page.getByText('450 groups, new and rising ones first').waitFor()
  t.equal(await table.getAttribute('aria-rowcount'), '451')
  await page.evaluate('scrollTo(0, 0)')
  await waitFor('the whole list to be sorted', async () => (await links.first().innerText()).startsWith('Error449'))

  await page.goto(`${address}/failures?group=g-449`)
  await page.getByRole('heading', { level: 1, name: 'Failures Error449' }).waitFor()
  await page.goto(`${address}/failures?group=no-such-group`)
  await page.getByText('No failure group has this id.').waitFor()
  await page.getByText('None of its executions is kept.').waitFor()
  t.same(troubles, [])
})

t.test('an outage is never shown as "no failures", and the failures appear by themselves afterwards', async t => {
  const address = await serve(t, healthy())
  for (const [path, heading] of [['/failures', 'Failures'], ['/failures?group=abc', 'Failures TypeError']] as const) {
    const { page } = await openPage(t, browser, 'about:blank')
    await refuse(page, '**/api/**')
    await page.goto(address + path)
    await page.getByText(/^(Failures|This failure group) could not be loaded$/).waitFor()
    t.equal(await page.getByText(/No open failures|No failure group/).count(), 0)
    await page.unroute('**/api/**')
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await page.locator('[data-row-link]').first().waitFor()
    await page.context().close()
  }
  const pruned = await serve(t, {
    ...healthy(), failureGroups: async () => ({ groups: [], nextCursor: null, total: { value: 0, relation: 'exact' } })
  })
  const { page } = await openPage(t, browser, `${pruned}/failures`)
  await page.getByText('No open failures in the last 24 hours').waitFor()
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByText('No open failures', { exact: true }).waitFor()
})

t.test('a retried failure in a list shows the status of its retry and links to it', async t => {
  const monitoring = healthy()
  const original = (await monitoring.execution('e-1'))!
  const retries = new Map([['e-1', { ...original, executionId: 'e-again', status: 'running' as const, finishedAt: null }]])
  const address = await serve(t, {
    ...monitoring,
    async executions({ from: _any, ...query }) {
      const page = await monitoring.executions(query)
      return { ...page, retries, executions: page.executions.map(each => ({ ...each, finishedAt: Date.now() })) }
    }
  })
  for (const [path, list] of [['/executions?status=failed', '.history-body'], ['/', '.failures-body']] as const) {
    for (const width of [1440, 375]) {
      const { page } = await openPage(t, browser, address + path, { viewport: { width, height: 900 } })
      const mark = page.locator(list).getByRole('link', { name: 'retried: Running' })
      await mark.waitFor()
      t.equal(await page.locator(list).getByText(/^retried/).count(), 1, 'only in the row of that failure')
      await mark.click()
      await page.waitForURL(/\/executions\?.*execution=e-again$/)
      await page.context().close()
    }
  }
  const { page: german } = await openPage(t, browser, `${address}/executions?status=failed`, { locale: 'de-DE' })
  await german.getByRole('link', { name: 'wiederholt: Laufend' }).waitFor()
})
