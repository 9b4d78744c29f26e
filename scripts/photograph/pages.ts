import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { photograph, whole } from './camera.ts'
import { withDemo } from './demo.ts'

/** Until schedules ran, retries failed and some runs were left out. */
const RUNS_FOR_MS = 40_000
const PHONE = { viewport: { width: 375, height: 812 } }
const DARK = { colorScheme: 'dark' } as const
const TABLET = { viewport: { width: 768, height: 1024 } }

/** Every page of the demo, as the README and docs/interface.md show them. */
export async function photographPages(browser: Browser): Promise<void> {
  await withDemo(async address => {
    console.log(`${address} runs for ${RUNS_FOR_MS / 1000} s …`)
    await sleep(RUNS_FOR_MS)
    await photograph(browser, 'dashboard', address, { context: { viewport: { width: 1440, height: 1100 } }, before: wholeDashboard })
    await photograph(browser, 'dashboard-dark', address, { context: DARK, before: wholeDashboard })
    await photograph(browser, 'dashboard-phone', address, { context: PHONE, before: wholeDashboard })
    await photograph(browser, 'failures', `${address}/failures`)
    await photograph(browser, 'failure-group', `${address}/failures`, { before: openFirst })
    await photograph(browser, 'executions', `${address}/executions`)
    await photograph(browser, 'executions-phone', `${address}/executions?status=failed`, { context: PHONE })
    await photograph(browser, 'execution', `${address}/executions?status=failed`, { before: openFirst })
    await photograph(browser, 'execution-dark', `${address}/executions?status=success`, { context: DARK, before: openFirst })
    await photograph(browser, 'tasks', `${address}/tasks`)
    await photograph(browser, 'schedules', `${address}/schedules`)
    await photograph(browser, 'schedules-tablet', `${address}/schedules`, { context: TABLET })
    await photograph(browser, 'schedule', `${address}/schedules`, { before: openFirst })
    await photograph(browser, 'new-schedule', `${address}/schedules?new=1`, { context: DARK })
    await photograph(browser, 'agenda', `${address}/schedules/agenda?days=7`)
    await photograph(browser, 'find', address, { before: findReport })
  })
}

async function wholeDashboard(page: Page): Promise<void> {
  await page.locator('.charts canvas').nth(1).waitFor()
  await whole(page)
}

async function openFirst(page: Page): Promise<void> {
  await page.locator('main [data-row-link]').first().click()
  await whole(page)
}

async function findReport(page: Page): Promise<void> {
  await whole(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('rep')
  await page.getByRole('option').nth(1).waitFor()
  await page.waitForTimeout(1_000)
}
