import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createRouteHandlers, type RouteHandlers } from '../../lib/hosts/next.ts'
import { hostContract } from '../contracts/host.ts'
import { listen } from '../support/listen.ts'
import { ROOT } from '../support/source-files.ts'

process.env['NEXT_TELEMETRY_DISABLED'] = '1'

// Its types have no default export for ES modules.
const next = createRequire(import.meta.url)('next') as (options: { dir: string; quiet: boolean }) => NextServer
interface NextServer { prepare(): Promise<void>; close(): Promise<void>; getRequestHandler(): RequestListener }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

hostContract(t, 'Next.js', {
  knowsSocket: false,
  redirectsSlash: true,
  malformed: 500,
  async start(t, mounts) {
    // It finds its own package from the folder of the application upwards.
    const folder = await mkdtemp(join(ROOT, 'node_modules', '.next-test-'))
    t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    await writeFile(join(folder, 'package.json'), '{}')
    const dashboards = new Map<string, RouteHandlers>()
    // The built application runs in this process, and what it is given comes from here.
    Object.assign(globalThis, { dashboards })
    for (const { prefix, queueApp, options } of mounts) {
      dashboards.set(prefix, createRouteHandlers(queueApp, { ...options, prefix }))
      const route = join(folder, 'app', prefix, '[[...path]]')
      const handlers = METHODS.map((method) => `export const ${method} = (request) => globalThis.dashboards.get('${prefix}').${method}(request)`)
      await mkdir(route, { recursive: true })
      await writeFile(join(route, 'route.js'), `${handlers.join('\n')}\nexport const dynamic = 'force-dynamic'\n`)
    }
    await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], { cwd: folder })
    const app = next({ dir: folder, quiet: true })
    await app.prepare()
    t.teardown(() => app.close())
    const handle = app.getRequestHandler()
    return listen(t, createServer(handle))
  }
})
