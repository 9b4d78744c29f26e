import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import type { Test } from 'tap'
import { findChromium, findHeadlessShell } from '../support/programs/chromium.ts'
import { isSoak } from '../support/soak.ts'

// `--disable-features` replaces the list that Playwright passes, so its entries are repeated here.
const DISABLED_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'
]

/** Chromium starts a process for each of these with each page: pop-ups of its address bar, and a spare for the next page. */
const UNSEEN = [
  'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'
]

const FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', `--disable-features=${[...DISABLED_BY_PLAYWRIGHT, ...UNSEEN].join(',')}`,
  // Pages of one context share a process. Without this, each page starts another one when it leaves about:blank.
  '--renderer-process-limit=1',
  // A test page does not live long enough to gain from V8's optimised code, or from separate processes for drawing and for the network.
  // V8's own threads, which compile code and collect garbage in advance, took a third of the processor time of all pages.
  ...(isSoak
    ? []
    : ['--js-flags=--no-opt --single-threaded', '--in-process-gpu', '--num-raster-threads=1', '--enable-features=NetworkServiceInProcess2'])
]

/** A time of day as pages show it: preceded by the day unless that is today, and by the year unless that is the current one. */
export const CLOCK = String.raw`(?:\d+ \w+(?: \d{4})?, )?\d\d:\d\d(?::\d\d)?`

/** Animations are drawn sixty times a second, which took a fifth of Chromium's time. Only the soak shows them. */
const STILL: BrowserContextOptions = isSoak ? {} : { reducedMotion: 'reduce' }

/** Two busy cores make Chromium slow, not wrong. */
export const PATIENCE_MS = 30_000

/**
 * What Chromium logs when a store on a busy machine responds too late. The page sends the request again, and the test checks what it shows
 * then.
 */
const LATE_ANSWER = /^Failed to load resource: the server responded with a status of 503\b/

let shared: Browser | undefined

/** The browser that this process shares, or a new one that closes when the test ends. */
export async function launchBrowser(t: Pick<Test, 'teardown'>): Promise<Browser> {
  if (shared?.isConnected()) return shared
  // The soak opens the browser that readers have.
  const executablePath = (isSoak ? null : findHeadlessShell()) ?? findChromium()
  if (executablePath === null) throw new Error('Chromium is needed: apt-get install chromium')
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  t.teardown(() => browser.close())
  return browser
}

/** For several test files in one process. Each page has its own context, so they share only the browser process and its clipboard. */
export async function shareBrowser(t: Pick<Test, 'teardown'>): Promise<void> {
  shared = await launchBrowser(t)
}

export interface WatchedPage {
  readonly page: Page
  /**
   * What must never happen: console errors, uncaught errors, violations of the content security policy, dialogs, requests to other origins.
   */
  readonly troubles: string[]
}

export async function openPage(
  t: Pick<Test, 'teardown'>, browser: Browser, address: string, options: BrowserContextOptions = {}
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/Berlin', ...STILL, ...options
  })
  const page = await context.newPage()
  t.teardown(async () => {
    // A route that is still fetching fails when its page closes. Some tests have already closed it.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
    await context.close()
  })
  page.setDefaultTimeout(PATIENCE_MS)
  const troubles: string[] = []
  page.on('console', message => {
    const isTrouble = message.type() === 'error' || message.type() === 'warning'
    if (isTrouble && !LATE_ANSWER.test(message.text())) troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(error.stack ?? error.message))
  page.on('dialog', dialog => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (new URL(request.url()).origin !== new URL(address).origin) troubles.push(`other origin: ${request.url()}`)
  })
  await page.goto(address)
  return { page, troubles }
}

/** Waits until one of the elements has the focus, because a dialog sets the focus, and a panel restores it, a moment later. */
export async function untilFocused(elements: Locator): Promise<void> {
  await elements.and(elements.page().locator(':focus')).first().waitFor({ state: 'attached' })
}
