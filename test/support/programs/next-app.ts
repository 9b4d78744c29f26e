import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../source-files.ts'

interface NextServer { prepare(): Promise<void>; close(): Promise<void>; getRequestHandler(): RequestListener }

/**
 * A production build of a Next.js application, served in this process.
 // @param routes source of each `route.js`, keyed by its folder below `app`; it shares `globalThis` with the caller
 */
export async function createNextApp(routes: Record<string, string>): Promise<{ handle: RequestListener; close(): Promise<void> }> {
  process.env['NEXT_TELEMETRY_DISABLED'] = '1'
  // Next.js looks for its own package from the application's folder upwards.
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.next-test-'))
  await writeFile(join(folder, 'package.json'), '{}')
  for (const [path, source] of Object.entries(routes)) {
    await mkdir(join(folder, 'app', path), { recursive: true })
    await writeFile(join(folder, 'app', path, 'route.js'), `${source}\nexport const dynamic = 'force-dynamic'\n`)
  }
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], { cwd: folder })
  // Its types have no default export for ES modules.
  const next = createRequire(import.meta.url)('next') as (options: { dir: string; quiet: boolean }) => NextServer
  const app = next({ dir: folder, quiet: true })
  await app.prepare()
  return {
    handle: app.getRequestHandler(),
    async close() {
      await app.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
