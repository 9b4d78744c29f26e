import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { identifyApp, type AppIdentity } from '../../../lib/queue-app/processes/app-identity.ts'
import { findClash } from '../../../lib/queue-app/processes/namespace-watch.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const WEB: AppIdentity = { appName: null, packages: [] }

function processOf(app: AppIdentity | undefined, ...tasks: string[]) {
  return { workerId: 'w', startedAt: 1, tasks, unreachable: 0, unwrittenSince: null, recordingProblem: null, ...(app && { app }) }
}

function appOf(appName: string | null, ...packages: string[]): AppIdentity {
  return { appName, packages }
}

t.test('a shared namespace is detected by different appNames, or by equal tasks ' +
  'from different packages', async t => {
  const [shop, billing] = [appOf(null, 'shop'), appOf(null, 'billing')]
  t.match(findClash([processOf(shop, 'cleanup', 'a', 'b'), processOf(billing, 'cleanup', 'b')], WEB), {
    reason: 'processes of "billing" and "shop" register the same task "b" and 1 more'
  })
  t.match(
    findClash([processOf(shop, 'cleanup'), processOf(appOf('billing', 'x'), 'cleanup')], WEB),
    { reason: /"billing" and "shop" register the same task "cleanup"$/ }
  )
  t.match(
    findClash([processOf(appOf('shop', 'root'), 'a'), processOf(appOf('billing', 'root'), 'b')], WEB),
    { reason: 'the appName of its processes is "billing" and "shop"' }
  )
  t.match(
    findClash([processOf(appOf('billing', 'x'), 'a')], appOf('shop', 'y')), { reason: /appName/ }, 'also a process without tasks'
  )
})

t.test('processes that may belong to one application never count as two', async t => {
  const quiet: Record<string, Parameters<typeof findClash>> = {
    'a web process and its workers': [[processOf(appOf(null, 'shop'), 'a'), processOf(appOf(null, 'shop'), 'a')], appOf(null, 'shop')],
    'workers with roles, in repositories of their own': [
      [processOf(appOf(null, 'mailer'), 'a'), processOf(appOf(null, 'reports'), 'b')], appOf(null, 'web')
    ],
    'services of a workspace that share the code of a task': [
      [processOf(appOf(null, 'root', 'web'), 'a'), processOf(appOf(null, 'root', 'worker'), 'a')], WEB
    ],
    'packages of one scope, in images of their own': [
      [processOf(appOf(null, '@acme', '@acme/web'), 'a'), processOf(appOf(null, '@acme', '@acme/worker'), 'a')], WEB
    ],
    'an image without package.json beside one that has it': [[processOf(appOf(null), 'a'), processOf(appOf(null, 'shop'), 'a')], WEB],
    'the same appName in different packages': [[processOf(appOf('shop', 'web'), 'a'), processOf(appOf('shop', 'worker'), 'a')], WEB],
    'a release that brings the appName, half rolled out': [
      [processOf(appOf(null, 'shop'), 'a'), processOf(appOf('Shop', 'shop'), 'a')], WEB
    ],
    'processes of an earlier version, which say nothing': [[processOf(undefined, 'a'), processOf(appOf('shop', 'x'), 'a')], WEB]
  }
  for (const [title, args] of Object.entries(quiet)) t.equal(findClash(...args), null, title)
})

t.test('an application is identified by the packages it was started from, with scope and workspace', async t => {
  const root = t.testdir({
    'package.json': '{ "name": "monorepo" }',
    apps: {
      web: { 'package.json': '{ "name": "@acme/web" }', dist: {} }, odd: { 'package.json': '{ "name": 7 }' },
      broken: { 'package.json': '{' }
    }
  })
  await mkdir(join(root, 'apps/none'), { recursive: true })
  const has = (folder: string, ...names: string[]) => {
    const { packages } = identifyApp(null, [join(root, folder)])
    for (const name of ['monorepo', ...names]) t.ok(packages.includes(name), `${folder}: ${name}`)
  }
  has('apps/web/dist', '@acme/web', '@acme')
  for (const folder of ['apps/odd', 'apps/broken', 'apps/none']) has(folder)
  t.notOk(identifyApp(null, [join(root, 'apps')]).packages.includes('@acme/web'), 'packages below are not read')
  await writeFile(join(root, 'package.json'), '[]')
  t.ok(identifyApp('shop').packages.includes('fastify-task-dashboard'), 'of the working directory')
})

t.test('onError and health report two applications in a namespace until one is gone', async t => {
  const broker = await redisUrl(t)
  const errors: Error[] = []
  const shop = start(t, broker, 'shop')
  await shop.start()
  t.match((await shop.monitoring.health()).components.workers, { healthy: true })
  const billing = start(t, broker, 'billing', error => { errors.push(error) })
  await billing.start()
  await waitFor('onError to be told', async () => errors.length > 0)
  t.match(errors, [{ code: 'NAMESPACE_SHARED', message: /the namespace "tasks".*"billing" and "shop"/ }])
  const health = await waitFor('the first to learn of the second', async () => {
    const report = await shop.monitoring.health()
    return report.status === 'degraded' && report
  })
  t.match(health, {
    status: 'degraded',
    components: {
      broker: { healthy: true }, workers: { healthy: false, message: /2 processes run tasks; two applications share the namespace/ }
    }
  })
  t.notMatch(health.components.workers.message, /shop|billing/)
  await billing.stop()
  await waitFor('health to be healthy again', async () => (await shop.monitoring.health()).components.workers.healthy)
})

function start(t: Test, broker: string, appName: string, onError: (error: Error) => void = () => {}): QueueApp {
  const queueApp = QueueApp.fromUrls({ broker, appName, onError })
  queueApp.task(`${appName}:work`, () => {})
  t.teardown(() => queueApp.stop())
  return queueApp
}
