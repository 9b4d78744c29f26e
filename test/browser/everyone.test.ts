import type { Page } from 'playwright-core'
import t from 'tap'
import type { AuditPage } from '../../schemas/index.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'
import { darken, findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'
import { HOSTILE, openShop } from './shop.ts'

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/ops/tasks' })
const { executions } = await shop.queueApp.monitoring.executions({ taskName: HOSTILE.task, limit: 1 })
// The agenda lists only enabled schedules, and the hostile one of the shop is disabled.
await shop.queueApp.operations.createSchedule({
  taskName: HOSTILE.task, timing: { intervalMs: 43_200_000, timezone: 'UTC' }, description: `twice a day ${HOSTILE.text}`
})
const schedules = await shop.queueApp.monitoring.schedules()
const hostileSchedule = schedules.find(schedule => schedule.taskName === HOSTILE.task)!
const editedSchedule = schedules.find(schedule => schedule.description === 'Weekly digest')!

await fetch(`${mount}/api/schedules/${hostileSchedule.scheduleId}/disable`, {
  method: 'PUT', headers: { 'audit-reason': encodeURIComponent(HOSTILE.text.replace('\u202e', '')) }
})
// The bulk operation deletes an execution that was created for it, so the rest of the shop stays unchanged.
const unwanted = await shop.queueApp.enqueue(HOSTILE.task, [HOSTILE.text], { delayMs: 3_600_000 })
await shop.queueApp.operations.cancelExecution(unwanted)
const { operationId } = await shop.queueApp.operations.bulk.create({
  action: 'delete', filter: { taskName: HOSTILE.task, executionIds: [unwanted] }, taskNames: [HOSTILE.task], tasksLeftOut: 0,
  reason: HOSTILE.text.replace('\u202e', '')
})
const [auditEntry] = (await (await fetch(`${mount}/api/audit`)).json() as AuditPage).items

const VIEWS = {
  dashboard: '/',
  failures: '/failures',
  'a failure group': `/failures?group=${encodeURIComponent(executions[0]!.errorGroup!)}`,
  executions: '/executions',
  tasks: '/tasks?by=prefix',
  'a task': `/tasks?name=${encodeURIComponent(HOSTILE.task)}`,
  schedules: '/schedules',
  'an execution': `/executions?execution=${encodeURIComponent(executions[0]!.executionId)}`,
  'a schedule': `/schedules?schedule=${encodeURIComponent(hostileSchedule.scheduleId)}`,
  'an edited schedule': `/schedules?schedule=${encodeURIComponent(editedSchedule.scheduleId)}`,
  'the composer': '/schedules?new=1',
  'the composer of an edit': `/schedules?schedule=${encodeURIComponent(hostileSchedule.scheduleId)}&edit=1`,
  workers: '/workers',
  'the audit log': '/audit',
  'an audit entry': `/audit?entry=${auditEntry!.entry_id}`,
  'bulk operations': '/bulk',
  'a bulk operation': `/bulk?operation=${operationId}`,
  'the agenda': '/schedules/agenda',
  'the agenda of a week': '/schedules/agenda?days=7'
}

/** It shows an error on purpose. */
const MISREAD = { 'a search that cannot be read': '/executions?search=stauts:failed' }

// Each view is loaded in the same window: opening another window takes as long as checking the view.
const { page, troubles } = await openPage(t, browser, mount, { reducedMotion: 'reduce' })

for (const [name, path] of Object.entries({ ...VIEWS, ...MISREAD })) {
  t.test(`hostile names and values are rendered as plain text in ${name}, and axe finds no violation in both themes`, async t => {
    troubles.length = 0
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(mount + path)
    await untilSeen(page, name)
    if (!(name in MISREAD)) {
      t.equal(await page.locator('img, svg[onload], [onerror]').count(), 0)
      t.match(await page.locator('body').textContent(), HOSTILE.task)
      t.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'nothing overflows')
      t.same(troubles, [])
    }
    t.same(await findViolations(page), [], 'light')
    await darken(page)
    t.same(await findViolations(page, 'contrast'), [], 'dark')
  })

  // A theme changes only colours, which were checked above.
  if (isSoak) {
    t.test(`axe finds no violation in ${name}, opened in the dark`, async t => {
      const { page } = await openPage(t, browser, mount + path, { colorScheme: 'dark', reducedMotion: 'reduce' })
      await untilSeen(page, name)
      t.same(await findViolations(page), [])
    })
  }
}

t.test('hostile execution ids in the address get a readable error', async t => {
  for (const id of ['..', '.', '</script>', '%', '\u0000', 'x'.repeat(5_000), '\ud800']) {
    const { page, troubles } = await openPage(t, browser, `${mount}/executions`)
    await page.evaluate(`history.pushState(null, '', location.pathname + '?' + new URLSearchParams({ execution: ${JSON.stringify(id)} }))`)
    await page.getByText(/^This execution (could not be loaded|does not exist)$/).waitFor()
    t.same(troubles.filter(trouble => !/40\d|414|431/.test(trouble)), [], JSON.stringify(id.slice(0, 20)))
    // Pages left open keep polling.
    await page.context().close()
  }
})

async function untilSeen(page: Page, name: string): Promise<void> {
  if (name in MISREAD) return page.getByRole('alert').waitFor()
  await page.locator(name === 'a bulk operation' ? '.bulk-facts' : '[data-row-link]').first().waitFor()
  // A panel or a composer loads separately, after its page.
  const dialogs = /[?&](?:execution|schedule|entry|new)=/.test(page.url()) ? page.url().includes('edit=1') ? 2 : 1 : 0
  await waitFor('the panel', async () => await page.getByRole('dialog').count() >= dialogs)
  await waitFor('no skeleton', async () => await page.locator('.skeleton-row, .skeleton-text').count() === 0)
}
