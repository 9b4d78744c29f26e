import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { filesWithLoads } from '../../scripts/file-loads.ts'
import { runTestFile, type FileResult } from '../../scripts/test-file.ts'
import { listFiles } from '../support/source-files.ts'
import { waitFor } from '../support/wait-for.ts'

/** Runs a test file with this text, in which `t` is tap. */
async function runText(t: Test, text: string, timeoutMs = 60_000, usualMs = 0): Promise<FileResult> {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }', 'a.test.ts': `import t from ${JSON.stringify(import.meta.resolve('tap'))}\n${text}`
  })
  return await runTestFile(join(folder, 'a.test.ts'), { compiledTree: null, env: {}, timeoutMs, usualMs })
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

t.test('a file that does not end on a signal is killed', async t => {
  const running = runText(t, [
    'import { writeFileSync } from \'node:fs\'',
    't.test(\'hangs\', () => new Promise(() => setInterval(() => {}, 1000)))',
    'process.on(\'SIGTERM\', () => {})',
    'writeFileSync(new URL(\'ready\', import.meta.url), \'\')'
  ].join('\n'))
  await waitFor('the file to ignore the signal', async () => existsSync(join(t.testdirName, 'ready')))
  // As the process manager sends it to this process.
  for (const listener of process.listeners('SIGTERM').slice(-1)) listener('SIGTERM')
  const { failed, lines } = await running
  t.ok(failed > 0)
  t.match(lines.join('\n'), /signal: SIGKILL/)
})

t.test('a pack that takes longer than the timeout of each file is not stopped', async t => {
  const file = 't.setTimeout(0); t.test(\'slow\', async t => { await new Promise(resolve => setTimeout(resolve, 6_000)); t.ok(true) })'
  const { passed, failed } = await runText(t, file, 1_000, 4_000)
  t.same({ passed, failed }, { passed: 1, failed: 0 })
})

t.test('every file with a known load exists', async t => {
  const files = new Set(listFiles('test', /\.test\.ts$/))
  t.same(filesWithLoads().filter(file => !files.has(file)), [])
})
