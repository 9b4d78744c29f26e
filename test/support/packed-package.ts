import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FASTIFY_RANGE } from '../../lib/dashboard/version.ts'
import { ROOT, listFiles } from './source-files.ts'

/** The first version of the range that the package takes. */
export const OLDEST_FASTIFY = FASTIFY_RANGE.replace('^', '')

const run = promisify(execFile)

export interface PackedPackage {
  /** The tarball, as an absolute path. */
  readonly tarball: string
  /** What is in it, relative to its root. */
  readonly paths: readonly string[]
}

/** What `npm publish` would send, as a tarball in that folder. Builds first where the sources are newer. */
export async function packPackage(folder: string): Promise<PackedPackage> {
  await buildWhenStale()
  const packed = JSON.parse(
    await npm(ROOT, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  ) as Record<string, { filename: string, files: Array<{ path: string }> }>
  // One object in an array, or by name since npm 11.
  const { filename, files } = Object.values(packed)[0]!
  return { tarball: join(folder, filename), paths: files.map(file => file.path) }
}

/** A project in a folder of that name with these packages: tarballs, and packages as `npm install` takes them. @returns its folder */
export async function createProject(parent: string, name: string, ...packages: string[]): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }))
  await npm(folder, 'install', ...packages, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error')
  return folder
}

/**
 * As a user runs it: without the loaders of the test runner, which its children get through NODE_OPTIONS. Rejects with `stdout` and
 * `stderr` when it exits with another code than 0.
 */
export async function runPlainly(cwd: string, command: string, ...args: string[]): Promise<{ stdout: string, stderr: string }> {
  return run('env', ['-u', 'NODE_OPTIONS', command, ...args], { cwd, timeout: 400_000, maxBuffer: 32 * 1024 * 1024 })
}

/** npm says some things on stderr and the answer on stdout. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await runPlainly(cwd, 'npm', ...args)
  return stdout
}

async function buildWhenStale(): Promise<void> {
  const built = join(ROOT, 'dist/lib/index.js')
  const sources = [...listFiles('lib', /\.ts$/), ...listFiles('schemas', /\.ts$/)].map(path => statSync(join(ROOT, path)).mtimeMs)
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources)) return
  await npm(ROOT, 'run', 'build', '--silent')
}
