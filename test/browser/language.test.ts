import type { Page } from 'playwright-core'
import t from 'tap'
import { de } from '../../ui/src/texts/de/de.ts'
import { en } from '../../ui/src/texts/en/en.ts'
import { isSoak } from '../support/soak.ts'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage, untilFocused } from './browser.ts'
import { openShop } from './shop.ts'

const GERMAN = { locale: 'de-AT', extraHTTPHeaders: { 'accept-language': 'en' } }

const shop = await openShop(t)
const browser = await launchBrowser(t)
const mount = await shop.serve({ prefix: '/tasks' })
const { executions } = await shop.queueApp.monitoring.executions({ taskName: 'invoices/charge', limit: 1 })
const edited = (await shop.queueApp.monitoring.schedules()).find(schedule => schedule.description === 'Weekly digest')!

const VIEWS = {
  dashboard: '/',
  failures: '/failures',
  'a failure group': `/failures?group=${encodeURIComponent(executions[0]!.errorGroup!)}`,
  executions: '/executions',
  'an execution': `/executions?execution=${encodeURIComponent(executions[0]!.executionId)}`,
  tasks: '/tasks?by=prefix',
  'a task': '/tasks?name=email%3Asend',
  schedules: '/schedules',
  workers: '/workers',
  'a schedule': `/schedules?schedule=${encodeURIComponent(edited.scheduleId)}`,
  'the composer': '/schedules?new=1',
  'the composer of an edit': `/schedules?schedule=${encodeURIComponent(edited.scheduleId)}&edit=1`,
  'the agenda': '/schedules/agenda',
  'the agenda of a week': '/schedules/agenda?days=7'
}

// Each view is loaded in the same window: opening another window takes as long as checking the view.
const inGerman = await openPage(t, browser, mount, { ...GERMAN, reducedMotion: 'reduce' })

for (const [name, path] of Object.entries(VIEWS)) {
  t.test(`in German, ${name} shows no English text of the interface, and axe finds nothing`, async t => {
    const { page, troubles } = inGerman
    troubles.length = 0
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(mount + path)
    await untilLoaded(page)
    t.same(englishAmong(await textsOf(page)), [])
    // Only the texts differ from the English page, for which axe has checked everything.
    t.same(await findViolations(page, isSoak ? 'all' : 'names'), [])
    await page.setViewportSize({ width: 375, height: 700 })
    // Lists adapt a moment after the window was resized.
    await waitFor('nothing to overflow on a phone', () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
    t.same(troubles, [])
  })
}

t.test('the comparison finds English texts', async t => {
  const { page } = await openPage(t, browser, mount, { locale: 'en-GB' })
  await untilLoaded(page)
  t.ok(englishAmong(await textsOf(page)).length > 20)
})

t.test('a reader switches to German, and the browser keeps it', async t => {
  const { page, troubles } = await openPage(t, browser, mount, { locale: 'en-GB' })
  await page.getByRole('heading', { name: 'Recent failed executions' }).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'en')
  t.same(await scriptsOf(page, /\/de-/), [], 'only German readers load it')
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('heading', { name: 'Letzte fehlgeschlagene Ausführungen' }).waitFor()
  await page.locator('html[lang=de]').waitFor()
  await waitFor('the title in German', async () => await page.title() === 'Übersicht · Tasks')
  // The focus stays.
  await untilFocused(page.locator('.language-button'))
  await page.reload()
  await page.getByRole('heading', { name: 'Letzte fehlgeschlagene Ausführungen' }).waitFor()
  t.equal((await scriptsOf(page, /\/de-/)).length, 1)
  await page.getByRole('link', { name: 'Zeitpläne' }).first().click()
  await page.getByRole('heading', { name: 'Zeitpläne' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sprache')
  await page.getByRole('option', { name: 'Sprache: Deutsch' }).click()
  await page.getByRole('heading', { name: 'Schedules' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Schedules' }).waitFor()
  t.same(troubles, [])
})

t.test("the host's language applies until a reader chooses one, and browsers in other languages get English", async t => {
  const servedInGerman = await shop.serve({ prefix: '/tasks', interface: { language: 'de' } })
  const servedInEnglish = await shop.serve({ prefix: '/tasks', interface: { language: 'en' } })
  const cases: ReadonlyArray<readonly [address: string, locale: string, heading: string]> = [
    [servedInGerman, 'en-GB', 'Aufgaben'], [servedInEnglish, 'de-DE', 'Tasks'], [mount, 'de-DE', 'Aufgaben'], [mount, 'fr-FR', 'Tasks']
  ]
  for (const [address, locale, heading] of cases) {
    const { page } = await openPage(t, browser, `${address}/tasks`, { locale })
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  const { page } = await openPage(t, browser, `${servedInGerman}/tasks`, { locale: 'de-DE' })
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
})

t.test('no English flashes up before German, and English is shown while German cannot be loaded', async t => {
  const context = await browser.newContext({ locale: 'de-DE' })
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.addInitScript(`
    window.seen = []
    new MutationObserver(() => { window.seen.push(document.body?.innerText ?? '') }).observe(document, { childList: true, subtree: true })
  `)
  await page.route(/\/de-[^/]+\.js$/, async route => {
    await new Promise(resolve => { setTimeout(resolve, 700) })
    await route.continue()
  })
  await page.goto(mount)
  await page.getByRole('link', { name: 'Übersicht' }).waitFor()
  t.equal(await page.evaluate('window.seen.some(text => /Dashboard|Failures/.test(text))'), false)

  await page.unrouteAll()
  await page.route(/\/de-[^/]+\.js$/, route => route.abort())
  await page.goto(`${mount}/tasks`)
  await page.getByRole('heading', { name: 'Tasks' }).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'en')

  await page.unrouteAll()
  await page.getByRole('heading', { name: 'Aufgaben' }).waitFor()
  // German appears by itself once it can be loaded.
  await page.locator('html[lang=de]').waitFor()
})

/** All texts of a page that are seen or read aloud. Data from outside is left out: it is in `bdi`, `code` and `pre`. */
async function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const attributes = ['aria-label', 'title', 'placeholder', 'data-label']
    // The health line has messages of the server.
    const elements = [...document.querySelectorAll('body *')].filter(element => !element.matches('bdi, .health > li'))
    const said = elements.flatMap(element => attributes.map(name => element.getAttribute(name) ?? ''))
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement.closest('bdi, code, pre, script, option:not([value=""])')) said.push(walker.currentNode.data)
    }
    return said.map(text => text.replace(/\\s+/g, ' ').trim()).filter(text => text !== '')
  })()`)
}

/** The texts that equal a text of the English catalogue or contain one of its sentences, unless the German text is the same. */
function englishAmong(shown: readonly string[]): string[] {
  const german = new Set(constantsOf(de))
  const english = constantsOf(en).filter(text => !german.has(text) && /[a-z]{2}/i.test(text))
  const whole = new Set(english)
  const sentences = english.filter(text => text.length >= 12)
  return [...new Set(shown.filter(text => whole.has(text) || sentences.some(sentence => text.includes(sentence))))]
}

function constantsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(constantsOf) : []
}

async function scriptsOf(page: Page, pattern: RegExp): Promise<string[]> {
  const names = await page.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)')
  return names.filter(name => pattern.test(name))
}

async function untilLoaded(page: Page): Promise<void> {
  await page.locator('[data-row-link]').first().waitFor()
  // A panel or a composer loads separately, after its page.
  const dialogs = /[?&](?:execution|schedule|new)=/.test(page.url()) ? page.url().includes('edit=1') ? 2 : 1 : 0
  await waitFor('the panel', async () => await page.getByRole('dialog').count() >= dialogs)
  await waitFor('no skeleton', async () => await page.locator('.skeleton-row, .skeleton-text').count() === 0)
}
