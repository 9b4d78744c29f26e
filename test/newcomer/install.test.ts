import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { VERSION } from '../../lib/version.ts'
import { OLDEST_FASTIFY, newestProject, oldestProject, runPlainly } from '../support/programs/packed-package.ts'
import { PROJECT } from '../support/source-files.ts'
import { redisUrl } from '../support/servers/stores.ts'
import { BUNDLED, CPU_HOST, CPU_TASK, SERVED } from './programs.ts'

// Installing takes long on a slow machine.
t.setTimeout(900_000)

const [newest, oldest] = await Promise.all([newestProject(), oldestProject()])

t.test('a new project can install and mount the package, and gets its pages, an asset and an API response', async t => {
  const seen = await serve(newest)
  t.match(seen, SERVED_WELL)
  t.ok(seen.asset.size > 10_000, 'the asset is the interface')
})

t.test('the package works with the oldest supported Fastify, without installing a second copy', async t => {
  const seen = await serve(oldest, await redisUrl(t))
  t.match(seen, { ...SERVED_WELL, fastify: OLDEST_FASTIFY })
  const { stdout } = await runPlainly(oldest, 'npm', 'ls', 'fastify', '--json')
  const tree = JSON.parse(stdout) as {
    dependencies: Record<string, { version: string, dependencies?: Record<string, { version: string }> }>
  }
  t.equal(tree.dependencies['fastify-task-dashboard']?.dependencies?.['fastify']?.version, OLDEST_FASTIFY)
})

t.test('a task of type "cpu" runs in a process of its own and knows its execution', async t => {
  await writeFile(join(newest, 'cpu-task.js'), CPU_TASK)
  await writeFile(join(newest, 'cpu-host.js'), CPU_HOST)
  const { stdout, stderr } = await runPlainly(newest, process.execPath, 'cpu-host.js', await redisUrl(t))
  const { executionId, result, process: own } = JSON.parse(stdout) as {
    executionId: string, process: number, result: { process: number, executionId: string }
  }
  t.equal(result.executionId, executionId)
  t.not(result.process, own)
  t.equal(stderr, '')
})

t.test('bundled as ESM or CommonJS, everything works except what needs files, which fails with advice', async t => {
  await writeFile(join(newest, 'bundled.js'), BUNDLED)
  const elsewhere = await mkdtemp(join(tmpdir(), 'tasks-bundle-'))
  t.teardown(() => rm(elsewhere, { recursive: true, force: true }))
  // The host's own package.json must not be mistaken for ours.
  await writeFile(join(elsewhere, 'package.json'), JSON.stringify({ name: 'host', version: '9.9.9' }))
  for (const [format, name] of [['cjs', 'bundle.cjs'], ['esm', 'bundle.mjs']] as const) {
    const banner = format === 'esm'
      ? ["--banner:js=import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"]
      : []
    await runPlainly(
      newest, process.execPath, join(PROJECT, 'node_modules/esbuild/bin/esbuild'), 'bundled.js', '--bundle', '--platform=node',
      `--format=${format}`, '--log-level=error', ...banner, `--outfile=${join(elsewhere, name)}`
    )
    const { stdout } = await runPlainly(elsewhere, process.execPath, name, join(PROJECT, 'ui-dist'))
    t.match(JSON.parse(stdout), {
      cpu: { code: 'INVALID_TASK', message: /leave fastify-task-dashboard out of the bundle/ },
      embedded: { code: 'MISSING_PACKAGE', message: /@electric-sql\/pglite/ },
      openapi: { status: 200, info: { version: VERSION } },
      page: { status: 501, body: { code: 'INTERFACE_MISSING', detail: /interfaceFolder/ } },
      copied: { status: 200, type: /^text\/html/ },
      asset: { status: 200, type: /javascript/ },
      refused: { code: 'INVALID_OPTIONS', message: /interfaceFolder/ }
    }, format)
  }
})

t.test('a bundle that imports only a small part does not contain the dashboard', async t => {
  await writeFile(join(newest, 'small.js'), "import { currentExecution } from 'fastify-task-dashboard'\ncurrentExecution()\n")
  const bundle = async (file: string): Promise<string> => (await runPlainly(
    newest, process.execPath, join(PROJECT, 'node_modules/esbuild/bin/esbuild'), file, '--bundle', '--platform=node', '--format=esm',
    '--packages=external', '--alias:fastify-task-dashboard=./node_modules/fastify-task-dashboard', '--log-level=error'
  )).stdout
  const [small, whole] = await Promise.all([bundle('small.js'), bundle('bundled.js')])
  t.ok(small.length < whole.length / 4, `${small.length} of ${whole.length} characters`)
})

type Answer = { status: number, type: string, size: number, body?: Record<string, unknown> }
type Seen = Record<'page' | 'asset' | 'stats' | 'openapi' | 'mounted', Answer> & { fastify: string }

const SERVED_WELL = {
  page: { status: 200, type: /^text\/html/ },
  asset: { status: 200, type: /javascript/ },
  stats: { status: 200, type: /json/, body: { total_tasks: 1, registered_tasks: 1 } },
  openapi: { status: 200, body: { openapi: /^3\.1/ } },
  mounted: { status: 200, body: { title: 'Elsewhere' } }
}

/** What a program in the project saw. No deprecation warning may appear. */
async function serve(project: string, ...args: string[]): Promise<Seen> {
  await writeFile(join(project, 'host.js'), SERVED)
  const { stdout, stderr } = await runPlainly(project, process.execPath, 'host.js', ...args)
  t.notMatch(stderr, /DeprecationWarning|FSTDEP/)
  return JSON.parse(stdout) as Seen
}
