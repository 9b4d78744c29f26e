import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { FASTIFY_RANGE, VERSION } from '../../lib/dashboard/version.ts'
import { installPackages, packPackage, runPlainly } from '../support/packed-package.ts'
import { ROOT } from '../support/source-files.ts'
import { redisUrl } from '../support/stores.ts'
import { BUNDLED, COMMONJS, COMPILED, SERVED } from './programs.ts'

// It installs and compiles, on a machine that may be slow.
t.setTimeout(900_000)

const OLDEST_FASTIFY = FASTIFY_RANGE.replace('^', '')
const folder = await mkdtemp(join(tmpdir(), 'tasks-install-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const { tarball } = await packPackage(folder)

const [newest, [compilers, oldest]] = await Promise.all([
  // Without a word about Fastify: npm installs what is a peer.
  createProject('newest', tarball, '@types/node@20'),
  // One after the other, so that two npm at most are at work.
  createProject('compilers', 'ts5.5@npm:typescript@5.5.4', 'ts5.9@npm:typescript@5.9.3', 'ts6@npm:typescript@6.0.3', 'ts7@npm:typescript@7.0.2')
    .then(async compilers => [compilers, await createProject('oldest', tarball, `fastify@${OLDEST_FASTIFY}`, '@types/node@20', '--omit=optional')] as const)
])

t.test('a fresh project installs it, mounts it, and gets its pages, an asset and an answer of the API', async t => {
  const seen = await serve(newest)
  t.match(seen, SERVED_WELL)
  t.ok(seen.asset.size > 10_000, 'the asset is the interface')
})

t.test('so does one with the oldest Fastify that it takes, and no second copy of Fastify is installed', async t => {
  const seen = await serve(oldest, await redisUrl(t))
  t.match(seen, { ...SERVED_WELL, fastify: OLDEST_FASTIFY })
  const { stdout } = await runPlainly(oldest, 'npm', 'ls', 'fastify', '--json')
  const tree = JSON.parse(stdout) as { dependencies: Record<string, { version: string, dependencies?: Record<string, { version: string }> }> }
  t.equal(tree.dependencies['fastify-task-dashboard']?.dependencies?.['fastify']?.version, OLDEST_FASTIFY)
})

t.test('bundled, as ES modules or CommonJS, it works but for what needs files on the disk, and says what to do about that', async t => {
  await writeFile(join(newest, 'bundled.js'), BUNDLED)
  const elsewhere = await mkdtemp(join(tmpdir(), 'tasks-bundle-'))
  t.teardown(() => rm(elsewhere, { recursive: true, force: true }))
  // What the host's own package says is none of ours.
  await writeFile(join(elsewhere, 'package.json'), JSON.stringify({ name: 'host', version: '9.9.9' }))
  for (const [format, name] of [['cjs', 'bundle.cjs'], ['esm', 'bundle.mjs']] as const) {
    const banner = format === 'esm' ? ["--banner:js=import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);"] : []
    await runPlainly(newest, process.execPath, join(ROOT, 'node_modules/esbuild/bin/esbuild'), 'bundled.js', '--bundle', '--platform=node', `--format=${format}`, '--log-level=error', ...banner, `--outfile=${join(elsewhere, name)}`)
    const { stdout } = await runPlainly(elsewhere, process.execPath, name, join(ROOT, 'ui-dist'))
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

t.test('a program that uses it compiles, and one that uses it wrongly does not, with each TypeScript and Fastify', async t => {
  const STRICTEST = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const nodenext = ['--module', 'nodenext']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable']
  // What takes longest comes first: TypeScript 7 needs a quarter of the others' time.
  const queue = [
    { project: newest, compiler: 'ts5.5', options: nodenext, files: ['host.ts'] },
    { project: newest, compiler: 'ts6', options: [...nodenext, ...STRICTEST], files: ['host.ts', 'host.cts'] },
    { project: oldest, compiler: 'ts5.9', options: bundler, files: ['host.ts'] },
    { project: newest, compiler: 'ts7', options: bundler, files: ['host.ts'] },
    { project: oldest, compiler: 'ts7', options: nodenext, files: ['host.ts', 'host.cts'] }
  ]
  for (const project of [newest, oldest]) {
    await writeFile(join(project, 'host.ts'), COMPILED)
    await writeFile(join(project, 'host.cts'), COMMONJS)
  }
  await Promise.all([compileNext(), compileNext()])

  async function compileNext(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { project, compiler, options, files } = next
      const fixed = ['--target', 'es2022', '--strict', '--noEmit', '--skipLibCheck', 'false', '--types', 'node', '--pretty', 'false']
      const outcome = await runPlainly(project, process.execPath, join(compilers, 'node_modules', compiler, 'bin/tsc'), ...options, ...fixed, ...files)
        .catch((error: { stdout: string, stderr: string }) => error)
      t.equal(outcome.stdout + outcome.stderr, '', `${compiler} ${options.join(' ')} with the ${project === oldest ? 'oldest' : 'newest'} Fastify`)
    }
  }
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

/** What a program in that project saw. It must not have been warned of anything that is deprecated. */
async function serve(project: string, ...args: string[]): Promise<Seen> {
  await writeFile(join(project, 'host.js'), SERVED)
  const { stdout, stderr } = await runPlainly(project, process.execPath, 'host.js', ...args)
  t.notMatch(stderr, /DeprecationWarning|FSTDEP/)
  return JSON.parse(stdout) as Seen
}

async function createProject(name: string, ...packages: string[]): Promise<string> {
  const project = join(folder, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }))
  await installPackages(project, ...packages)
  return project
}
