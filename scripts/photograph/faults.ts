import type { Browser, Page } from 'playwright-core'
import { whole } from './camera.ts'
import { inLooks, type Visit } from './looks.ts'
import { openFaultyApp, type Fault } from './faulty-app.ts'

/** Longer than a page waits before it says that something is wrong. */
const NOTICED_MS = 9_000
/** Enough for a store to come back, for its clients to notice and for a page to poll again. */
const BACK_MS = 12_000
const HOUR_AHEAD = `{
  const Real = Date
  globalThis.aheadMs = 0
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + aheadMs) }
    static now() { return Real.now() + aheadMs }
  }
  globalThis.setClockAhead = () => {
    aheadMs = 3_600_000
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + aheadMs })
  }
}`

/** Photographs the interface around each fault: pages opened before and during the fault, and a page after it. */
export async function photographFaults(browser: Browser): Promise<void> {
  const app = await openFaultyApp()
  const { address } = app
  try {
    await aroundFault(browser, 'broker', address, app.broker, [address, `${address}/executions`])
    await aroundFault(browser, 'backend', address, app.backend, [address, `${address}/executions`])
    await aroundServer(browser, address, app.server)
    await aroundFault(browser, 'session', address, app.signIn, [address])
    await inLooks(browser, async visit => {
      const before = await opened(visit, address)
      await slowNetwork(before)
      // The first page contains its first responses, so it shows no loading state.
      await before.page.getByRole('link', { name: 'Executions', exact: true }).first().click()
      await before.page.locator('.skeleton-row, .skeleton-text').first().waitFor()
      await before.take('slow-network-before')
      const during = await visit()
      await slowNetwork(during)
      await during.page.goto(`${address}/schedules`, { waitUntil: 'commit' })
      await during.page.locator('main h1, main .section').first().waitFor()
      await during.take('slow-network-during')
    })
    const execution = await app.largeExecution()
    await inLooks(browser, async visit => {
      const before = await opened(visit, `${address}/executions`)
      await before.page.locator('main [data-row-link]').first().click()
      await whole(before.page)
      await before.take('large-payload-before')
      const during = await opened(visit, `${address}/executions?execution=${execution}`)
      await during.take('large-payload-during')
    })
    await inLooks(browser, async visit => {
      const before = await visit(HOUR_AHEAD)
      await before.page.goto(address, { waitUntil: 'commit' })
      await whole(before.page)
      await before.page.evaluate('setClockAhead()')
      await noticed(before.page)
      await before.take('clock-before')
      const during = await visit(`${HOUR_AHEAD};setClockAhead()`)
      await during.page.goto(address, { waitUntil: 'commit' })
      await whole(during.page)
      await noticed(during.page)
      await during.take('clock-during')
    })
  } finally {
    await app.stop()
  }
}

/** Photographs a page that was open when the fault began, pages opened during it, and the first page again when it is over. */
async function aroundFault(browser: Browser, name: string, address: string, fault: Fault, duringAt: readonly string[]): Promise<void> {
  await inLooks(browser, async (visit, together) => {
    const before = await opened(visit, address)
    await together(() => fault.kill())
    await noticed(before.page)
    await before.take(`${name}-before`)
    for (const [index, at] of duringAt.entries()) {
      const during = await visit()
      await during.page.goto(at, { waitUntil: 'commit' })
      await noticed(during.page)
      await during.take(`${name}-during${index === 0 ? '' : '-executions'}`)
    }
    await together(() => fault.start())
    await before.page.waitForTimeout(BACK_MS)
    await before.take(`${name}-over`)
  })
}

/** If no server listens, a browser shows its own error page. So the second page is opened from within the interface. */
async function aroundServer(browser: Browser, address: string, server: Fault): Promise<void> {
  await inLooks(browser, async (visit, together) => {
    const [before, during] = [await opened(visit, address), await opened(visit, address)]
    await together(() => server.kill())
    await during.page.getByRole('link', { name: 'Executions', exact: true }).first().click()
    await noticed(before.page)
    await before.take('server-before')
    await during.take('server-during')
    await together(() => server.start())
    await before.page.waitForTimeout(BACK_MS)
    await before.take('server-over')
  })
}

async function opened(visit: (script?: string) => Promise<Visit>, address: string): Promise<Visit> {
  const visited = await visit()
  await visited.page.goto(address, { waitUntil: 'commit' })
  await whole(visited.page)
  return visited
}

async function noticed(page: Page): Promise<void> {
  await page.waitForTimeout(NOTICED_MS)
}

async function slowNetwork({ page }: Visit): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false, latency: 1_500, downloadThroughput: 40_000, uploadThroughput: 40_000
  })
}
