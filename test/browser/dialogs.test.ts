import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy())

t.test('a text that is selected with the mouse beyond the edge of its dialog stays, and a click outside closes the dialog', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/workers`)
  await page.getByRole('button', { name: /^Pause the queue of/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Pause this queue?' })
  const field = dialog.getByLabel('Reason')
  await field.fill('deploy')
  const box = (await field.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x - 200, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.type('backup ')
  t.match(await field.inputValue(), /^backup /)
  await page.mouse.click(box.x - 200, box.y)
  await dialog.waitFor({ state: 'detached' })
  t.same(troubles, [])
})
