import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export const FOLDER = 'docs/images'
export const STEP_MS = 30_000
/** Of a page: text stays sharp. */
const QUALITY = 85
const WIDE = { width: 1440, height: 900 }

export interface Shot {
  readonly context?: BrowserContextOptions
  /** Runs in the page before everything else. */
  readonly script?: string
  /** What is done before the picture is taken; without it, it is taken when nothing is still loading. */
  readonly before?: (page: Page) => Promise<void>
}

/** A picture of what is in sight, in a browser that has seen nothing yet. */
export async function photograph(browser: Browser, name: string, address: string, shot: Shot = {}): Promise<void> {
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce', ...shot.context })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    if (shot.script !== undefined) await page.addInitScript(shot.script)
    // Not `networkidle`: the page asks for news all the time.
    await page.goto(address, { waitUntil: 'commit' })
    await (shot.before ?? whole)(page)
    await takeWebp(page, name, QUALITY)
  } finally {
    await context.close()
  }
}

/** Until there is something to see and nothing of it is still on its way. */
export async function whole(page: Page): Promise<void> {
  await page.locator('main h1, main .section').first().waitFor({ state: 'attached' })
  await page.locator('.skeleton-row, .skeleton-text').first().waitFor({ state: 'detached' })
  // Charts are drawn a frame later, and counts settle.
  await page.waitForTimeout(1_500)
}

/** What is in sight, as WebP, which Playwright itself does not write: a third of the size of PNG. `name` may have a folder. */
export async function takeWebp(page: Page, name: string, quality: number, isWhole = false): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, captureBeyondViewport: isWhole })
  await session.detach()
  const path = `${FOLDER}/${name}.webp`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.from(data, 'base64'))
  console.log(path)
}
