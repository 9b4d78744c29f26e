import fastify from 'fastify'
import t from 'tap'
import { dashboardPlugin, QueueApp } from '../../lib/index.ts'
import { connectionOf, openQueue, OWNERS, startOwnersWorker } from '../support/programs/owners-of-queues.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'
import { findViolations } from './axe.ts'
import { launchBrowser, openPage } from './browser.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const url = await redisUrl(t)
const queue = openQueue(t, 6, 'resize', url)
openQueue(t, 6, 'publish', url)
const flow = new OWNERS[6].FlowProducer({ connection: connectionOf(url) })
const album = await flow.add({
  name: 'album', queueName: 'publish', data: {},
  opts: { telemetry: { metadata: JSON.stringify({ traceparent: `00-${TRACE}-b7ad6b7169203331-01` }) } },
  children: [
    { name: 'small', queueName: 'resize', data: {}, opts: { jobId: 'small' } },
    { name: 'large', queueName: 'resize', data: { fail: true }, opts: { jobId: 'large' } },
    { name: 'other', queueName: 'elsewhere', data: {}, opts: { jobId: 'x' } }
  ]
})
await flow.close()
const held = await queue.add('small', {}, { delay: 600_000, deduplication: { id: 'album-7', ttl: 600_000 } })
const gone = await queue.add('large', {}, { removeOnComplete: true })
const queueApp = QueueApp.fromQueues({ broker: url, queues: ['publish', 'resize'] })
await queueApp.start()
const worker = startOwnersWorker(t, 6, 'resize', url)
await waitFor('the worker', async () => worker.outcomes.length === 3)
const app = fastify()
await app.register(dashboardPlugin, {
  prefix: '/tasks', queueApp, access: 'host', interface: { traceUrl: 'https://traces.example.com/trace/{trace_id}' }
})
const mount = `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
const browser = await launchBrowser(t)
t.teardown(async () => {
  await app.close()
  await queueApp.stop()
})
await waitFor('the history', async () => (await queueApp.monitoring.executions({ taskName: 'resize' })).executions
  .filter(({ finishedAt }) => finishedAt !== null).length === 3)

const VIEWS = [
  ['en-US', { width: 1440, height: 900 }, 'light'], ['de-DE', { width: 768, height: 900 }, 'dark'],
  ['de-DE', { width: 375, height: 800 }, 'light']
] as const

t.test('the panel of a parent links to its children and its trace, and names queues that are not observed; a child links back', async t => {
  for (const [locale, viewport, colorScheme] of VIEWS) {
    const address = `${mount}/executions?execution=${encodeURIComponent(`publish:${album.job.id}`)}`
    const { page, troubles } = await openPage(t, browser, address, { locale, viewport, colorScheme })
    const job = page.locator('.panel .part', { has: page.getByRole('heading', { name: 'Job in BullMQ' }) })
    await job.waitFor()
    t.match(await job.innerText(), /bull:elsewhere:x\s+\((queue not observed|Warteschlange wird nicht beobachtet)\)/)
    const trace = job.getByRole('link', { name: TRACE })
    t.equal(await trace.getAttribute('href'), `https://traces.example.com/trace/${TRACE}`)
    t.equal(await trace.getAttribute('rel'), 'noreferrer')
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${viewport.width} fits`)
    t.same(await findViolations(page), [])
    await job.getByRole('link', { name: /^resize:small@/ }).click()
    await job.getByRole('link', { name: `publish:${album.job.id}` }).waitFor()
    t.same(troubles, [])
    await page.context().close()
  }
})

t.test('the panel names the job that holds a deduplication key, and guesses nothing about a removed job', async t => {
  const { page, troubles } = await openPage(t, browser, `${mount}/executions?execution=${encodeURIComponent(`resize:${held.id}`)}`)
  await page.getByText('album-7').waitFor()
  t.match(await page.locator('.panel').innerText(), /album-7, held until /)
  const { executions } = await queueApp.monitoring.executions({ taskName: 'resize' })
  const removed = executions.find(({ executionId }) => executionId.startsWith(`resize:${gone.id}@`))!
  await page.goto(`${mount}/executions?execution=${encodeURIComponent(removed.executionId)}`)
  await page.getByText('The queue no longer has this run of the job.').waitFor()
  t.same(troubles, [])
})

t.test('job names are listed under the task of their queue and do not count as tasks; their page links to that task', async t => {
  t.equal((await queueApp.monitoring.statistics()).registeredTasks, 2)
  for (const [locale, viewport, colorScheme] of VIEWS) {
    const { page, troubles } = await openPage(t, browser, `${mount}/tasks?sort=-finished`, { locale, viewport, colorScheme })
    await page.locator('[data-row-link="resize:large"]').waitFor()
    const shown = await page.evaluate<string[]>('[...document.querySelectorAll("[data-row-link]")].map(link => link.dataset.rowLink)')
    t.equal(shown[0], 'resize')
    t.same(shown.slice(1, 3).toSorted(), ['resize:large', 'resize:small'])
    t.equal(shown[3], 'publish')
    t.match(await page.locator('.page-header').innerText(), locale === 'en-US' ? /2 tasks, 2 job names/ : /2 Aufgaben, 2 Jobnamen/)
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${viewport.width} fits`)
    t.same(await findViolations(page), [])
    await page.locator('[data-row-link="resize:large"]').click()
    const part = page.getByText(locale === 'en-US' ? 'Jobs with this name in the queue' : 'Die Jobs eines Namens in')
    await part.getByRole('link', { name: 'resize' }).click()
    await page.waitForURL(/name=resize$/)
    t.same(troubles, [])
    await page.context().close()
  }
})
