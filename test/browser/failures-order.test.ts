import t, { type Test } from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

/** Opens the failures page with this many groups. Groups that are filtered by task have their own type. */
async function openGroups(t: Test, count: number) {
  const monitoring = healthy()
  const { groups: [sample] } = await monitoring.failureGroups({})
  const now = Date.now()
  const all = Array.from({ length: count }, (_, index) => ({
    ...sample!, errorGroup: `g-${index}`, type: `Error${index}`, count: (index * 7) % count, lastSeenAt: now - index * 1_000,
    trend: Array.from({ length: 24 }, (_, hour) => (hour === 0 ? (index * 11) % count : 0))
  }))
  const failureGroups: Monitoring['failureGroups'] = async ({ cursor, limit = 50, taskName }) => {
    const start = Number(cursor ?? 0)
    const end = start + limit
    return {
      groups: all.slice(start, end).map(group => (taskName === undefined ? group : { ...group, type: `Of${taskName}` })),
      nextCursor: end < all.length ? String(end) : null, total: { value: all.length, relation: 'exact' }
    }
  }
  const address = await serve(t, { ...monitoring, failureGroups })
  const { page, troubles } = await openPage(t, browser, `${address}/failures`)
  const table = page.getByRole('table', { name: 'Failure groups' })
  const isFirst = (type: string, why: string) =>
    waitFor(why, async () => (await table.getByRole('row').nth(1).innerText()).startsWith(type))
  return { address, page, table, isFirst, troubles }
}

t.test('sorting by a column covers all failure groups, is kept in the address and works with the mouse over the list', async t => {
  const { page, table, isFirst, troubles } = await openGroups(t, 450)
  await page.getByText('450 groups, those that failed last first').waitFor()
  await isFirst('Error0', 'the latest first')

  const sorted = (how: string) => waitFor(`an ${how} order`, async () =>
    await table.getByRole('columnheader', { name: 'Failures' }).getAttribute('aria-sort') === how)
  // The mouse stays on the header, which is part of the list.
  await table.getByRole('link', { name: 'Failures' }).click()
  await page.waitForURL(/sort=-count/)
  await isFirst('Error257', 'most failures first')
  await page.getByText('450 groups', { exact: true }).waitFor()
  await sorted('descending')
  t.equal(await table.getAttribute('aria-rowcount'), '451')
  await table.getByRole('link', { name: 'Failures' }).click()
  await isFirst('Error0', 'fewest failures first')
  await sorted('ascending')

  await table.getByRole('link', { name: 'Error', exact: true }).press('Enter')
  await page.waitForURL(/sort=group/)
  await table.getByRole('link', { name: 'Error', exact: true }).press('Enter')
  await isFirst('Error449', 'by error, numbers as numbers')
  await table.getByRole('link', { name: 'Last seen' }).press('Enter')
  await isFirst('Error0', 'by time')
  await table.getByRole('link', { name: 'Last 24 hours' }).press('Enter')
  await isFirst('Error409', 'by the last 24 hours')
  await page.reload()
  await isFirst('Error409', 'the order of the address')
  t.same(troubles, [])
})

t.test('a list that is too long to be read completely is not sorted, and says so', async t => {
  const { page, table, isFirst, troubles } = await openGroups(t, 2_300)
  await table.getByRole('link', { name: 'Failures' }).click()
  await page.getByText('There are more than 2,000 groups: too many to sort here.').waitFor()
  await isFirst('Error0', 'the latest first, as the server sorts')
  t.equal(await table.getByRole('columnheader', { name: 'Failures' }).getAttribute('aria-sort'), null)
  t.same(troubles, [])
})

t.test('the groups of another filter are shown at once, even if the mouse is over the list', async t => {
  const { address, page, isFirst, troubles } = await openGroups(t, 30)
  await page.goto(`${address}/failures?task=billing`)
  await isFirst('Ofbilling', 'the groups of one task')
  await page.getByRole('button', { name: 'Show the failures of every task' }).press('Enter')
  await isFirst('Error', 'the groups of all')
  await page.locator('[data-row-link]').nth(2).hover()
  await page.goBack()
  await isFirst('Ofbilling', 'the groups of one task, under the mouse')
  t.same(troubles, [])
})
