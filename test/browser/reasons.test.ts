import t from 'tap'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const REASON = 'Größe & 100 % – OPS-17'
const browser = await launchBrowser(t)
const isPut = (method: string) => method === 'PUT' || method === 'DELETE' || method === 'POST'

t.test('if a reason is required, the dialogs to disable, run and delete a schedule ask for it and send it', async t => {
  const mount = await serve(t, healthy(), {
    access: 'host', requireReason: ['schedules:disable', 'schedules:run', 'schedules:delete']
  })
  const { page, troubles } = await openPage(t, browser, `${mount}/schedules?schedule=s-1`)
  const sent: string[] = []
  page.on('request', request => {
    if (isPut(request.method())) sent.push(`${request.method()} ${decodeURIComponent(request.headers()['audit-reason'] ?? 'none')}`)
  })
  await page.getByRole('switch').first().focus()
  await page.keyboard.press('Space')
  const dialog = page.getByRole('dialog', { name: 'Disable this schedule?' })
  t.equal(await dialog.getByRole('button', { name: 'Disable it' }).isDisabled(), true)
  t.same(await findViolations(page), [])
  await page.keyboard.type(REASON)
  await page.keyboard.press('Enter')
  await waitFor('the disable request to be sent', async () => sent.length === 1)

  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await untilFocused(panel.getByRole('textbox'))
  await page.keyboard.type('   ')
  t.equal(await panel.getByRole('button', { name: 'Run it now' }).isDisabled(), true, 'spaces are no reason')
  await page.keyboard.type(REASON)
  await panel.getByRole('button', { name: 'Run it now' }).click()
  await waitFor('the run to be sent', async () => sent.length === 2)

  await panel.getByRole('button', { name: 'Delete…' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete this schedule?' })
  await deletion.getByRole('textbox').first().fill('email:send')
  t.equal(await deletion.getByRole('button', { name: 'Delete', exact: false }).last().isDisabled(), true)
  await deletion.getByLabel('Reason').fill(REASON)
  await page.keyboard.press('Enter')
  await waitFor('the deletion to be sent', async () => sent.length === 3)
  t.same(sent, [`PUT ${REASON}`, `POST ${REASON}`, `DELETE ${REASON}`])
  t.same(troubles.filter(trouble => !/404/.test(trouble)), [])
})

t.test('if no reason is required, only the deletion offers a field for one, and panels link to the audit log', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${mount}/schedules?schedule=s-1`)
  const panel = page.getByRole('dialog', { name: 'Schedule', exact: true })
  t.equal(await panel.getByRole('link', { name: 'in the audit log' }).getAttribute('href'), '/tasks/audit?schedule=s-1')
  await panel.getByRole('button', { name: 'Run now…' }).click()
  await panel.getByRole('button', { name: 'Run it now' }).waitFor()
  t.equal(await page.getByLabel('Reason').count(), 0)
  await panel.getByRole('button', { name: 'Delete…' }).click()
  await page.getByText('Add a reason').click()
  await page.getByLabel('Reason (optional)').waitFor()

  const limited = await serve(t, healthy(), { authorize: (_request, action) => action !== 'audit:view' })
  const { page: other } = await openPage(t, browser, `${limited}/schedules?schedule=s-1`)
  await other.getByRole('dialog', { name: 'Schedule', exact: true }).getByText('Changed', { exact: true }).waitFor()
  t.equal(await other.getByRole('link', { name: 'in the audit log' }).count(), 0)
})
