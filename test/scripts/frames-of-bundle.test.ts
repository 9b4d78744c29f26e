import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { build } from 'esbuild'
import { BUNDLE_FILE } from '../../scripts/bundle-sources.ts'
import { withFramesOfSources } from '../../scripts/frames-of-bundle.ts'

t.test('a place in the bundle of a compiled tree is shown as the line of its source', async t => {
  const tree = t.testdir({ lib: { 'a.ts': '/** Says\n * something. */\nexport function fail(): never {\n  throw new Error("no")\n}\n' } })
  await mkdir(join(tree, 'bundle'))
  await build({
    absWorkingDir: tree, entryPoints: ['lib/a.ts'], outfile: join(tree, BUNDLE_FILE), bundle: true, format: 'cjs',
    sourcemap: 'external'
  })
  const { fail } = createRequire(import.meta.url)(join(tree, BUNDLE_FILE)) as { fail(): never }
  const { stack } = (() => {
    try { return fail() } catch (error) { return error as Error }
  })()
  t.match(stack, `${tree}/${BUNDLE_FILE}`)
  t.match(withFramesOfSources(stack!, tree, tree), /^Error: no\n +at \S*fail \(lib\/a\.ts:4:9\)/)
  t.equal(withFramesOfSources('at a (test/a.test.ts:1:2)', tree), 'at a (test/a.test.ts:1:2)')
})
