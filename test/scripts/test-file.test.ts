import { join } from 'node:path'
import t, { type Test } from 'tap'
import { filesWithLoads } from '../../scripts/file-loads.ts'
import { runTestFile, type FileResult } from '../../scripts/test-file.ts'
import { listFiles } from '../support/source-files.ts'

/** Runs a test file with this text, in which `t` is tap. */
async function runText(t: Test, text: string, timeoutMs = 60_000): Promise<FileResult> {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }', 'a.test.ts': `import t from ${JSON.stringify(import.meta.resolve('tap'))}\n${text}`
  })
  return await runTestFile(join(folder, 'a.test.ts'), { compiledTree: null, env: {}, timeoutMs })
}

t.test('assertions are counted, and skipped or todo tests count as failed', async t => {
  const unshown = ['skip', 'todo'].map(word => `t.${word}('later')`).join('; ')
  const { passed, failed, lines } = await runText(
    t, `t.test('a', async t => { t.ok(true); t.equal(1 as number, 2) }); t.ok(true); ${unshown}`
  )
  t.same({ passed, failed }, { passed: 2, failed: 3 })
  t.match(lines.findLast(line => line !== ''), /^ {2}\.\.\.$/)
  t.match(lines.find(line => line.startsWith('not ok - ')), /a\.test\.ts # time=\d+ms$/)
})

t.test('a file that crashes or has no test is a failure', async t => {
  for (const text of ['t.ok(true); setTimeout(() => process.exit(3), 10)', 'throw new Error(\'at once\')', '']) {
    const { failed, lines } = await runText(t, text)
    t.ok(failed > 0, text)
    t.ok(lines.some(line => line.startsWith('not ok - ')), text)
  }
})

t.test('a file that hangs is stopped', async t => {
  const { failed, lines } = await runText(
    t, 't.setTimeout(60_000); t.test(\'hangs\', () => new Promise(resolve => setTimeout(resolve, 100_000)))', 2_000
  )
  t.ok(failed > 0)
  t.match(lines.join('\n'), /signal: SIG(?:ALRM|KILL)/)
})

t.test('every file with a known load exists', async t => {
  const files = new Set(listFiles('test', /\.test\.ts$/))
  t.same(filesWithLoads().filter(file => !files.has(file)), [])
})
