import type { Browser, Page } from 'playwright-core'
import { photograph, whole, take } from './camera.ts'
import { openFaultyApp, type FaultyApp } from './faulty-app.ts'

/** Longer than a page waits before it says that something is wrong. */
const NOTICED_MS = 9_000
const HOUR_AHEAD = `{
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + 3_600_000) }
    static now() { return Real.now() + 3_600_000 }
  }
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + 3_600_000 })
}`

/** What the interface says during each fault, opened before it and during it, and afterwards. */
export async function photographFaults(browser: Browser): Promise<void> {
  const app = await openFaultyApp()
  const { address } = app
  try {
    await around(browser, app, 'fault-broker', { begin: () => app.broker.kill(), end: () => app.broker.start() })
    await around(browser, app, 'fault-backend', { begin: () => app.backend.kill(), end: () => app.backend.start() })
    await photograph(browser, 'fault-server-away-over', address, {
      before: async page => {
        await whole(page)
        await app.serverAway(async () => {
          await noticed(page)
          await take(page, 'fault-server-away')
        })
        await noticed(page)
      }
    })
    await photograph(browser, 'fault-signed-out', address, {
      before: async page => {
        await whole(page)
        app.signOut()
        await noticed(page)
      }
    })
    await photograph(browser, 'fault-signed-out-page', address, { before: page => page.waitForTimeout(1_000) })
    app.signIn()
    await photograph(browser, 'fault-slow-network', address, { before: overSlowNetwork })
    await photograph(browser, 'fault-large-payload', `${address}/executions?execution=${await app.largeExecution()}`)
    await photograph(browser, 'fault-clock-ahead', address, { script: HOUR_AHEAD })
  } finally {
    await app.stop()
  }
}

interface Fault { readonly begin: () => Promise<void>; readonly end: () => Promise<void> }

/** Three pictures: a page that was open when it began, one that is opened during it, and that one again when it is over. */
async function around(browser: Browser, { address }: FaultyApp, name: string, fault: Fault): Promise<void> {
  await photograph(browser, name, address, {
    before: async page => {
      await whole(page)
      await fault.begin()
      await noticed(page)
    }
  })
  await photograph(browser, `${name}-over`, `${address}/executions`, {
    before: async page => {
      await noticed(page)
      await take(page, `${name}-opened-during`)
      await fault.end()
      await page.locator('main [data-row-link]').first().waitFor()
      await whole(page)
    }
  })
}

async function noticed(page: Page): Promise<void> {
  await page.waitForTimeout(NOTICED_MS)
}

async function overSlowNetwork(page: Page): Promise<void> {
  await whole(page)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false, latency: 1_500, downloadThroughput: 40_000, uploadThroughput: 40_000
  })
  // The first page holds its first answers itself.
  await page.getByRole('link', { name: 'Executions', exact: true }).click()
  await page.locator('.skeleton-row, .skeleton-text').first().waitFor()
}
