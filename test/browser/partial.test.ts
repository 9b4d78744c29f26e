import t from 'tap'
import { createTaskDashboardError } from '../../lib/errors.ts'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('while one store is unavailable, a list of everything shows what the other has, and says what is missing', async t => {
  const monitoring = healthy()
  let isAway = true
  let isEmpty = false
  const executions: Monitoring['executions'] = async query => {
    const page = await monitoring.executions(query)
    if (!isAway || query.status === 'failed' || query.status === 'success') return page
    if (query.status !== undefined || query.partial !== true) throw createTaskDashboardError('BROKER_UNAVAILABLE')
    const finished = isEmpty ? [] : page.executions.filter(({ finishedAt }) => finishedAt !== null)
    return { ...page, executions: finished, nextCursor: null, total: { value: finished.length, relation: 'at_least' }, missing: 'inFlight' }
  }
  const { page } = await openPage(t, browser, `${await serve(t, { ...monitoring, executions })}/executions`)
  const missing = page.getByText('Waiting and running executions are missing: the broker cannot be reached.')
  await missing.waitFor()
  await page.locator('.history-body [data-row-link]').first().waitFor()
  t.equal(await page.getByText('could not be loaded').count(), 0)

  isEmpty = true
  await page.locator('.history-body [data-row-link]').first().waitFor({ state: 'detached' })
  t.equal(await page.getByText('Nothing has run yet').count(), 0, 'the total is unknown')
  isEmpty = false
  isAway = false
  await missing.waitFor({ state: 'detached' })
  await page.locator('.history-body [data-row-link]').first().waitFor()
})
