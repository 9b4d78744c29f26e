import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { VERSION } from '../../lib/dashboard/version.ts'
import { ROOT, listFiles } from '../support/source-files.ts'

// It builds and installs.
t.setTimeout(600_000)

const run = promisify(execFile)
const project = await mkdtemp(join(tmpdir(), 'tasks-package-'))
t.teardown(() => rm(project, { recursive: true, force: true }))

await buildWhenStale()
const packed = JSON.parse(await npm(ROOT, 'pack', '--ignore-scripts', '--json', '--pack-destination', project)) as unknown
const { filename, files } = firstPackage(packed)
const paths = files.map(file => file.path)

t.test('the package has what it exports, its interface and its documents, and nothing else', async t => {
  for (const path of ['dist/lib/index.js', 'dist/lib/index.d.ts', 'dist/lib/client/index.js', 'dist/schemas/index.js', 'ui-dist/index.html', 'docs/openapi.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    t.ok(paths.includes(path), path)
  }
  t.ok(paths.some(path => /^ui-dist\/assets\/.*\.js$/.test(path)), 'assets of the interface')
  t.same(paths.filter(path => !/^(dist|lib|schemas|ui-dist|docs)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)), [])
  t.same(paths.filter(path => /\.test\.|\.env|node_modules/.test(path)), [])
})

t.test('package.json exports what resolves in every runtime', async t => {
  const { messages, pkg } = await publint({ pkgDir: ROOT, pack: false })
  t.same(messages.filter(message => message.type !== 'suggestion').map(message => formatMessage(message, pkg)), [])
})

t.test('the version in the code is that of the package', async t => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  t.equal(VERSION, version)
})

t.test('the lock file names no host', async t => {
  const lock = await readFile(join(ROOT, 'package-lock.json'), 'utf8')
  t.notMatch(lock, /"resolved"/)
})

t.test('a fresh project installs it, mounts it, and gets its pages, an asset and an answer of the API', async t => {
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }))
  await npm(project, 'install', `./${filename}`, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error')
  await writeFile(join(project, 'host.js'), HOST)
  const { stdout } = await run(process.execPath, ['host.js'], { cwd: project, timeout: 180_000 })
  const seen = JSON.parse(stdout) as Record<'page' | 'asset' | 'stats' | 'openapi', { status: number, type: string, size: number, body?: Record<string, unknown> }>
  t.match(seen.page, { status: 200, type: /^text\/html/ })
  t.match(seen.asset, { status: 200, type: /javascript/ })
  t.ok(seen.asset.size > 10_000, 'the asset is the interface')
  t.match(seen.stats, { status: 200, type: /json/, body: { total_tasks: 1, registered_tasks: 1 } })
  t.match(seen.openapi, { status: 200, body: { openapi: /^3\.1/ } })
})

t.test('bundled, as ES modules or CommonJS, it works but for what needs files on the disk, and says what to do about that', async t => {
  await writeFile(join(project, 'bundled.js'), BUNDLED)
  const elsewhere = await mkdtemp(join(tmpdir(), 'tasks-bundle-'))
  t.teardown(() => rm(elsewhere, { recursive: true, force: true }))
  // What the host's own package says is none of ours.
  await writeFile(join(elsewhere, 'package.json'), JSON.stringify({ name: 'host', version: '9.9.9' }))
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  for (const [format, name] of [['cjs', 'bundle.cjs'], ['esm', 'bundle.mjs']] as const) {
    const banner = format === 'esm' ? ["--banner:js=import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"] : []
    await run(process.execPath, [join(ROOT, 'node_modules/esbuild/bin/esbuild'), 'bundled.js', '--bundle', '--platform=node', `--format=${format}`, '--log-level=error', ...banner, `--outfile=${join(elsewhere, name)}`], { cwd: project })
    const { stdout } = await run(process.execPath, [name, join(ROOT, 'ui-dist')], { cwd: elsewhere, timeout: 60_000 })
    t.match(JSON.parse(stdout), {
      cpu: { code: 'INVALID_TASK', message: /leave fastify-task-dashboard out of the bundle/ },
      embedded: { code: 'MISSING_PACKAGE', message: /@electric-sql\/pglite/ },
      openapi: { status: 200, info: { version } },
      page: { status: 501, body: { code: 'INTERFACE_MISSING', detail: /interfaceFolder/ } },
      copied: { status: 200, type: /^text\/html/ },
      asset: { status: 200, type: /javascript/ },
      refused: { code: 'INVALID_OPTIONS', message: /interfaceFolder/ }
    }, format)
  }
})

t.test('a program that uses it compiles, and one that uses it wrongly does not', async t => {
  await writeFile(join(project, 'consumer.ts'), CONSUMER)
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const outcome = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, '--skipLibCheck', 'consumer.ts'], { cwd: project })
    .catch((error: { stdout: string }) => error)
  t.equal(outcome.stdout, '')
})

const HOST = `
import Fastify from 'fastify'
import { QueueApp, dashboardPlugin } from 'fastify-task-dashboard'

const queueApp = QueueApp.fromUrls()
const greet = queueApp.task('greet', async name => 'Hello ' + name)
await queueApp.start()
const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/a/b', queueApp })
const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
const id = await queueApp.enqueue(greet, ['Ana'])
await queueApp.result(id, { waitMs: 20_000 })

const get = async path => {
  const response = await fetch(address + path)
  const text = await response.text()
  const type = response.headers.get('content-type')
  return { status: response.status, type, size: text.length, text, ...(/json/.test(type) ? { body: JSON.parse(text) } : {}) }
}
const page = await get('/a/b/')
const asset = await get('/a/b/' + /assets\\/[^"]+\\.js/.exec(page.text)[0])
let stats = await get('/a/b/api/stats')
for (let tries = 0; stats.body.total_tasks !== 1 && tries < 600; tries++) {
  await new Promise(resolve => setTimeout(resolve, 100))
  stats = await get('/a/b/api/stats')
}
const openapi = await get('/a/b/api/openapi.json')
await fastify.close()
await queueApp.stop()
console.log(JSON.stringify({ page, asset, stats, openapi }, (key, value) => key === 'text' ? undefined : value))
`

const BUNDLED = `
import Fastify from 'fastify'
import { QueueApp, dashboardPlugin } from 'fastify-task-dashboard'

const outcomeOf = async act => {
  try { await act() } catch ({ code, message }) { return { code, message } }
}

async function main() {
  const queueApp = QueueApp.fromUrls({ broker: 'redis://127.0.0.1:1/0' })
  const cpu = await outcomeOf(() => queueApp.task('count', new URL('file:///count.js'), { type: 'cpu' }))
  const embedded = await outcomeOf(() => QueueApp.fromUrls({ onError() {} }).start())
  const fastify = Fastify()
  const refused = await outcomeOf(() => fastify.register(dashboardPlugin, { prefix: '/refused', queueApp, access: 'host', interfaceFolder: '.' }))
  const served = Fastify()
  await served.register(dashboardPlugin, { prefix: '/plain', queueApp, access: 'host' })
  await served.register(dashboardPlugin, { prefix: '/copied', queueApp, access: 'host', interfaceFolder: process.argv[2] })
  const get = async url => {
    const { statusCode: status, headers, body } = await served.inject(url)
    const type = headers['content-type']
    return { status, type, ...(/json/.test(type) ? { body: JSON.parse(body) } : { text: body }) }
  }
  const copied = await get('/copied/')
  const asset = await get('/copied/' + /assets\\/[^"]+\\.js/.exec(copied.text)[0])
  const { status, body: { info } } = await get('/plain/api/openapi.json')
  // Short, as the end of the process cuts what is longer than a pipe holds.
  console.log(JSON.stringify({ cpu, embedded, refused, copied, asset, page: await get('/plain/'), openapi: { status, info } }, (key, value) => key === 'text' ? undefined : value))
  process.exit(0)
}
main()
`

const CONSUMER = `
import Fastify from 'fastify'
import dashboard, { QueueApp, dashboardPlugin, isTaskDashboardError, type DashboardOptions } from 'fastify-task-dashboard'
import { createTaskDashboardClient } from 'fastify-task-dashboard/client'
import { Schedule } from 'fastify-task-dashboard/schemas'

const queueApp = QueueApp.fromUrls({ broker: 'redis://localhost:6379/0' })
const send = queueApp.task('email:send', async (to: string) => to.length, { retries: 3, retryDelay: 5 })
void queueApp.enqueue(send, ['a@b.c'])
// @ts-expect-error a number is no address
void queueApp.enqueue(send, [1])
const options: DashboardOptions = { queueApp, authorize: (_request, action) => action.endsWith(':view') }
const fastify = Fastify()
void fastify.register(dashboardPlugin, { prefix: '/tasks', ...options })
void fastify.register(dashboard, { prefix: '/other', queueApp, auth: { username: 'a', password: 'b' } })
void createTaskDashboardClient({ baseUrl: 'http://localhost/tasks' }).GET('/api/tasks/{name}', { params: { path: { name: 'x' } } })
export const known = [Schedule.$id, isTaskDashboardError(new Error())]
`

/** npm says some things on stderr and the answer on stdout. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, timeout: 280_000, maxBuffer: 32 * 1024 * 1024 })
  return stdout
}

// One object in an array, or by name since npm 11.
function firstPackage(packed: unknown): { filename: string, files: Array<{ path: string }> } {
  const [first] = Object.values(packed as Record<string, { filename: string, files: Array<{ path: string }> }>)
  return first!
}

async function buildWhenStale(): Promise<void> {
  const built = join(ROOT, 'dist/lib/index.js')
  const sources = [...listFiles('lib', /\.ts$/), ...listFiles('schemas', /\.ts$/)].map(path => statSync(join(ROOT, path)).mtimeMs)
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources)) return
  await npm(ROOT, 'run', 'build', '--silent')
}
