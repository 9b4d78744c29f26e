import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { createRouteHandlers, type RouteHandlers } from '../../lib/hosts/next.ts'
import { hostContract } from '../contracts/host.ts'
import { listen } from '../support/network/listen.ts'
import { createNextApp } from '../support/programs/next-app.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

hostContract(t, 'Next.js', {
  knowsSocket: false,
  redirectsSlash: true,
  malformed: 500,
  async start(t, mounts) {
    const dashboards = new Map<string, RouteHandlers>()
    // The built application runs in this process and finds its dashboards here.
    Object.assign(globalThis, { dashboards })
    const routes: Record<string, string> = {}
    for (const { prefix, queueApp, options } of mounts) {
      dashboards.set(prefix, createRouteHandlers(queueApp, { ...options, prefix }))
      routes[join(prefix, '[[...path]]')] = METHODS.map(method =>
        `export const ${method} = (request) => globalThis.dashboards.get('${prefix}').${method}(request)`).join('\n')
    }
    const app = await createNextApp(routes)
    t.teardown(() => app.close())
    return listen(t, createServer(app.handle))
  }
})
