import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { photograph, whole } from './camera.ts'
import { withDemo } from './demo.ts'

/** Time for schedules to run, for retries to fail and for some runs to be skipped. */
const RUNS_FOR_MS = 40_000
const PHONE = { viewport: { width: 375, height: 812 } }
const DARK = { colorScheme: 'dark' } as const
const TABLET = { viewport: { width: 768, height: 1024 } }

/** Photographs every page of the demo, including the picture that the README shows. */
export async function photographPages(browser: Browser): Promise<void> {
  await withDemo(async address => {
    console.log(`${address} runs for ${RUNS_FOR_MS / 1000} s …`)
    await sleep(RUNS_FOR_MS)
    await photograph(browser, 'dashboard', address, { context: { viewport: { width: 1440, height: 1100 } }, before: wholeDashboard })
    await photograph(browser, 'pages/dashboard-dark', address, { context: DARK, before: wholeDashboard })
    await photograph(browser, 'pages/dashboard-phone', address, { context: PHONE, before: wholeDashboard })
    await photograph(browser, 'pages/failures', `${address}/failures`)
    await photograph(browser, 'pages/failure-group', `${address}/failures`, { before: openFirst })
    await photograph(browser, 'pages/executions', `${address}/executions`)
    await photograph(browser, 'pages/executions-phone', `${address}/executions?status=failed`, { context: PHONE })
    await photograph(browser, 'pages/execution', `${address}/executions?status=failed`, { before: openFirst })
    await photograph(browser, 'pages/execution-dark', `${address}/executions?status=success`, { context: DARK, before: openFirst })
    await photograph(browser, 'pages/tasks', `${address}/tasks`)
    await photograph(browser, 'pages/schedules', `${address}/schedules`)
    await photograph(browser, 'pages/schedules-tablet', `${address}/schedules`, { context: TABLET })
    await photograph(browser, 'pages/schedule', `${address}/schedules`, { before: openFirst })
    await photograph(browser, 'pages/new-schedule', `${address}/schedules?new=1`, { context: DARK })
    await photograph(browser, 'pages/workers', `${address}/workers`)
    await photograph(browser, 'pages/task', `${address}/tasks`, { before: openFirst })
    await photograph(browser, 'pages/audit', `${address}/audit`)
    await photograph(browser, 'pages/agenda', `${address}/schedules/agenda?days=7`)
    await photograph(browser, 'pages/find', address, { before: findReport })
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
