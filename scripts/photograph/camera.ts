import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export const FOLDER = 'docs/images'
export const STEP_MS = 30_000
/** Text on a page stays sharp with it. */
const QUALITY = 85
const WIDE = { width: 1440, height: 900 }

export interface Shot {
  readonly context?: BrowserContextOptions
  /** Runs in the page before everything else. */
  readonly script?: string
  /** Runs before the picture is taken. Default: waits until nothing is loading. */
  readonly before?: (page: Page) => Promise<void>
}

/** Photographs the visible part of a page in a fresh browser context. */
export async function photograph(browser: Browser, name: string, address: string, shot: Shot = {}): Promise<void> {
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce', ...shot.context })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    if (shot.script !== undefined) await page.addInitScript(shot.script)
    // Not `networkidle`, because the page keeps polling.
    await page.goto(address, { waitUntil: 'commit' })
    await (shot.before ?? whole)(page)
    await takeWebp(page, name, QUALITY)
  } finally {
    await context.close()
  }
}

/** Waits until the page has content and nothing is loading. */
export async function whole(page: Page): Promise<void> {
  await page.locator('main h1, main .section').first().waitFor({ state: 'attached' })
  await page.locator('.skeleton-row, .skeleton-text').first().waitFor({ state: 'detached' })
  // Charts are drawn a frame later, and counts take a moment to settle.
  await page.waitForTimeout(1_500)
}

/**
 * Writes the visible part of a page, or the whole page, as WebP. This is a third of the size of PNG, but Playwright itself cannot write it.
 * `name` may include a folder.
 */
export async function takeWebp(page: Page, name: string, quality: number, isWhole = false): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, captureBeyondViewport: isWhole })
  await session.detach()
  const path = `${FOLDER}/${name}.webp`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.from(data, 'base64'))
  console.log(path)
}
