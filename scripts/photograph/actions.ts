import type { Browser, Page } from 'playwright-core'
import { openActionsApp, type ActionsApp } from './actions-app.ts'
import { STEP_MS, takeWebp, whole } from './camera.ts'

const SIZES = [{ width: 1440, height: 900 }, { width: 768, height: 1024 }, { width: 375, height: 812 }] as const
const THEMES = ['light', 'dark'] as const
const SCALE = 0.6
const QUALITY = 75
const SHEET = 'margin:8px;display:grid;grid-template-columns:repeat(3,max-content);gap:8px;background:#888'

interface Scene {
  readonly at: string
  /** What the user does next. It changes nothing on the server, so the states stay as they are. */
  readonly act?: (page: Page) => Promise<void>
}

/** Photographs every action, and every state that an action leaves behind: one sheet each, with both themes in three sizes. */
export async function photographActions(browser: Browser): Promise<void> {
  const app = await openActionsApp()
  try {
    for (const [name, scene] of Object.entries(scenesOf(app))) {
      try {
        const looks = await Promise.all(THEMES.flatMap(theme => SIZES.map(size => lookAt(browser, scene, theme, size))))
        await writeSheet(browser, name, looks)
      } catch (error) {
        // The other sheets are useful without it.
        console.error(`${name} was not photographed`, error)
        process.exitCode = 1
      }
    }
  } finally {
    await app.stop()
  }
}

function scenesOf({ address, readOnly, ids, groups, bulk }: ActionsApp): Readonly<Record<string, Scene>> {
  const execution = (id: string): string => `${address}/executions?execution=${id}`
  const operation = (id: string): string => `${address}/bulk?operation=${id}`
  const press = (name: string | RegExp) => async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click()
    await page.locator('dialog[open], [role=dialog]').last().waitFor()
  }
  return {
    // The running operation comes first, because it ends after some minutes.
    'bulk-abort': { at: operation(bulk.running), act: press('Abort…') },
    ...Object.fromEntries(Object.entries(bulk).map(([state, id]) => [`bulk-${state}`, { at: operation(id) }])),
    'execution-failed': { at: execution(ids.failed) },
    'execution-retry': { at: execution(ids.failed), act: press('Retry…') },
    'execution-retry-edited': {
      at: execution(ids.failed),
      async act(page) {
        await press('Retry…')(page)
        await page.getByRole('button', { name: 'Edit the arguments' }).click()
        await page.getByLabel('Arguments, a JSON array').fill('[1039, "paid by invoice"')
      }
    },
    'execution-retried': { at: execution(ids.retried) },
    'execution-edited-retry': { at: execution(ids.edited) },
    'execution-running': { at: execution(ids.running) },
    'execution-cancel': { at: execution(ids.running), act: press('Cancel it…') },
    'execution-cancelling': { at: execution(ids.cancelling) },
    'execution-cancelled': { at: execution(ids.cancelled) },
    'execution-pending': { at: execution(ids.delayed) },
    'execution-change': { at: execution(ids.delayed), act: press('Change…') },
    'execution-of-paused-queue': { at: execution(ids.paused) },
    'execution-delete': { at: execution(ids.succeeded), act: press('Delete…') },
    'execution-deleted': { at: execution(ids.deleted) },
    'execution-refused': { at: execution(ids.failed), act: page => refused(page, 'Retry…', 'Retry it', FORBIDDEN) },
    'execution-too-many': { at: execution(ids.failed), act: page => refused(page, 'Retry…', 'Retry it', TOO_MANY) },
    'execution-unconfirmed': { at: execution(ids.failed), act: page => refused(page, 'Retry…', 'Retry it', UNCONFIRMED) },
    'execution-read-only': { at: `${readOnly}/executions?execution=${ids.failed}` },
    'executions-cancelling': { at: `${address}/executions?status=running` },
    'executions-selected': { at: `${address}/executions?status=failed`, act: selectThree },
    'bulk-selected': {
      at: `${address}/executions?status=failed`,
      async act(page) {
        await selectThree(page)
        await press('Act on these…')(page)
        await page.locator('.bulk-sample').waitFor()
      }
    },
    'bulk-all': {
      at: `${address}/executions?status=failed`,
      async act(page) {
        await press('All that match…')(page)
        await page.locator('.bulk-sample').waitFor()
      }
    },
    'bulk-undo': { at: operation(bulk.done), act: press('Undo…') },
    'bulk-list': { at: `${address}/bulk` },
    'task-run': { at: `${address}/tasks?name=billing%3Acharge`, act: press('Run…') },
    'task-paused': { at: `${address}/tasks?name=email%3Asend` },
    workers: { at: `${address}/workers` },
    'queue-pause': { at: `${address}/workers`, act: press('Pause the queue of billing:charge…') },
    'queue-resume': { at: `${address}/workers`, act: press('Resume the queue of email:send…') },
    'queue-limit': { at: `${address}/workers`, act: press('Limit the queue of report:build…') },
    failures: { at: `${address}/failures` },
    'failures-resolved': { at: `${address}/failures?state=resolved` },
    'failures-regressed': { at: `${address}/failures?group=${groups.regressed}` },
    'failures-resolve': { at: `${address}/failures?group=${groups.open}`, act: press('Resolve…') },
    'failures-reopen': { at: `${address}/failures?group=${groups.resolved}`, act: press('Reopen…') },
    schedules: { at: `${address}/schedules` },
    'schedule-run': {
      at: `${address}/schedules`,
      async act(page) {
        await page.locator('main [data-row-link]').first().click()
        await page.getByRole('button', { name: 'Run now…' }).click()
      }
    },
    'schedule-delete': {
      at: `${address}/schedules`,
      async act(page) {
        await page.locator('main [data-row-link]').first().click()
        await press('Delete…')(page)
      }
    },
    audit: { at: `${address}/audit` },
    'audit-entry': {
      at: `${address}/audit`,
      async act(page) {
        await page.locator('.audit-body [data-row-link]').first().click()
        await page.getByRole('dialog', { name: 'Audit entry' }).waitFor()
      }
    }
  }
}

async function selectThree(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select / })
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await page.locator('.selection-bar').waitFor()
}

type Refusal = readonly [status: number, code: string, detail: string]

const FORBIDDEN: Refusal = [403, 'FORBIDDEN', 'You may not retry executions of billing:charge']
const TOO_MANY: Refusal = [429, 'TOO_MANY_REQUESTS', 'Too many writes. Try again in 42 seconds']
const UNCONFIRMED: Refusal = [503, 'UNCONFIRMED', 'The broker did not answer in time, so it may have been retried']

/** Fakes an error response that the server does not give in this state. */
async function refused(page: Page, button: string, confirm: string, [status, code, detail]: Refusal): Promise<void> {
  await page.route('**/api/executions/*/retry', route => route.fulfill({
    status, contentType: 'application/problem+json', ...status === 429 && { headers: { 'retry-after': '42' } },
    body: JSON.stringify({ type: 'about:blank', title: code, status, detail, instance: '/', code })
  }))
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('button', { name: confirm }).click()
  await page.getByText(detail).first().waitFor()
}

async function lookAt(
  browser: Browser, { at, act }: Scene, colorScheme: (typeof THEMES)[number], viewport: (typeof SIZES)[number]
): Promise<string> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    await page.goto(at, { waitUntil: 'commit' })
    await whole(page)
    await act?.(page)
    if (act !== undefined) await page.waitForTimeout(300)
    return (await page.screenshot()).toString('base64')
  } catch (error) {
    throw new Error(`${at} in ${viewport.width} px, ${colorScheme}`, { cause: error })
  } finally {
    await context.close()
  }
}

/** One picture of all looks. */
async function writeSheet(browser: Browser, name: string, looks: readonly string[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1280 } })
  try {
    const images = looks.map((data, index) => {
      const { width } = SIZES[index % SIZES.length]!
      return `<img width="${width * SCALE}" src="data:image/png;base64,${data}">`
    })
    await page.setContent(`<body style="${SHEET}">${images.join('')}`)
    await takeWebp(page, `actions/${name}`, QUALITY, true)
  } finally {
    await page.close()
  }
}
