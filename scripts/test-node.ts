import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

/**
 * `npm run test:node 24` runs the tests on another major version of Node; `npm run test:node 24 test/a.test.ts` runs only those files.
 * `npm run test:node 24 short` runs the tests that depend most on Node: end to end on each store, every host, and the package. The binary
 * comes from npm and is installed in a cache folder outside the tree.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** The full suite builds the Next.js example; next.test.ts covers what depends on Node. */
const LONG = new Set(['test/hosts/next-example.test.ts'])
const SHORT = [...testsIn('test/end-to-end'), ...testsIn('test/hosts'), 'test/promises/package.test.ts', 'test/newcomer/install.test.ts']
  .filter(file => !LONG.has(file))

const [major = '', ...given] = process.argv.slice(2)
if (!/^\d{2}$/.test(major)) {
  console.error('Name a major version of Node: npm run test:node 24 [short | files]')
  process.exit(1)
}

const folder = await installNode(major)
if (folder === null) {
  console.error(`Node ${major} could not be installed from npm for ${process.platform} on ${process.arch}`)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
const files = given.length === 1 && given[0] === 'short' ? SHORT : given
console.log(`# Node ${major} from ${folder}`)
process.exitCode = await run(join(folder, 'node'), ['--import', 'tsx', 'scripts/test.ts', ...files], {
  env: { PATH: `${folder}${delimiter}${process.env.PATH}` }
})

function testsIn(folder: string): string[] {
  return readdirSync(folder).filter(name => name.endsWith('.test.ts')).map(name => `${folder}/${name}`)
}

/** @returns the folder with its binary; null if npm has none for this machine */
async function installNode(version: string): Promise<string | null> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'fastify-task-dashboard', `node-${version}`)
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const bin = join(cache, 'node_modules', name, 'bin')
  await mkdir(cache, { recursive: true })
  // Checked every time, because there may be a new minor release. Without a network, the installed one is used.
  await run(
    'npm',
    ['install', '--prefix', cache, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]
  )
  return existsSync(bin) ? bin : null
}
