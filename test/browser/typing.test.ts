import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'

const browser = await launchBrowser(t)
const mount = await serve(t, healthy())

/** Types one more letter at the very moment when the current text is written into the address. */
const TYPES_ON = `(() => {
  const replace = history.replaceState
  history.replaceState = function (...given) {
    history.replaceState = replace
    replace.apply(history, given)
    const field = document.activeElement
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, field.value + 'A')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
})()`

t.test('a letter that is typed while the list is searched stays in the field', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/tasks`)
  await page.locator('.tasks-body [data-row-link]').first().waitFor()
  await page.keyboard.press('/')
  await page.evaluate(TYPES_ON)
  await page.keyboard.type('D')
  await page.waitForURL(/find=D/)
  await page.waitForURL(/find=DA/)
  t.equal(await page.locator('[data-search]').inputValue(), 'DA')
  t.same(troubles, [])
})

t.test('typing a search does not undo a sort order that is chosen at the same time', async t => {
  const { page } = await openPage(t, browser, `${mount}/tasks`)
  const header = page.getByRole('columnheader', { name: 'Backlog' }).getByRole('link')
  await header.waitFor()
  await page.keyboard.press('/')
  await page.evaluate(`(() => {
    const type = (field, text) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    type(document.activeElement, 'email')
    const backlog = [...document.querySelectorAll('.grid-head .grid-sort')].find(link => link.textContent === 'Backlog')
    setTimeout(() => backlog.click(), 50)
  })()`)
  await page.waitForURL(/find=email/)
  t.match(page.url(), /sort=-backlog/)
})
