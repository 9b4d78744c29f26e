import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { bundleTap } from '../../scripts/bundle-tap.ts'
import { runTestFile } from '../../scripts/test-file.ts'

const ENDS = 't.test(\'goes on\', async t => { await new Promise(resolve => { setTimeout(resolve, 50) }); t.ok(true) })'

/** The text of a test file, in which `t` is tap; the number of its passing assertions; the reported failure, if it fails. */
const FILES: ReadonlyArray<readonly [text: string, passed: number, told: RegExp | null]> = [
  [ENDS, 1, null],
  ['t.test(\'a\', async t => { t.equal(1, 2); t.ok(true) })', 1, /should be equal/],
  ['t.test(\'a\', async () => { throw new Error(\'in a test\') })', 0, /in a test/],
  ['t.test(\'a\', t => { throw new Error(\'in a test\') })', 0, /in a test/],
  ['t.test(\'a\', async t => { t.teardown(() => { throw new Error(\'in a teardown\') }); t.ok(true) })', 1, /in a teardown/],
  [`setTimeout(() => { throw new Error('in a timer') }, 10)\n${ENDS}`, 0, /exitCode: [1-9]/],
  [`void Promise.reject(new Error('caught by nobody'))\n${ENDS}`, 0, /exitCode: [1-9]/],
  [`t.test('a', async t => { setTimeout(() => { throw new Error('late') }, 10); t.ok(true) })\n${ENDS}`, 1, /exitCode: [1-9]/]
]

t.test('the bundled tap reports each failure, and an uncaught error fails the file', async t => {
  const tree = t.testdir({ test: {} })
  await bundleTap(process.cwd(), join(tree, 'test'))
  await mkdir(join(tree, 'test/a'))
  for (const [text, passed, told] of FILES) {
    await writeFile(join(tree, 'test/a/a.test.js'), `import t from 'tap'\n${text}\n`)
    const result = await runTestFile('test/a/a.test.ts', { compiledTree: tree, env: {}, timeoutMs: 20_000 })
    t.equal(result.passed, passed, text)
    t.equal(result.failed > 0, told !== null, text)
    if (told !== null) t.match(result.lines.join('\n'), told, text)
  }
})
