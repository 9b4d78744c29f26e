import type { Browser, Page } from 'playwright-core'
import { onPage, until, type View } from './page-load.ts'

const LOADED_WITHIN_MS = 120_000
const SCROLLED_MS = 10_000
/** The speed of someone who reads while turning the mouse wheel. */
const READING_PX_PER_SECOND = 3_000

interface Pace {
  readonly name: string
  readonly framesPerSecond: number
  /** Milliseconds between two frames, 95th percentile. */
  readonly p95: number
}

export interface Scroll {
  readonly rows: number
  readonly loadedMs: number
  readonly paces: readonly Pace[]
}

/**
 * Scrolls to the end of the list repeatedly until all of it is loaded, or the time is up. Then scrolls up at a steady pace: first from the
 * middle, then through the whole list.
 */
export async function scrollList(browser: Browser, view: View, rowPx: number, rows: number): Promise<Scroll> {
  return onPage(browser, view, 1440, async page => {
    await page.goto(view.address)
    await until(page, 'globalThis.measured.usefulAt !== null')
    const startedAt = performance.now()
    const loadedRows = async (): Promise<number> => Math.floor(await page.evaluate<number>('document.documentElement.scrollHeight') / rowPx)
    while (await loadedRows() < rows && performance.now() - startedAt < LOADED_WITHIN_MS) {
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
      await page.waitForTimeout(20)
    }
    const loadedMs = performance.now() - startedAt
    const loaded = Math.min(await loadedRows(), rows)
    const heightPx = loaded * rowPx
    const paces = [
      await framesOf(page, `${(READING_PX_PER_SECOND / rowPx).toFixed(0)} rows per second`, heightPx / 2, READING_PX_PER_SECOND),
      await framesOf(page, `all rows in ${SCROLLED_MS / 1000} s`, heightPx, heightPx / SCROLLED_MS * 1000)
    ]
    return { rows: loaded, loadedMs, paces }
  })
}

/** Scrolls up, so that nothing more is loaded during the measurement. */
async function framesOf(page: Page, name: string, fromPx: number, pxPerSecond: number): Promise<Pace> {
  await page.evaluate(`window.scrollTo(0, ${fromPx})`)
  await page.waitForTimeout(1_000)
  const frames = await page.evaluate<number[]>(`new Promise(resolve => {
    const times = []
    const start = performance.now()
    let last = start
    const step = now => {
      times.push(now - last)
      last = now
      window.scrollTo(0, ${fromPx} - (now - start) / 1000 * ${pxPerSecond})
      if (now - start < ${SCROLLED_MS}) requestAnimationFrame(step)
      else resolve(times.slice(2))
    }
    requestAnimationFrame(step)
  })`)
  const total = frames.reduce((sum, each) => sum + each, 0)
  const sorted = frames.toSorted((one, other) => one - other)
  return { name, framesPerSecond: frames.length * 1000 / total, p95: sorted[Math.floor(sorted.length * 0.95)]! }
}
