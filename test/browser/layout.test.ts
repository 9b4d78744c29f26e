import type { Page } from 'playwright-core'
import t from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'
import { launchBrowser, openPage } from './browser.ts'
import { healthy, serve } from './calm-monitoring.ts'
import { auditOf, sampleEntries } from './sample-audit.ts'

const browser = await launchBrowser(t)
const MAX_SHIFT = 0.02
const WATCH = `self.shifts = []; new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) self.shifts.push(shift.value)
}).observe({ type: 'layout-shift', buffered: true })`

t.test('layout shift stays below its limit while a page loads', async t => {
  const mount = await serve(t, { ...healthy(), auditEntries: auditOf(() => sampleEntries(Date.now())) })
  for (const width of isSoak ? [1440, 768, 375] : [1440, 375]) {
    const { page } = await openPage(t, browser, 'about:blank', { viewport: { width, height: 900 } })
    await page.addInitScript(WATCH)
    for (const path of ['/', '/failures', '/executions', '/tasks', '/schedules', '/schedules/agenda', '/workers', '/audit', '/bulk']) {
      await page.goto(mount + path)
      await untilLoaded(page)
      const shift = await page.evaluate<number>('self.shifts.reduce((sum, value) => sum + value, 0)')
      t.ok(shift <= MAX_SHIFT, `${path} at ${width} px: ${shift.toFixed(3)}`)
    }
    await page.context().close()
  }
})

t.test('one slow execution does not flatten the other durations: the axis turns logarithmic and says so', async t => {
  const monitoring = healthy()
  const timeseries: Monitoring['timeseries'] = async query => {
    const answer = await monitoring.timeseries(query)
    const durationAt = (index: number) => ({ p50: 9, p95: 90, p99: index === 9 ? 400_000 : 99 })
    return {
      ...answer, points: answer.points.map((point, index) => ({ ...point, gap: null, success: 1, failed: 0, duration: durationAt(index) }))
    }
  }
  const { page, troubles } = await openPage(t, browser, await serve(t, { ...monitoring, timeseries }))
  await page.locator('.charts canvas').nth(1).waitFor()
  await page.locator('.chart-note').getByText('logarithmic').waitFor()
  t.equal(await page.locator('.chart-note').count(), 1, 'only the chart of durations')
  t.same(troubles, [])
})

t.test('a dialog dims the whole window, and the gutter of the scrollbar too', async t => {
  const mount = await serve(t, healthy())
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(t, browser, `${mount}/schedules`, { colorScheme, viewport: { width: 1440, height: 900 } })
    await untilLoaded(page)
    const plain = await edgeOf(page)
    await page.goto(`${mount}/schedules?new=1`)
    await page.locator('.dialog:modal').waitFor()
    const dimmed = await edgeOf(page)
    t.same(plain.gutter, plain.page, `${colorScheme}: without a dialog, gutter and page are the same`)
    t.notSame(dimmed.gutter, plain.gutter, `${colorScheme}: it is dimmed`)
    // Mixed and blended colours are rounded.
    const apart = Math.max(...dimmed.gutter.map((value, index) => Math.abs(value - dimmed.page[index]!)))
    t.ok(apart <= 1, `${colorScheme}: as dark as the page beside it: ${dimmed.gutter.join(' ')}, ${dimmed.page.join(' ')}`)
  }
})

/** Colours at the lower right of the window: in the last column of pixels, and in a column that the page certainly covers. */
async function edgeOf(page: Page): Promise<{ readonly gutter: number[]; readonly page: number[] }> {
  const png = (await page.screenshot()).toString('base64')
  // A new page, because the content security policy does not let the dashboard's own page read the image.
  const reader = await page.context().browser()!.newPage()
  try {
    return await reader.evaluate(`(async () => {
      const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob())
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      context.drawImage(bitmap, 0, 0)
      const at = fromRight => [...context.getImageData(bitmap.width - fromRight, bitmap.height - 2, 1, 1).data]
      return { gutter: at(1), page: at(40) }
    })()`)
  } finally {
    await reader.close()
  }
}

async function untilLoaded(page: Page): Promise<void> {
  await page.locator('[data-row-link]').first().waitFor()
  await waitFor('no skeleton', async () => await page.locator('.skeleton-row, .skeleton-text').count() === 0)
  await waitFor('the verdict', async () => await page.getByText('Looking…').count() === 0)
}
