/** Programs of a host. They run and compile in a separate project, where the package is imported by its name. */

/** Serves, makes requests and prints the responses. Its argument is the URL of a store; without it the queue is embedded. */
export const SERVED = `
import Fastify from 'fastify'
import { createServer } from 'node:http'
import { QueueApp, createBlueprint, dashboardPlugin } from 'fastify-task-dashboard'

const queueApp = QueueApp.fromUrls(process.argv[2] === undefined ? {} : { broker: process.argv[2] })
const greet = queueApp.task('greet', async name => 'Hello ' + name)
await queueApp.start()
const fastify = Fastify()
await fastify.register(dashboardPlugin, { prefix: '/a/b', queueApp })
const address = await fastify.listen({ port: 0, host: '127.0.0.1' })
const id = await queueApp.enqueue(greet, ['Ana'])
await queueApp.result(id, { waitMs: 20_000 })

const get = async (path, base = address) => {
  const response = await fetch(base + path)
  const text = await response.text()
  const type = response.headers.get('content-type')
  return { status: response.status, type, size: text.length, text, ...(/json/.test(type) ? { body: JSON.parse(text) } : {}) }
}
const page = await get('/a/b/')
const asset = await get('/a/b/' + /assets\\/initial-[^"]+\\.js/.exec(page.text)[0])
let stats = await get('/a/b/api/stats')
for (let tries = 0; stats.body.total_tasks !== 1 && tries < 600; tries++) {
  await new Promise(resolve => setTimeout(resolve, 100))
  stats = await get('/a/b/api/stats')
}
const openapi = await get('/a/b/api/openapi.json')

const server = createServer(createBlueprint(queueApp, { prefix: '/tasks', title: 'Elsewhere' }))
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const mounted = await get('/tasks/api/session', 'http://127.0.0.1:' + server.address().port)
server.close()
await fastify.close()
await queueApp.stop()
const found = { page, asset, stats, openapi, mounted, fastify: fastify.version }
console.log(JSON.stringify(found, (key, value) => key === 'text' ? undefined : value))
`

/** The module of a task of type "cpu". */
export const CPU_TASK = `
import { currentExecution } from 'fastify-task-dashboard'

export default () => ({ process: process.pid, executionId: currentExecution().executionId })
`

/** Runs that task and prints its result. Its argument is the URL of a store. */
export const CPU_HOST = `
import { QueueApp } from 'fastify-task-dashboard'

const queueApp = QueueApp.fromUrls({ broker: process.argv[2] })
queueApp.task('count', new URL('./cpu-task.js', import.meta.url), { type: 'cpu' })
await queueApp.start()
const executionId = await queueApp.enqueue('count', [])
const result = await queueApp.result(executionId, { waitMs: 20_000 })
await queueApp.stop()
console.log(JSON.stringify({ executionId, result, process: process.pid }))
`

/** Prints what works and what does not in a single bundled file. */
export const BUNDLED = `
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
  const wrong = { prefix: '/refused', queueApp, access: 'host', interfaceFolder: '.' }
  const refused = await outcomeOf(() => fastify.register(dashboardPlugin, wrong))
  const served = Fastify()
  await served.register(dashboardPlugin, { prefix: '/plain', queueApp, access: 'host' })
  await served.register(dashboardPlugin, { prefix: '/copied', queueApp, access: 'host', interfaceFolder: process.argv[2] })
  const get = async url => {
    const { statusCode: status, headers, body } = await served.inject(url)
    const type = headers['content-type']
    return { status, type, ...(/json/.test(type) ? { body: JSON.parse(body) } : { text: body }) }
  }
  const copied = await get('/copied/')
  const asset = await get('/copied/' + /assets\\/initial-[^"]+\\.js/.exec(copied.text)[0])
  const { status, body: { info } } = await get('/plain/api/openapi.json')
  // Kept short, because process.exit() cuts output longer than a pipe's buffer.
  const found = { cpu, embedded, refused, copied, asset, page: await get('/plain/'), openapi: { status, info } }
  console.log(JSON.stringify(found, (key, value) => key === 'text' ? undefined : value))
  process.exit(0)
}
main()
`

/** Every entry point, and Fastify with each kind of server, logger and type provider. */
export const COMPILED = `
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest, type FastifyTypeProvider } from 'fastify'
import dashboard, {
  QueueApp, createBlueprint, createRouter, dashboardPlugin, getUrls, hostRequestOf, isTaskDashboardError, type DashboardOptions
} from 'fastify-task-dashboard'
import { createBlueprint as createExpress } from 'fastify-task-dashboard/express'
import { createBlueprint as createKoa } from 'fastify-task-dashboard/koa'
import { createBlueprint as createHono } from 'fastify-task-dashboard/hono'
import { getUrls as getHapiUrls } from 'fastify-task-dashboard/hapi'
import { createRouteHandlers } from 'fastify-task-dashboard/next'
import { mountDashboard } from 'fastify-task-dashboard/nest'
import { createTaskDashboardClient } from 'fastify-task-dashboard/client'
import { Schedule } from 'fastify-task-dashboard/schemas'

/** Like @fastify/type-provider-json-schema-to-ts and others. */
interface Provider extends FastifyTypeProvider {
  validator: this['schema'] extends { example: infer Example } ? Example : unknown
  serializer: unknown
}

const queueApp = QueueApp.fromUrls({ broker: 'redis://localhost:6379/0' })
const authorize: NonNullable<DashboardOptions['authorize']> = (request, action) =>
  request.headers['x-role'] === 'admin' || action.endsWith(':view')
const options: DashboardOptions = { queueApp, authorize, environment: 'test', readOnly: true }

// Plain, with a logger, with HTTPS, with HTTP/2 in the clear and over TLS.
const plain = Fastify()
const logged = Fastify({ logger: { level: 'info' }, trustProxy: true })
const secure = Fastify({ https: { key: readFileSync('key'), cert: readFileSync('cert') } })
const http2 = Fastify({ http2: true })
const http2Secure = Fastify({ http2: true, https: { key: readFileSync('key'), cert: readFileSync('cert'), allowHTTP1: true } })
void plain.register(dashboardPlugin, { prefix: '/tasks', ...options })
void plain.register(dashboard, { prefix: '/other', queueApp, auth: { username: 'a', password: 'b' } })
void plain.register(createRouter(queueApp, { access: 'host' }), { prefix: '/third', tags: ['tasks'] })
void logged.register(dashboardPlugin, { prefix: '/tasks', ...options, logLevel: 'warn' })
void logged.register(createRouter(queueApp), { prefix: '/third' })
void secure.register(dashboardPlugin, { prefix: '/tasks', ...options })
void secure.register(createRouter(queueApp), { prefix: '/third' })
void http2.register(dashboardPlugin, { prefix: '/tasks', ...options })
void http2.register(createRouter(queueApp), { prefix: '/third' })
void http2Secure.register(dashboardPlugin, { prefix: '/tasks', ...options })
void http2Secure.register(createRouter(queueApp), { prefix: '/third' })

const typed = Fastify({ logger: true }).withTypeProvider<Provider>()
void typed.register(dashboardPlugin, { prefix: '/tasks', ...options })
void typed.register(createRouter(queueApp), { prefix: '/third' })
typed.get('/x', { schema: { querystring: { example: { x: 1 } } } }, async request => request.query.x.toFixed())
const typedSecure = Fastify({ http2: true, https: {}, logger: true }).withTypeProvider<Provider>()
void typedSecure.register(dashboardPlugin, { prefix: '/tasks', ...options })

export const inPlugin: FastifyPluginAsync = async fastify => {
  await fastify.register(dashboardPlugin, { prefix: '/tasks', ...options })
}
export async function inScope(fastify: FastifyInstance): Promise<void> {
  await fastify.register(async scope => { await scope.register(dashboardPlugin, options) })
}
export const roleOf = (request: FastifyRequest): unknown => hostRequestOf<IncomingMessage & { user?: string }>(request).user
export const blueprint = createBlueprint(queueApp, {
  prefix: '/tasks', logger: plain.log, configure: fastify => { fastify.addHook('onRequest', async () => {}) }
})
export const urls = getUrls(queueApp, { prefix: '/tasks', authorize })
export const elsewhere = [
  createExpress(queueApp), createKoa(queueApp, { prefix: '/tasks' }), createHono(queueApp),
  getHapiUrls(queueApp, { prefix: '/tasks' }), createRouteHandlers(queueApp, { prefix: '/tasks' })
]
export const mount = (app: Parameters<typeof mountDashboard>[0]): Promise<unknown> =>
  Promise.resolve(mountDashboard(app, queueApp, { prefix: '/tasks', access: 'host' }))
const send = queueApp.task('email:send', async (to: string) => to.length, { retries: 3, retryDelay: 5 })
void queueApp.enqueue(send, ['a@b.c'])
// @ts-expect-error a number is no address
void queueApp.enqueue(send, [1])
const client = createTaskDashboardClient({ baseUrl: 'http://localhost/tasks' })
export const answer = await client.GET('/api/tasks/{name}', { params: { path: { name: 'x' } } })
export const known: [string, boolean] = [String(Schedule.$id), isTaskDashboardError(new Error())]
// @ts-expect-error not an option
void plain.register(dashboardPlugin, { prefix: '/tasks', queueApp, redOnly: true })
`

/** For a project that is not ESM. */
export const COMMONJS = `
import { QueueApp, dashboardPlugin } from 'fastify-task-dashboard'
import Fastify = require('fastify')

void Fastify().register(dashboardPlugin, { prefix: '/tasks', queueApp: QueueApp.fromUrls() })
`
