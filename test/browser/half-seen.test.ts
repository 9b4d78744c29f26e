import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('who may not see executions finds no link to them on the dashboard', async t => {
  const address = await serve(t, healthy(), { access: 'local', authorize: (_request, action) => !/^executions:/.test(action) })
  const { page } = await openPage(t, browser, address)
  await page.getByText('Failure groups: you do not have access.').waitFor()
  await page.getByText('Failed executions: you do not have access.').waitFor()
  await page.getByRole('region', { name: 'Over time' }).waitFor()
  t.same(await page.locator('main a[href*="executions"], main a[href*="failures"]').allInnerTexts(), [])
  t.equal(await page.getByText('new and rising ones first').count(), 0, 'an order of nothing')
})
