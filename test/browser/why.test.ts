import Fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin } from '../../lib/index.ts'
import { buildStalls, type StallKind } from '../queue-app/monitoring/why/stalls.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { launchBrowser, openPage } from './browser.ts'

const browser = await launchBrowser(t)
const { stalls, asked } = await buildStalls(t, await redisUrl(t), { seed: 5, each: 1 })
const app = Fastify()
t.teardown(() => app.close())
await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: asked, access: 'host' })
const mount = `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
const addressOf = (kind: StallKind): string =>
  `${mount}/executions?execution=${stalls.find(stall => stall.kind === kind)!.executionId}`

const SAID: Record<StallKind, readonly [english: RegExp, german: RegExp]> = {
  paused: [/^Its queue: Paused by /, /^Ihre Warteschlange: Angehalten von /],
  no_worker: [/^No process runs this task now/, /^Kein Prozess führt diese Aufgabe aus/],
  workers_busy: [/^The process with this task is running as many as it can/, /^Der Prozess mit dieser Aufgabe führt so viele aus/],
  rate_limited: [/^The rate limit of \d per 1 h is reached: in /, /^Die Ratenbegrenzung von \d pro 1 h ist erreicht: in /],
  delayed: [/^It is not due yet: in /, /^Sie ist noch nicht fällig: in /],
  behind: [/^\d executions start before it\. At [\d.]+ per minute/, /^\d Ausführungen starten vor ihr\. Bei [\d,]+ pro Minute/],
  retrying: [/^Attempt 1 of \d failed/, /^Versuch 1 von \d schlug fehl/],
  worker_lost: [/^Its process ghost:1:dead stopped responding/, /^Ihr Prozess ghost:1:dead meldet sich nicht mehr/],
  concurrency_limit: [/^Its queue is full: /, /^Ihre Warteschlange ist voll: /]
}

t.test('the panel of an execution says why it does not run, in the language of the reader', async t => {
  for (const [index, locale, viewport, colorScheme] of [
    [0, 'en-US', { width: 1440, height: 900 }, 'light'], [1, 'de-DE', { width: 375, height: 800 }, 'dark']
  ] as const) {
    for (const [kind, said] of Object.entries(SAID) as Array<[StallKind, (typeof SAID)[StallKind]]>) {
      const { page, troubles } = await openPage(t, browser, addressOf(kind), { locale, viewport, colorScheme })
      const first = page.locator('.reasons li').first()
      await first.waitFor()
      t.match((await first.innerText()).replace(/\s+/g, ' ').trim(), said[index], kind)
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${kind} fits`)
      t.same(troubles, [])
      await page.context().close()
    }
  }
})

t.test('Enter on a reason opens the page that explains it', async t => {
  const { page } = await openPage(t, browser, addressOf('paused'))
  const link = page.locator('.reasons').getByRole('link', { name: 'Queues' })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workers\?find=/)
  await page.locator('.alert.reasons').getByText('Paused').first().waitFor()
})

t.test('the reasons disappear once the execution runs, without a reload', async t => {
  const stall = stalls.find(({ kind }) => kind === 'paused')!
  const { taskName } = (await asked.monitoring.execution(stall.executionId))!
  const { page } = await openPage(t, browser, addressOf('paused'))
  await page.getByRole('heading', { name: 'Why it does not run' }).waitFor()
  await asked.operations.resumeQueue(taskName)
  await page.getByRole('heading', { name: 'Why it does not run' }).waitFor({ state: 'detached' })
  t.pass('the panel updates')
})
