import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FASTIFY_RANGE } from '../../../lib/dashboard/fastify-range.ts'
import { oncePerRun } from '../once-per-run.ts'
import { PROJECT, listFiles } from '../source-files.ts'

/** The first version of the range that the package accepts. */
export const OLDEST_FASTIFY = FASTIFY_RANGE.replace('^', '')

const run = promisify(execFile)

export interface PackedPackage {
  /** The tarball, as an absolute path. */
  readonly tarball: string
  /** Its files, relative to its root. */
  readonly paths: readonly string[]
}

/** The package as `npm publish` would send it, packed once for all files of a run. Builds first if the sources are newer. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = await oncePerRun('packed', async folder => {
    await builtPackage()
    const said = await npm(PROJECT, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
    await writeFile(join(folder, 'packed.json'), said)
  })
  type Packed = Record<string, { filename: string, files: Array<{ path: string }> }>
  // An array with one object, or an object keyed by name since npm 11.
  const { filename, files } = Object.values(JSON.parse(await readFile(join(folder, 'packed.json'), 'utf8')) as Packed)[0]!
  return { tarball: join(folder, filename), paths: files.map(file => file.path) }
}

/** A project that has installed the package without naming Fastify: npm installs the peer. @returns its folder */
export function newestProject(): Promise<string> {
  return oncePerRun('newest', async folder => install(folder, (await packPackage()).tarball, '@types/node@20'))
}

/** A project with the oldest Fastify that the package accepts, and no optional dependencies. @returns its folder */
export function oldestProject(): Promise<string> {
  return oncePerRun('oldest', async folder => {
    await install(folder, (await packPackage()).tarball, `fastify@${OLDEST_FASTIFY}`, '@types/node@20', '--omit=optional')
  })
}

/** A project in a folder with that name and these packages, written as for `npm install`. @returns its folder */
export async function createProject(parent: string, name: string, ...packages: string[]): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder)
  await install(folder, ...packages)
  return folder
}

/**
 * Runs a command as a user would: without the test runner's loaders, which its children inherit through NODE_OPTIONS. Rejects with `stdout`
 * and `stderr` when the exit code is not 0.
 */
export async function runPlainly(cwd: string, command: string, ...args: string[]): Promise<{ stdout: string, stderr: string }> {
  return run('env', ['-u', 'NODE_OPTIONS', command, ...args], { cwd, timeout: 400_000, maxBuffer: 32 * 1024 * 1024 })
}

/** The folder of the build, rebuilt if the sources are newer. */
export async function builtPackage(): Promise<string> {
  await oncePerRun('built', async () => {
    const built = join(PROJECT, 'dist/lib/index.js')
    const sources = [
      ...listFiles('lib', /\.ts$/), ...listFiles('schemas', /\.ts$/), 'scripts/build.ts', 'scripts/bundle-sources.ts',
      'tsconfig.build.json', 'tsconfig.json', 'package.json'
    ].map(path => statSync(join(PROJECT, path)).mtimeMs)
    if (!existsSync(built) || statSync(built).mtimeMs <= Math.max(...sources)) await npm(PROJECT, 'run', 'build', '--silent')
  })
  return join(PROJECT, 'dist')
}

async function install(folder: string, ...packages: string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }))
  await npm(folder, 'install', ...packages, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error')
}

/** npm prints warnings on stderr and the result on stdout. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await runPlainly(cwd, 'npm', ...args)
  return stdout
}
