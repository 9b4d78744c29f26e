/**
 * Compares the interface with its budgets, in Chromium, on 300 tasks, 3,000 schedules and 50,000 executions, beside bull-board's overview
 * of the same queues. It prints a table, and exits with 0 even if a budget is exceeded.
 * Run: npm run bench:ui [rounds] [executions] [loads|still|scrolling]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { ROUTES } from '../ui/src/format/places/routes.ts'
import { launchChromium } from '../test/support/programs/chromium.ts'
import { openBigApp } from './ui/big-app.ts'
import { arriveAt, loadView, type View } from './ui/page-load.ts'
import { scrollList } from './ui/scroll.ts'
import { watchStill } from './ui/still-page.ts'
import { weigh } from './ui/weights.ts'

const ROUNDS = Number(process.argv[2] ?? 3)
const SIZE = { tasks: 300, schedules: 3_000, executions: Number(process.argv[3] ?? 50_000) }
const WIDTHS = [1440, 375]
const SLOWDOWNS = [1, 4]
/** Time for the server to finish the requests of the previous page. */
const CALM_MS = 1_000
/** Height of a row of the executions grid. */
const ROW_PX = 36
const PARTS = {
  loads: (views: readonly View[], board: View) => reportLoads(views, board),
  still: (views: readonly View[]) => inBrowser(async browser => {
    await Promise.all(views.map(view => attempt(view.name, () => reportStill(browser, view))))
  }),
  scrolling: (views: readonly View[]) => inBrowser(async browser => {
    const view = views.find(({ address }) => address.endsWith('/executions'))!
    await attempt('scrolling', () => reportScroll(browser, view))
  })
}
const [wanted] = process.argv.slice(4)
const startedAt = performance.now()

const app = await openBigApp(SIZE)
try {
  await measure()
} finally {
  await app.stop()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`\n${ROUNDS} rounds, ${SIZE.executions.toLocaleString('en')} executions, ${seconds} s`)
}

async function measure(): Promise<void> {
  const views: View[] = ROUTES.map(({ path, title }) => ({
    name: title, address: app.ours + path,
    isUseful: path === '/'
      ? `document.querySelector('.figures .figure-value') && !document.querySelector('.figures .skeleton-text')`
      : `document.querySelector('main [data-row-link], main .agenda-link, main .state:not([role])')`
  }))
  const board: View = { name: 'bull-board', address: `${app.board}/`, isUseful: `document.querySelector('a[href*="/queue/"]')` }
  console.log('| what | measured | budget | |\n|---|---|---|---|')
  const { initialScript, homeScript, style } = await weigh(app.ours)
  row('JavaScript of the first page until its first paint, gzip', `${initialScript.toFixed(1)} kB`, '≤ 75 kB', initialScript <= 75)
  row('JavaScript of the first page with its charts, gzip', `${homeScript.toFixed(1)} kB`, '≤ 95 kB', homeScript <= 95)
  row('CSS, gzip', `${style.toFixed(1)} kB`, '≤ 14 kB', style <= 14)
  for (const [name, report] of Object.entries(PARTS)) if (wanted === undefined || wanted === name) await report(views, board)
}

async function reportLoads(views: readonly View[], board: View): Promise<void> {
  await inBrowser(async browser => {
    for (const view of views) await attempt(view.name, () => reportArrival(browser, view))
  })
  for (const slowdown of SLOWDOWNS) await inBrowser(browser => reportPaints(browser, views, board, slowdown))
}

/** This is also the first load of each page in a run, so the paints are measured on a warm server. */
async function reportArrival(browser: Browser, view: View): Promise<void> {
  for (const width of WIDTHS) {
    const { requests, shift } = await arriveAt(browser, view, width)
    if (width === WIDTHS[0]) row(`${view.name}: requests until it is whole`, String(requests), '≤ 8', requests <= 8)
    row(`${view.name}: layout shift, ${width} px`, shift.toFixed(3), '≤ 0.02', shift <= 0.02)
  }
}

/** Each round loads bull-board and then every page, so that other load on the machine affects all of them. */
async function reportPaints(browser: Browser, views: readonly View[], board: View, slowdown: number): Promise<void> {
  const paints = new Map<View, number[]>([board, ...views].map(view => [view, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [view, found] of paints) {
      await attempt(`${view.name}: useful paint, ${slowdown}×`, async () => { found.push(await loadView(browser, view, slowdown)) })
      await sleep(CALM_MS)
    }
  }
  const theirs = medianOf(paints.get(board)!)
  row(`bull-board: useful paint, ${slowdown}×`, `${Math.round(theirs)} ms`)
  for (const view of views) {
    const ours = medianOf(paints.get(view)!)
    const ratio = ours / theirs
    row(`${view.name}: useful paint beside it, ${slowdown}×`, `${ratio.toFixed(2)} (${Math.round(ours)} ms)`, '≤ 0.25', ratio <= 0.25)
  }
}

async function reportStill(browser: Browser, view: View): Promise<void> {
  const { requestsPerMinute, idlePercent, hiddenRequests } = await watchStill(browser, view)
  row(`${view.name}: requests per minute, still`, requestsPerMinute.toFixed(0), '≤ 40', requestsPerMinute <= 40)
  row(`${view.name}: main thread idle, still`, `${idlePercent.toFixed(1)} %`, '≥ 97 %', idlePercent >= 97)
  row(`${view.name}: requests in half a minute, hidden`, String(hiddenRequests), '0', hiddenRequests === 0)
}

async function reportScroll(browser: Browser, view: View): Promise<void> {
  const { rows, loadedMs, paces } = await scrollList(browser, view, ROW_PX, SIZE.executions)
  const all = SIZE.executions.toLocaleString('en')
  row(`Executions: rows loaded by scrolling, in ${Math.round(loadedMs / 1000)} s`, rows.toLocaleString('en'), all, rows >= SIZE.executions)
  for (const { name, framesPerSecond, p95 } of paces) {
    row(`Executions: frames per second, ${name}`, framesPerSecond.toFixed(1), '≥ 55', framesPerSecond >= 55)
    row(`Executions: time of a frame, p95, ${name}`, `${p95.toFixed(1)} ms`, '≤ 18 ms', p95 <= 18)
  }
}

async function inBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launchChromium()
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

/** A measurement that fails gets a row of its own, and the others go on. */
async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    row(`${what}: not measured`, String(error).split('\n', 1)[0]!, '', false)
  }
}

/** NaN if there are no values. NaN is within no budget. */
function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

function row(what: string, measured: string, budget = '', isWithin?: boolean): void {
  console.log(`| ${what} | ${measured} | ${budget} | ${isWithin === undefined ? '' : isWithin ? 'ok' : 'over'} |`)
}
