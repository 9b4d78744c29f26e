import type { Browser, CDPSession, Page } from 'playwright-core'

/** A page. `isUseful` is an expression that is true in the page once something useful is on screen. */
export interface View {
  readonly name: string
  readonly address: string
  readonly isUseful: string
}

/** What a page requests, and how much it shifts, until it is complete. */
export interface Arrival {
  /** Distinct addresses requested until nothing on the page was still loading. */
  readonly requests: number
  /** The sum of all layout shifts until some seconds after that. */
  readonly shift: number
}

const SETTLE_MS = 2_500
const POLLED_EVERY_MS = 20
const PATIENCE_MS = 60_000

/** Nothing in the visible part is still loading; the end of a long list may be. */
const NOTHING_LOADING = `[...document.querySelectorAll('.skeleton-row, .skeleton-text')].every(part =>
  part.getBoundingClientRect().top > innerHeight)`

/**
 * Milliseconds from the start of the navigation until the first useful thing was painted, without a cache.
 * @param slowdown how many times slower the processor is
 */
export async function loadView(browser: Browser, view: View, slowdown: number): Promise<number> {
  return onPage(browser, view, 1440, async (page, session) => {
    if (slowdown > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(view.address, { waitUntil: 'commit', timeout: PATIENCE_MS })
    await until(page, 'globalThis.measured.usefulAt !== null')
    return page.evaluate<number>('globalThis.measured.usefulAt')
  })
}

export async function arriveAt(browser: Browser, view: View, width: number): Promise<Arrival> {
  return onPage(browser, view, width, async page => {
    // Each address counts once, because repeated polls are not part of the load.
    const requested = new Set<string>()
    page.on('request', request => requested.add(request.url()))
    await page.goto(view.address, { waitUntil: 'commit', timeout: PATIENCE_MS })
    await until(page, 'globalThis.measured.usefulAt !== null')
    await until(page, NOTHING_LOADING)
    const requests = requested.size
    await page.waitForTimeout(SETTLE_MS)
    return { requests, shift: await page.evaluate<number>('globalThis.measured.shift') }
  })
}

/** Not `waitForFunction`, because that evaluates text in the page, which the page's policy forbids. */
export async function until(page: Page, isTrue: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!await page.evaluate<boolean>(isTrue)) {
    if (performance.now() > end) throw new Error(`${page.url()}: not within ${PATIENCE_MS / 1000} s: ${isTrue}`)
    await page.waitForTimeout(POLLED_EVERY_MS)
  }
}

/** Opens a page in a fresh context with a script that watches it, and closes it afterwards. */
export async function onPage<Result>(
  browser: Browser, view: View, width: number, work: (page: Page, session: CDPSession) => Promise<Result>
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(watch(view.isUseful))
    return await work(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}

/** A script that notes the time after the frame that shows something useful, and adds up all layout shifts. */
function watch(isUseful: string): string {
  return `{
    const measured = globalThis.measured = { usefulAt: null, shift: 0 }
    const look = () => {
      if (measured.usefulAt !== null || !(${isUseful})) return
      observer.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => { measured.usefulAt = performance.now() }
        port2.postMessage(null)
      })
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  }`
}
