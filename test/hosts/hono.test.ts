import { serve, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createBlueprint } from '../../lib/hosts/hono.ts'
import { getUrls, type DashboardUrl } from '../../lib/index.ts'
import { hostContract } from '../contracts/host.ts'

hostContract(t, 'Hono on Node', {
  knowsSocket: true,
  start(t, mounts) {
    const app = new Hono()
    const ops = new Hono()
    for (const { prefix, queueApp, options } of mounts) {
      // A sub-app with its own path in the pattern.
      const [target, path] = prefix.startsWith('/ops') ? [ops, prefix.slice('/ops'.length)] : [app, prefix]
      target.all(`${path}/*`, createBlueprint(queueApp, options))
    }
    app.route('/ops', ops)
    return listening(t, serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
  },
  startParsing(t, mounts) {
    const app = new Hono()
    app.use(async (context, next) => {
      if (context.req.method !== 'GET') await context.req.json().catch(() => null)
      await next()
    })
    for (const { prefix, queueApp, options } of mounts) app.all(`${prefix}/*`, createBlueprint(queueApp, { ...options, prefix }))
    return listening(t, serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }))
  }
})

hostContract(t, "Hono without Node's request", {
  knowsSocket: false,
  start(t, mounts) {
    const app = new Hono()
    for (const { prefix, queueApp, options } of mounts) app.all(`${prefix}/*`, createBlueprint(queueApp, options))
    return listening(t, serve({ fetch: request => app.fetch(request), port: 0, hostname: '127.0.0.1' }))
  }
})

hostContract(t, 'a host configured by a list of URLs', {
  knowsSocket: false,
  start(t, mounts) {
    const urls = mounts.flatMap(({ prefix, queueApp, options }) => getUrls(queueApp, { ...options, prefix }))
    const patterns = urls.map(url => ({ ...url, pattern: patternOf(url) }))
    const answer = (request: Request): Response | Promise<Response> => {
      const { pathname } = new URL(request.url)
      const found = patterns.find(({ method, pattern }) => method === request.method && pattern.test(pathname))
      return found ? found.handler(request) : new Response(null, { status: 404 })
    }
    return listening(t, serve({ fetch: answer, port: 0, hostname: '127.0.0.1' }))
  }
})

function patternOf({ path }: DashboardUrl): RegExp {
  return new RegExp(`^${path.replace('.', '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}

async function listening(t: Test, server: ServerType): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  t.teardown(async () => {
    const closed = once(server, 'close')
    server.close()
    ;(server as Server).closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
