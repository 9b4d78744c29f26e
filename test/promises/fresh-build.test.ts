import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build } from 'vite'
import { generatedFiles } from '../../scripts/generate-openapi.ts'
import { PROJECT } from '../support/source-files.ts'

const committed = join(PROJECT, 'ui-dist')

t.test('ui-dist equals a fresh build of ui (npm run build:ui)', async t => {
  const fresh = await mkdtemp(join(tmpdir(), 'tasks-ui-'))
  t.teardown(() => rm(fresh, { recursive: true, force: true }))
  await build({ configFile: join(PROJECT, 'ui/vite.config.ts'), logLevel: 'error', build: { outDir: fresh, emptyOutDir: true } })
  const files = list(fresh)
  t.same(list(committed), files)
  for (const file of files) t.ok((await readFile(join(committed, file))).equals(await readFile(join(fresh, file))), file)
})

t.test('generated files equal a fresh generation from the schemas (npm run build:openapi)', async t => {
  for (const [path, text] of await generatedFiles()) t.equal(await readFile(join(PROJECT, path), 'utf8') === text, true, path)
})

t.test('the first load takes at most 70 kB of script and 12 kB of style, gzipped', async t => {
  const page = await readFile(join(committed, 'index.html'), 'utf8')
  // The server links only the scripts of the requested page.
  const ofAllPages = page.replaceAll(/<link [^>]*data-pages=[^>]*>/g, '')
  const initial = [...ofAllPages.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(match => match[1]!)
  t.ok(await gzippedKilobytes(initial.filter(path => path.endsWith('.js'))) <= 70, 'script')
  t.ok(await gzippedKilobytes(initial.filter(path => path.endsWith('.css'))) <= 12, 'style')
})

t.test('the page loads nothing from other sites and has no inline script or style', async t => {
  const page = await readFile(join(committed, 'index.html'), 'utf8')
  t.notMatch(page, /(src|href)="(https?:)?\/\//)
  t.notMatch(page, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/)
})

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
}

async function gzippedKilobytes(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async path => gzipSync(await readFile(join(committed, path)), { level: 9 }).length))
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}
