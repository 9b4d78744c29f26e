import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import t, { type Test } from 'tap'
import { compiledImports } from '../../scripts/compiled-tree.ts'
import { measuredFiles } from '../../scripts/pack.ts'
import { packFiles } from '../../scripts/packs.ts'
import { runTestFile, type FileResult } from '../../scripts/test-file.ts'

const transformed = async (path: string): Promise<string> =>
  compiledImports((await transform(await readFile(new URL(path, import.meta.url), 'utf8'), { loader: 'ts', format: 'esm' })).code)
const PROGRAMS = {
  'pack.js': await transformed('../../scripts/pack.ts'), 'processor-time.js': await transformed('../../scripts/processor-time.ts')
}

/** Packs files with this code, as esbuild prints it, in which `t` is tap. @returns the file to run, and its options */
async function pack(t: Test, codes: Readonly<Record<string, string>>) {
  const tree = t.testdir({
    'package.json': '{ "type": "module" }',
    scripts: PROGRAMS,
    test: Object.fromEntries(Object.entries(codes).map(([name, code]) => [`${name}.test.js`, `import t from "tap";\n${code}\n`]))
  })
  const { files, treeOf } = await packFiles(Object.keys(codes).map(name => `test/${name}.test.ts`), () => tree)
  const run = (file: string, timeoutMs = 60_000): Promise<FileResult> =>
    runTestFile(file, { compiledTree: treeOf(file), env: {}, timeoutMs })
  return { files, run }
}

t.test('files share a process, and each is a separate test', async t => {
  const { files, run } = await pack(t, {
    sums: 't.test("adds", async t => { t.equal(1 + 1, 2) }); t.ok(true)',
    fails: 't.test("is equal", async t => { t.ok(true); t.equal(1, 2) })',
    later: 't.test("runs after a failure", async t => { await new Promise(resolve => setTimeout(resolve, 5)); t.ok(true) })',
    throws: 'throw new Error("at once")',
    empty: ''
  })
  t.same(files, ['test/pack-1.test.ts'])
  const { passed, failed, lines } = await run(files[0]!)
  t.ok(passed >= 4)
  t.ok(failed >= 3)
  const results = lines.map(line => /^ {4}(ok|not ok) \d+ - (test\/\w+)/.exec(line)?.slice(1).join(' ')).filter(Boolean)
  t.match(results.slice(0, 4), ['ok test/sums', 'not ok test/fails', 'ok test/later', 'not ok test/throws'])
  t.match(lines.join('\n'), /not ok \d+ - test\/empty\.test\.ts has no test/)
})

t.test('a file that leaves global state behind is named', async t => {
  const leaks = {
    timer: 'setTimeout(() => {}, 7_000)', variable: 'global.left = 1',
    several: `Object.assign(process.env, { LEFT: "1" }); const { createServer } = await import("node:net")
      const { spawn } = await import("node:child_process"); spawn("sleep", ["7"], { stdio: "ignore" })
      const server = createServer().listen(0, "127.0.0.1"); setTimeout(() => server.close(), 7_000)`
  }
  const { files, run } = await pack(t, {
    ...Object.fromEntries(Object.entries(leaks).map(([name, code]) => [name, `t.ok(true); ${code}`])), clean: 't.ok(true)'
  })
  const { failed, lines } = await run(files[0]!)
  t.equal(failed, 3)
  t.same(
    lines.flatMap(line => /^ {4}not ok \d+ - test\/(\w+)\.test\.ts leaves something behind/.exec(line)?.[1] ?? []),
    ['timer', 'variable', 'several']
  )
  const several = lines.slice(lines.findIndex(line => line.includes('several.test.ts leaves something behind'))).join('\n')
  for (const left of ['LEFT', 'TCPServerWrap', 'ProcessWrap', 'Timeout']) t.match(several, new RegExp(`^ +- ${left}$`, 'm'))
  t.match(measuredFiles(lines), [...Object.keys(leaks), 'clean'].map(name => ({ file: `test/${name}.test.ts`, seconds: Number })))
})

t.test('a file that hangs is named, and the next one runs', async t => {
  const { files, run } = await pack(t, {
    hangs: 't.test("waits", async t => { t.ok(true); await new Promise(resolve => setTimeout(resolve, 4_000)) })', next: 't.ok(true)'
  })
  const { lines } = await run(files[0]!, 3_000)
  t.match(lines.join('\n'), /^ {4}not ok \d+ - test\/hangs\.test\.ts[^]*^ {4}ok \d+ - test\/next\.test\.ts/m)
})

t.test('a file that needs a process of its own is not packed', async t => {
  const { files } = await pack(t, {
    starts: 'import { Worker } from "node:worker_threads"; new Worker("./a.js")', environment: 'process.env.A = "1"', clean: 't.ok(true)'
  })
  t.same(files, ['test/pack-1.test.ts', 'test/starts.test.ts', 'test/environment.test.ts'])
})

t.test('a run of a few files has several packs, which cores can share', async t => {
  const { files } = await pack(t, Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`short-${index}`, 't.ok(true)'])))
  t.same(files, ['test/pack-1.test.ts', 'test/pack-2.test.ts', 'test/pack-3.test.ts'])
})

t.test('a file that runs from its source is not packed', async t => {
  const { files, treeOf } = await packFiles([join('test', 'a.test.ts')], () => null)
  t.same(files, ['test/a.test.ts'])
  t.equal(treeOf('test/a.test.ts'), null)
})
