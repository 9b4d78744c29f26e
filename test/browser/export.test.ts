import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, refuse, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

t.test('a filtered list is saved as CSV and JSON by keyboard, and the cap is stated', async t => {
  const { page, troubles } = await openPage(t, browser, `${await serve(t, healthy())}/executions?task=email%3Asend`)
  await page.getByRole('table', { name: 'Execution history' }).waitFor()
  await page.locator('.export summary').focus()
  await page.keyboard.press('Enter')
  await page.getByText('The executions of this list, 10,000 at most.').waitFor()

  const csv = await saveWith(page, 'CSV')
  t.match(csv.name, /^executions-email-send-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/)
  t.match(csv.text, /^\uFEFFexecution_id,task_name,/)
  const json = await saveWith(page, 'JSON')
  t.match(json.name, /\.json$/)
  const saved = JSON.parse(json.text) as Array<{ execution_id: string; task_name: string }>
  t.ok(saved.length > 0)
  t.same([...new Set(saved.map(({ task_name: name }) => name))], ['email:send'], 'only what the filter leaves')
  for (const { execution_id: id } of saved) t.ok(csv.text.includes(id))
  await page.getByText(`${saved.length} executions saved.`).waitFor()
  t.same(troubles, [])
})

t.test('an empty list, and one that cannot be read, save no file and say so', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${mount}/executions?task=nobody`)
  page.on('download', download => t.fail(download.suggestedFilename()))
  await page.locator('.export summary').click()
  await page.getByRole('button', { name: 'CSV' }).click()
  await page.getByText('The list is empty, so no file was saved.').waitFor()

  await page.goto(`${mount}/executions`)
  await page.getByRole('table', { name: 'Execution history' }).waitFor()
  await refuse(page, '**/api/executions**')
  await page.locator('.export summary').click()
  await page.getByRole('button', { name: 'JSON' }).click()
  await page.getByText('No file was saved: The broker cannot be reached at the moment').waitFor()
})

async function saveWith(page: Page, format: 'CSV' | 'JSON'): Promise<{ name: string; text: string }> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: format }).focus()
  await page.keyboard.press('Enter')
  const download = await saved
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}
