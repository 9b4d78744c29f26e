import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createProject, newestProject, oldestProject, runPlainly } from '../support/programs/packed-package.ts'
import { isSoak } from '../support/soak.ts'
import { PROJECT } from '../support/source-files.ts'
import { COMMONJS, COMPILED } from './programs.ts'

// Installing and compiling takes long on a slow machine.
t.setTimeout(900_000)

/** Installed for this test. By default only the oldest and the newest run, which differ most. The newest is the one of this project. */
const COMPILERS = {
  'ts5.5': 'typescript@5.5.4', ...(isSoak && { 'ts5.9': 'typescript@5.9.3', 'ts6': 'typescript@6.0.3' })
}
const NEWEST = join(PROJECT, 'node_modules/typescript7/bin/tsc')

const folder = await mkdtemp(join(tmpdir(), 'tasks-compile-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const [newest, oldest, compilers] = await Promise.all([
  newestProject(),
  oldestProject(),
  createProject(folder, 'compilers', ...Object.entries(COMPILERS).map(([name, version]) => `${name}@npm:${version}`))
])

t.test('correct use of the package compiles and wrong use does not, with old and new TypeScript and Fastify', async t => {
  const STRICTEST = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const nodenext = ['--module', 'nodenext']
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable']
  // The slowest first: TypeScript 7 takes a quarter of the others' time.
  const queue = [
    { project: newest, compiler: 'ts5.5', options: bundler, files: ['host.ts'] },
    ...(isSoak
      ? [
        { project: newest, compiler: 'ts5.5', options: nodenext, files: ['host.ts'] },
        { project: newest, compiler: 'ts7', options: bundler, files: ['host.ts'] },
        { project: newest, compiler: 'ts6', options: [...nodenext, ...STRICTEST], files: ['host.ts', 'host.cts'] },
        { project: oldest, compiler: 'ts5.9', options: bundler, files: ['host.ts'] }
      ]
      : []),
    { project: oldest, compiler: 'ts7', options: [...nodenext, ...STRICTEST], files: ['host.ts', 'host.cts'] }
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
      const outcome = await runPlainly(
        project, process.execPath, compiler === 'ts7' ? NEWEST : join(compilers, 'node_modules', compiler, 'bin/tsc'),
        ...options, ...fixed, ...files
      )
        .catch((error: { stdout: string, stderr: string }) => error)
      t.equal(
        outcome.stdout + outcome.stderr, '', `${compiler} ${options.join(' ')} with the ${project === oldest ? 'oldest' : 'newest'} Fastify`
      )
    }
  }
})
