import t from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { healthy, serve } from './calm-monitoring.ts'
import { CLOCK, launchBrowser, openPage, untilFocused } from './browser.ts'

const browser = await launchBrowser(t)
const MINUTE = 60_000

/** A schedule that ran twice, is running, missed three runs in a row and is due again. */
async function planned(): Promise<Monitoring> {
  const monitoring = healthy()
  const now = Math.floor(Date.now() / MINUTE) * MINUTE
  const [sample] = await monitoring.schedules()
  const schedule = { ...sample!, description: 'Nightly report', nextRunAt: now + 10 * MINUTE }
  const { executions: [execution] } = await monitoring.executions({ limit: 1 })
  const run = (minutesAgo: number, waitMs: number, rest: object = {}) => {
    const dueAt = now - minutesAgo * MINUTE
    return {
      ...execution!, executionId: `repeat:s-1:${dueAt}`, scheduleId: 's-1', submittedAt: dueAt - MINUTE, waitMs, startedAt: dueAt + waitMs,
      finishedAt: dueAt + waitMs + 1_000, status: 'success' as const, state: 'completed' as const, error: null, errorGroup: null, ...rest
    }
  }
  const error = { type: 'TypeError', message: 'no recipients', stack: null }
  const all = [
    run(5, 200, { status: 'running', state: 'active', finishedAt: null }), run(25, 95_000),
    run(45, 0, { status: 'failed', state: 'failed', error }), run(3, 0, { executionId: 'by-hand' })
  ]
  return {
    ...monitoring,
    schedules: async () => [schedule], schedule: async () => schedule,
    scheduleMisses: async () => [
      {
        kind: 'missed', reason: 'process_down', firstDueAt: now - 40 * MINUTE, lastDueAt: now - 30 * MINUTE, count: 3,
        recordedAt: now - 29 * MINUTE, lateMs: null, executionId: null
      },
      {
        kind: 'late', reason: 'busy', firstDueAt: now - 25 * MINUTE, lastDueAt: now - 25 * MINUTE, count: 1, recordedAt: now - 23 * MINUTE,
        lateMs: 95_000, executionId: all[1]!.executionId
      }
    ],
    previewSchedule(timing, options) {
      const preview = monitoring.previewSchedule(timing, options)
      return { ...preview, runs: preview.runs.map((each, index) => ({ ...each, at: now + (index + 1) * 10 * MINUTE })) }
    },
    executions: async query => query.scheduleId === 's-1'
      ? { executions: all, nextCursor: null, total: { value: all.length, relation: 'exact' }, scanned: null, complete: true }
      : monitoring.executions(query)
  }
}

t.test('the agenda shows planned and actual runs side by side, by keyboard too', async t => {
  const { page, troubles } = await openPage(t, browser, `${await serve(t, await planned())}/schedules/agenda?days=past`)
  await page.locator('[data-row-link]').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/agenda\?days=past&schedule=s-1$/)
  const panel = page.getByRole('dialog', { name: 'Schedule' })
  const rows = panel.getByRole('table', { name: 'Planned and actual' }).locator('tbody tr')
  await rows.nth(3).waitFor()
  const texts = await rows.allInnerTexts()
  t.equal(texts.length, 4, 'a run that someone started was not planned')
  t.match(texts[0], /on time\s+Running/)
  t.match(texts[1], /\+1 m 35 s\s+Success\s+late: all workers were busy/)
  t.match(texts[2], new RegExp(String.raw`to ${CLOCK}\s+did not start\s+Missed\s+3 runs\s+no process was running`))
  t.match(texts[3], /on time\s+Failed\s+TypeError/)
  t.equal(await rows.getByText('Upcoming').count(), 0, 'the past has no upcoming runs')

  await page.keyboard.press('Escape')
  await page.waitForURL(/\/agenda\?days=past$/)
  await untilFocused(page.locator('[data-row-link]'))
  t.same(troubles, [])
})

t.test('upcoming runs stay in the agenda, before the latest past ones, and each run has its own address', async t => {
  const { page, troubles } = await openPage(t, browser, `${await serve(t, await planned())}/schedules/agenda?schedule=s-1`)
  const rows = page.getByRole('table', { name: 'Planned and actual' }).locator('tbody tr')
  await rows.nth(8).waitFor()
  t.same((await rows.allInnerTexts()).map(text => /Upcoming|Running|Success|Missed|Failed/.exec(text)?.[0]), [
    'Upcoming', 'Upcoming', 'Upcoming', 'Upcoming', 'Upcoming', 'Running', 'Success', 'Missed', 'Failed'
  ])
  t.same(troubles, [])
  await rows.getByRole('link', { name: 'Failed' }).click()
  await page.waitForURL(/\/executions\?schedule=s-1&execution=repeat/)
})

t.test('on a phone the plan fits the screen', async t => {
  const { page, troubles } = await openPage(t, browser, `${await serve(t, await planned())}/schedules/agenda?schedule=s-1`, {
    viewport: { width: 375, height: 812 }
  })
  await page.getByRole('table', { name: 'Planned and actual' }).getByText('+1 m 35 s').waitFor()
  t.equal(await page.evaluate('[...document.querySelectorAll(".panel *")].every(each => each.getBoundingClientRect().right <= 376)'), true)
  t.same(troubles, [])
})

t.test('the last hour of the day is in view on a laptop, beside the name of each schedule', async t => {
  const mount = await serve(t, await planned())
  const { page } = await openPage(t, browser, `${mount}/schedules/agenda`, { viewport: { width: 1280, height: 800 } })
  const frame = page.locator('.agenda-frame')
  await frame.getByRole('row').nth(2).waitFor()
  const beyond = await page.evaluate(
    '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".agenda-frame"))'
  )
  t.equal(beyond, 0, 'nothing is out of sight')
})
