import type { Browser } from 'playwright-core'
import { onPage, until, type View } from './page-load.ts'

const LOADED_WITHIN_MS = 90_000
const PX_PER_SECOND = 3_000
const SCROLLED_MS = 10_000

export interface Scroll {
  readonly rows: number
  readonly framesPerSecond: number
  /** Milliseconds between two frames, 95th percentile. */
  readonly p95: number
}

/** Loads the whole list, as far as it can be had in time, and scrolls through it at an even pace. */
export async function scrollList(browser: Browser, view: View, rowPx: number, rows: number): Promise<Scroll> {
  return onPage(browser, view, 1440, async page => {
    await page.goto(view.address)
    await until(page, 'globalThis.measured.usefulAt !== null')
    const end = performance.now() + LOADED_WITHIN_MS
    const loadedRows = async (): Promise<number> => Math.round(await page.evaluate<number>('document.documentElement.scrollHeight') / rowPx)
    while (await loadedRows() < rows && performance.now() < end) {
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
      await page.waitForTimeout(20)
    }
    const loaded = await loadedRows()
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)')
    await page.waitForTimeout(1_000)
    const frames = await page.evaluate<number[]>(`new Promise(resolve => {
      const times = []
      const start = performance.now()
      const from = scrollY
      let last = start
      const step = now => {
        times.push(now - last)
        last = now
        window.scrollTo(0, from - (now - start) / 1000 * ${PX_PER_SECOND})
        if (now - start < ${SCROLLED_MS}) requestAnimationFrame(step)
        else resolve(times.slice(2))
      }
      requestAnimationFrame(step)
    })`)
    const sorted = frames.toSorted((a, b) => a - b)
    const total = frames.reduce((sum, each) => sum + each, 0)
    return {
      rows: Math.min(loaded, rows), framesPerSecond: frames.length * 1000 / total, p95: sorted[Math.floor(sorted.length * 0.95)]!
    }
  })
}
