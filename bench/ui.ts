/**
 * The interface against its budgets, in Chromium, on 300 tasks, 3,000 schedules and 50,000 executions, beside the overview of bull-board
 * on the same queues. It prints a table and always ends with 0. Run: npm run bench:ui [rounds] [executions]
 */
import type { Browser } from 'playwright-core'
import { ROUTES } from '../ui/src/format/places/routes.ts'
import { launchChromium } from '../test/support/programs/chromium.ts'
import { openBigApp } from './ui/big-app.ts'
import { loadView, type Load, type View } from './ui/page-load.ts'
import { scrollList } from './ui/scroll.ts'
import { watchStill } from './ui/still-page.ts'
import { weigh } from './ui/weights.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const SIZE = { tasks: 300, schedules: 3_000, executions: Number(process.argv[3] ?? 50_000) }
const SLOWDOWNS = [1, 4]
const PHONE_PX = 375
const ROW_PX = 36
let printed = false

const app = await openBigApp(SIZE)
try {
  await measure()
} finally {
  await app.stop()
}

async function measure(): Promise<void> {
  const views: View[] = ROUTES.map(({ path, title }) => ({
    name: title, address: app.ours + path,
    isUseful: path === '/'
      ? `document.querySelector('.figures .figure-value') && !document.querySelector('.figures .skeleton-text')`
      : `document.querySelector('main [data-row-link], main .agenda-link')`
  }))
  const board: View = { name: 'bull-board', address: `${app.board}/`, isUseful: `document.querySelector('a[href*="/queue/"]')` }

  const { initialScript, homeScript, style } = await weigh(app.ours)
  row('JavaScript of the first page until its first paint, gzip', '≤ 75 kB', `${initialScript.toFixed(1)} kB`, initialScript <= 75)
  row('with its charts', '≤ 95 kB', `${homeScript.toFixed(1)} kB`, homeScript <= 95)
  row('CSS, gzip', '≤ 14 kB', `${style.toFixed(1)} kB`, style <= 14)
  for (const slowdown of SLOWDOWNS) await inBrowser(`loads at ${slowdown}×`, browser => compareLoads(browser, views, board, slowdown))
  await inBrowser('still pages', async browser => { await Promise.all(views.map(view => reportStill(browser, view))) })
  await inBrowser('scrolling', browser => reportScroll(browser, views.find(view => view.address.endsWith('/executions'))!))
}

/** A browser that dies ends one part of the measurements, and the others go on. */
async function inBrowser(what: string, work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launchChromium()
  try {
    await work(browser)
  } catch (error) {
    row(what, '', `not measured: ${String(error).split('\n', 1)[0]!}`, false)
  } finally {
    await browser.close()
  }
}

async function compareLoads(browser: Browser, views: readonly View[], board: View, slowdown: number): Promise<void> {
  const theirs = await median(browser, board, slowdown)
  row(`useful paint of bull-board's overview, ${slowdown}×`, '', `${Math.round(theirs.usefulMs)} ms`, true)
  for (const view of views) {
    const load = await median(browser, view, slowdown)
    const ratio = load.usefulMs / theirs.usefulMs
    row(`useful paint of ${view.name}, ${slowdown}×`, '≤ 0.25', `${ratio.toFixed(2)} (${Math.round(load.usefulMs)} ms)`, ratio <= 0.25)
    if (slowdown > 1) continue
    row(`requests of ${view.name} until it is whole`, '≤ 8', String(load.requests), load.requests <= 8)
    row(`layout shift of ${view.name}`, '≤ 0.02', load.shift.toFixed(3), load.shift <= 0.02)
    const { shift } = await loadView(browser, view, { width: PHONE_PX })
    row(`layout shift of ${view.name}, ${PHONE_PX} px`, '≤ 0.02', shift.toFixed(3), shift <= 0.02)
  }
}

async function reportStill(browser: Browser, view: View): Promise<void> {
  const { requestsPerMinute, idlePercent, hiddenRequests } = await watchStill(browser, view)
  row(`requests a minute of ${view.name}, still`, '≤ 40', requestsPerMinute.toFixed(0), requestsPerMinute <= 40)
  row(`requests of ${view.name} in 15 s, hidden`, '0', String(hiddenRequests), hiddenRequests === 0)
  row(`main thread of ${view.name}, idle`, '≥ 97 %', `${idlePercent.toFixed(1)} %`, idlePercent >= 97)
}

async function reportScroll(browser: Browser, view: View): Promise<void> {
  const { rows, framesPerSecond, p95 } = await scrollList(browser, view, ROW_PX, SIZE.executions)
  row('rows loaded into the list', SIZE.executions.toLocaleString('en'), rows.toLocaleString('en'), rows >= SIZE.executions)
  row('frames a second while they scroll', '≥ 55', framesPerSecond.toFixed(1), framesPerSecond >= 55)
  row('time of a frame, p95', '≤ 18 ms', `${p95.toFixed(1)} ms`, p95 <= 18)
}

/** Of several loads in turn, the one in the middle by its useful paint; the worst of the rest. */
async function median(browser: Browser, view: View, slowdown: number): Promise<Load> {
  const loads: Load[] = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await loadView(browser, view, { slowdown }))
  loads.sort((one, other) => one.usefulMs - other.usefulMs)
  return {
    usefulMs: loads[Math.floor(loads.length / 2)]!.usefulMs,
    requests: Math.max(...loads.map(({ requests }) => requests)), shift: Math.max(...loads.map(({ shift }) => shift))
  }
}

function row(what: string, wanted: string, measured: string, isWithin: boolean): void {
  if (!printed) console.log('| what | wanted | measured | |\n|---|---|---|---|')
  printed = true
  console.log(`| ${what} | ${wanted} | ${measured} | ${isWithin ? '' : 'missed'} |`)
}
