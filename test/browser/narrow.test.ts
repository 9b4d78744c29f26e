import t from 'tap'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve, withoutFirstReads } from './calm-monitoring.ts'

const browser = await launchBrowser(t)

/** Texts of these elements that extend beyond the surrounding element, or are cut off. */
const CUT = (elements: string, around: string): string => `[...document.querySelectorAll(${JSON.stringify(elements)})].filter(each =>
  each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline' ||
  each.getBoundingClientRect().right > each.closest(${JSON.stringify(around)}).getBoundingClientRect().right + 1
).map(each => each.textContent)`

t.test('on a phone, in German, the change beside a figure fits in, and no number of a queue is cut off', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${mount}/workers`, { viewport: { width: 375, height: 800 }, locale: 'de-DE' })
  await page.locator('.queues.is-phone .cell-pending').first().waitFor()
  t.same(await page.evaluate(CUT('.queues .cell-pending, .queues .cell-running', '[role=row]')), [])
  await withoutFirstReads(page)
  await page.route('**/api/timeseries?*', async route => {
    const response = await route.fetch()
    if (response.status() !== 200) return route.fulfill({ response })
    const { points, step_ms: stepMs, ...rest } = await response.json() as { points: object[]; step_ms: number }
    // The previous span, which only the longer response covers, had fewer failures. That gives the change its longest text.
    const failed = route.request().url().includes('window=6h') ? 1 : 40
    const end = Math.floor(Date.now() / stepMs) * stepMs
    const told = points.map((point, index) =>
      ({ ...point, at: new Date(end - (points.length - 1 - index) * stepMs).toISOString(), gap: null, success: 100, failed }))
    return route.fulfill({ response, json: { ...rest, step_ms: stepMs, points: told } })
  })
  await page.goto(mount)
  await page.locator('.figure .change').getByText('Prozentpunkt').first().waitFor()
  t.same(await page.evaluate(CUT('.figure .change', '.figure')), [])
})

t.test('on a phone the chosen time range is visible', async t => {
  const mount = await serve(t, healthy())
  const { page } = await openPage(t, browser, `${mount}/failures?from=1y`, { viewport: { width: 375, height: 800 } })
  const ranges = page.getByRole('navigation', { name: 'Time range' })
  const isInSight = `(() => {
    const chosen = document.querySelector('.range-picker [aria-current]')
    const [{ left, right }, around] = [chosen.getBoundingClientRect(), chosen.parentElement.getBoundingClientRect()]
    return left >= around.left - 1 && right <= around.right + 1
  })()`
  await ranges.getByText('All', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await ranges.locator('[aria-current]').getByText('All', { exact: true }).waitFor()
  await page.reload()
  await ranges.locator('[aria-current]').waitFor()
  t.equal(await page.evaluate(isInSight), true)
})

t.test('every warning of a schedule is visible at each width', async t => {
  const monitoring = healthy()
  const [sample] = await monitoring.schedules()
  const schedule = {
    ...sample!, taskRegistered: false, overdue: true, missed: 86, description: 'A report whose name is longer than its column is wide'
  }
  const mount = await serve(t, { ...monitoring, schedules: async () => [schedule], schedule: async () => schedule })
  for (const [width, path] of [
    [1440, '/schedules'], [1440, '/schedules?schedule=s-1'], [768, '/schedules'], [375, '/schedules']
  ] as const) {
    const { page } = await openPage(t, browser, mount + path, { viewport: { width, height: 900 } })
    const row = page.locator('.schedules [role=row]').nth(1)
    await row.waitFor()
    for (const warning of ['no process', 'overdue', '86', 'edited']) {
      const isSeen = await row.getByText(warning).evaluateAll(elements => elements.some(element => {
        const cell = (element as unknown as { closest: (selector: string) => typeof element }).closest('[role=cell]')
        const [inner, outer] = [element, cell].map(each => (each as unknown as Measured).getBoundingClientRect())
        return inner!.width > 0 && inner!.right <= outer!.right + 1
      }))
      t.equal(isSeen, true, `${warning} at ${width} px${path}`)
    }
    await page.context().close()
  }
})

interface Measured { readonly getBoundingClientRect: () => { readonly right: number; readonly width: number } }
