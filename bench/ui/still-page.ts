import type { Browser } from 'playwright-core'
import { onPage, type View } from './page-load.ts'

/** Time until a page counts as untouched and has polled once at the slower pace. */
const SETTLE_MS = 25_000
const WATCHED_MS = 30_000
const HIDDEN_MS = 30_000

export interface Still {
  /** Requests in a minute while no one touches the page. */
  readonly requestsPerMinute: number
  /** Share of the time in which its main thread has nothing to do, in percent. */
  readonly idlePercent: number
  /** Requests in half a minute while the tab is hidden. */
  readonly hiddenRequests: number
}

export async function watchStill(browser: Browser, view: View): Promise<Still> {
  return onPage(browser, view, 1440, async (page, session) => {
    let requests = 0
    page.on('request', () => { requests++ })
    await session.send('Performance.enable')
    const busySeconds = async (): Promise<number> =>
      (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value
    await page.goto(view.address)
    await page.waitForTimeout(SETTLE_MS)

    const [before, from] = [await busySeconds(), performance.now()]
    requests = 0
    await page.waitForTimeout(WATCHED_MS)
    const seconds = (performance.now() - from) / 1000
    const requestsPerMinute = requests * 60 / seconds
    const idlePercent = 100 * (1 - (await busySeconds() - before) / seconds)

    await page.evaluate(`{
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      Object.defineProperty(document, 'hidden', { get: () => true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }`)
    // Requests in progress may still get a response.
    await page.waitForTimeout(1_000)
    requests = 0
    await page.waitForTimeout(HIDDEN_MS)
    return { requestsPerMinute, idlePercent, hiddenRequests: requests }
  })
}
