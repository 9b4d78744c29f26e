import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import Hapi from '@hapi/hapi'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { createBlueprint as createHonoBlueprint } from '../lib/hosts/hono.ts'
import { getUrls as getHapiUrls } from '../lib/hosts/hapi.ts'
import { createBlueprint as createKoaBlueprint } from '../lib/hosts/koa.ts'
import { createRouteHandlers } from '../lib/hosts/next.ts'
import { createBlueprint, createRouter, getUrls, QueueApp } from '../lib/index.ts'
import { createNextApp } from '../test/support/programs/next-app.ts'

/**
 * Requests per second of `/api/stats` through each host, compared with a trivial native route of that host that returns the same
 * precomputed object: `npm run bench hosts [seconds] [rounds] [host]`. Both are measured in turn, in the same process.
 */
const SECONDS = Number(process.argv[2] ?? 3)
const ROUNDS = Number(process.argv[3] ?? 3)
const CONNECTIONS = 20

await measure()

async function measure(): Promise<void> {
  const queueApp = QueueApp.fromUrls()
  queueApp.task('greet', async () => 'Hello')
  await queueApp.start()
  const options = { access: 'host' } as const

  const fastify = Fastify()
  await fastify.register(createRouter(queueApp, options), { prefix: '/tasks' })
  fastify.get('/native', async () => stats)
  const stats = (await fastify.inject('/tasks/api/stats')).json<object>()

  const node = createBlueprint(queueApp, { ...options, prefix: '/tasks' })
  const onExpress = [express(), express4()].map(app => {
    app.use('/tasks', createBlueprint(queueApp, options))
    app.get('/native', (_request, response) => { response.json(stats) })
    return app
  })
  const koa = new Koa()
  koa.use(createKoaBlueprint(queueApp, { ...options, prefix: '/tasks' }))
  koa.use(context => { context.body = stats })
  const hono = new Hono()
  hono.all('/tasks/*', createHonoBlueprint(queueApp, options))
  hono.get('/native', context => context.json(stats))
  const listener = createServer()
  const hapi = Hapi.server({ listener, autoListen: false })
  hapi.route(getHapiUrls(queueApp, { ...options, prefix: '/tasks' }))
  hapi.route({ method: 'GET', path: '/native', handler: () => stats })
  await hapi.start()
  const { handler } = getUrls(queueApp, { ...options, prefix: '/tasks' })[0]!
  const web = getRequestListener(incoming => incoming.url.endsWith('/native') ? Response.json(stats) : handler(incoming))

  Object.assign(globalThis, { stats, dashboard: createRouteHandlers(queueApp, { ...options, prefix: '/tasks' }) })
  const next = await createNextApp({
    native: 'export const GET = () => Response.json(globalThis.stats)',
    'tasks/[[...path]]': 'export const GET = (request) => globalThis.dashboard.GET(request)'
  })

  const [onKoa, onHono] = [koa.callback(), getRequestListener(hono.fetch)]

  const hosts: Record<string, RequestListener | Server> = {
    Fastify: (request_, response) => fastify.routing(request_, response),
    'node:http': (request_, response) => {
      void node(request_, response, () =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stats)))
    },
    'Express 5': onExpress[0]! as RequestListener,
    'Express 4': onExpress[1]!,
    Koa: (request_, response) => { void onKoa(request_, response) },
    Hono: (request_, response) => { void onHono(request_, response) },
    Hapi: listener,
    'Request → Response': (request_, response) => { void web(request_, response) },
    'Next.js': next.handle
  }
  console.log(`${SECONDS} s a measurement, ${ROUNDS} rounds, ${CONNECTIONS} connections; medians`)
  for (const [name, listener] of Object.entries(hosts).filter(([each]) => !process.argv[4] || each.includes(process.argv[4])))
    await compare(name, listener)
  await next.close()
  await queueApp.stop()
  process.exit(0)
}

async function compare(name: string, listener: RequestListener | Server): Promise<void> {
  const server = (typeof listener === 'function' ? createServer(listener) : listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rates = { native: [] as number[], dashboard: [] as number[] }
  for (const path of ['/native', '/tasks/api/stats']) await rateOf(`${address}${path}`, 1)
  for (let round = 0; round < ROUNDS; round++) {
    rates.native.push(await rateOf(`${address}/native`, SECONDS))
    rates.dashboard.push(await rateOf(`${address}/tasks/api/stats`, SECONDS))
  }
  server.closeAllConnections()
  server.close()
  const [native, dashboard] = [median(rates.native), median(rates.dashboard)]
  console.log(`| ${name} | ${Math.round(dashboard)} | ${Math.round(native)} | ${(dashboard / native).toFixed(2)} |`)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** The load comes from a separate process, so that the host has a core to itself. */
async function rateOf(url: string, seconds: number): Promise<number> {
  const autocannon = createRequire(import.meta.url).resolve('autocannon')
  const { stdout } = await promisify(execFile)(
    process.execPath, [autocannon, '-j', '-n', '-c', String(CONNECTIONS), '-d', String(seconds), url]
  )
  const { requests, duration, non2xx } = JSON.parse(stdout) as { requests: { total: number }; duration: number; non2xx: number }
  if (non2xx > 0) throw new Error(`${url} refused ${non2xx} requests`)
  return requests.total / duration
}
