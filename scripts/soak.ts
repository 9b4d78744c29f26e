import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'

/**
 * `npm run soak` runs in full what `npm test` shortens: every test file that imports `test/support/soak.ts`, directly or through another
 * module. It takes an hour or more. `npm run soak -- test/a.test.ts` runs only that file. Files run one at a time, because many of them
 * measure times or kill processes.
 */
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const SWITCH = 'test/support/soak.ts'

const named = process.argv.slice(2)
const files = named.length > 0 ? named : allFiles().filter(file => reaches(file, SWITCH))
console.log(`# in full: ${files.join(' ')}`)
process.exitCode = await run(process.execPath, ['--import', 'tsx', 'scripts/test.ts', '--jobs=1', '--timeout=1800', ...files], {
  env: { SOAK: 'full' }
})

function allFiles(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.test.ts')).map(path => `test/${path}`).toSorted()
}

/** Whether a file imports another, directly or through modules of `test/`. */
function reaches(file: string, wanted: string): boolean {
  const reached = new Set([file])
  for (const path of reached) {
    for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(/\bfrom '(\.[^'\n]+\.ts)'/g)) {
      const imported = join(dirname(path), to)
      if (imported.startsWith('test/')) reached.add(imported)
    }
  }
  return reached.has(wanted)
}
