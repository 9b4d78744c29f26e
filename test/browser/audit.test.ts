import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve } from './calm-monitoring.ts'
import { auditOf, sampleEntries, sampleEntry } from './sample-audit.ts'

const OLDER = 120
const MINUTE_MS = 60_000
const browser = await launchBrowser(t)
const now = Date.now()
const named = sampleEntries(now)
const older = Array.from({ length: OLDER }, (_, index) => sampleEntry(now - (named.length + index) * 60 * MINUTE_MS, named.length + index))
let entries = [...named, ...older]
const mount = await serve(t, { ...healthy(), auditEntries: auditOf(() => entries) })

t.test('the log is read by keyboard alone: opened, stepped through, closed', async t => {
  const { page, troubles } = await openPage(t, browser, mount)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  await page.getByText('Entries are kept for 365 days, at most 20,000.').waitFor()
  const rows = page.getByRole('table', { name: 'Audit log' }).locator('.audit-body').getByRole('row')
  await rows.first().waitFor()
  t.match(await rows.nth(0).innerText(), /Edit schedule\s+email:send\s+Schedule s-1\s+ada\s+Done\s+Finance asked[^]*10\.0\.0\.7/)
  t.match(await rows.nth(1).innerText(), /Disable schedule\s+12 more not listed[^]*No one was signed in[^]*Refused\s+FORBIDDEN/)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Audit entry' })
  await panel.getByText('see OPS-17').waitFor()
  const changes = panel.getByRole('table', { name: 'Differences' }).getByRole('row')
  await changes.nth(3).waitFor()
  t.same(await changes.evaluateAll(each => each.map(row => (row as { innerText: string }).innerText.replace(/\s+/g, ' '))), [
    'Field Before After', 'cron "0 7 * * 1-5" "0 6 * * 1-5"', 'args[1] 1 2', 'version "3" "4"'
  ])
  await panel.getByText('PATCH /api/schedules/s-1').waitFor()
  t.same(await findViolations(page), [])
  await page.keyboard.press('j')
  await panel.getByText('12 refused writes before this are not listed.').waitFor()
  await panel.getByText('403').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(url => url.search === '')
  await panel.waitFor({ state: 'detached' })
  t.same(troubles, [])
})

t.test('filters are in the address, and links lead to what was changed and to everything about it', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/audit`)
  const rows = page.locator('.audit-body').getByRole('row')
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Refused' }).click()
  await waitFor('one refused', async () => await rows.count() === 1)
  await page.getByRole('link', { name: 'All', exact: true }).first().click()
  await page.getByLabel('Action').selectOption('Retry execution')
  await waitFor('one retry', async () => await rows.count() === 1)
  t.match(page.url(), /action=executions%3Aretry/)
  t.equal(await rows.getByRole('link', { name: 'Execution e-1' }).getAttribute('href'), '/tasks/executions?execution=e-1')
  await page.getByLabel('Who, exactly as listed').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('No entry matches').waitFor()
  await page.getByRole('link', { name: 'Show the whole log' }).click()
  await rows.first().waitFor()
  await rows.getByRole('link', { name: 'Retry execution' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'all entries about it' }).last().click()
  await page.waitForURL(/\/audit\?execution=e-1$/)
  await page.getByRole('button', { name: 'Entries about every execution' }).click()
  await page.waitForURL(/\/audit$/)
  t.same(troubles, [])
})

t.test('scrolling loads the rest; new entries wait for a click while the reader is further down', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/audit`)
  await page.locator('[data-row-link]').first().waitFor()
  await waitFor('the end of the log', async () => {
    await page.mouse.wheel(0, 20_000)
    return await page.getByText(`End of list: ${named.length + OLDER} entries.`).count() === 1
  })
  entries = [sampleEntry(now + MINUTE_MS, 999, { actor: 'grace' }), ...entries]
  await page.getByRole('button', { name: 'Show 1 new' }).waitFor()
  await page.getByRole('button', { name: 'Show 1 new' }).click()
  await waitFor('the new one', async () => /grace/.test(await page.locator('.audit-body').getByRole('row').first().innerText()))
  entries = entries.slice(1)
  t.same(troubles, [])
})

t.test('a long search continues by itself, and can be stopped and resumed', async t => {
  let asked = 0
  const slow = await serve(t, {
    ...healthy(),
    auditEntries: async () => ({
      entries: [], nextCursor: String(++asked), complete: false, kept: { maxAgeMs: 86_400_000, maxCount: 10 }
    })
  })
  const { page } = await openPage(t, browser, `${slow}/audit?actor=ada`)
  await page.getByText('Still looking. 0 found so far.').waitFor()
  await waitFor('more than one page', async () => asked > 2)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Not all entries were searched.').waitFor()
  const before = asked
  await page.getByRole('button', { name: 'Continue' }).click()
  await waitFor('more pages', async () => asked > before + 1)
})

t.test('a linked entry is found outside the list, and a missing one is reported', async t => {
  const { page } = await openPage(t, browser, `${mount}/audit?outcome=failed&entry=${named[0]!.entryId}`)
  await page.getByRole('dialog', { name: 'Audit entry' }).getByText('see OPS-17').waitFor()
  const { page: other } = await openPage(t, browser, `${mount}/audit?entry=%3Cb%3E`)
  await other.getByText('This entry is not in the log').waitFor()
})

t.test('an empty log, a failing one, a stale one and a missing right are distinguished', async t => {
  const { page: empty } = await openPage(t, browser, `${await serve(t, { ...healthy(), auditEntries: auditOf(() => []) })}/audit`)
  await empty.getByText('Nothing is recorded yet').waitFor()

  const { page } = await openPage(t, browser, `${mount}/audit`)
  await page.locator('[data-row-link]').first().waitFor()
  await refuse(page, '**/api/audit*')
  await page.locator('.stale').waitFor()
  await page.reload()
  await page.getByText('Audit log could not be loaded').waitFor()
  await page.unroute('**/api/audit*')
  await page.locator('[data-row-link]').first().waitFor()
  await refuse(page, '**/api/audit*', { status: 403, code: 'FORBIDDEN' })
  await page.goto(`${mount}/audit?actor=x`)
  await page.getByText('Audit log: you do not have access').waitFor()

  const limited = await serve(t, healthy(), { authorize: (_request, action) => action !== 'audit:view' })
  const { page: other } = await openPage(t, browser, `${limited}/audit`)
  await other.getByText('You may not open Audit').waitFor()
  t.equal(await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit' }).count(), 0)
})
