import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { FASTIFY_RANGE } from '../../lib/dashboard/fastify-range.ts'
import { VERSION } from '../../lib/version.ts'
import { packPackage } from '../support/programs/packed-package.ts'
import { PROJECT, listFiles, readText } from '../support/source-files.ts'

// It builds the package if the sources are newer, or waits for another test file that does.
t.setTimeout(600_000)

const { paths } = await packPackage()

interface Manifest {
  version: string
  repository: { url: string }
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

const manifest = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as Manifest

t.test('the package has its exports, interface and documents, and nothing else', async t => {
  for (const path of [
    'dist/lib/index.js', 'dist/lib/index.d.ts', 'dist/lib/client/index.js', 'dist/schemas/index.js', 'ui-dist/index.html',
    'docs/openapi.json', 'README.md', 'LICENSE', 'CHANGELOG.md'
  ]) {
    t.ok(paths.includes(path), path)
  }
  t.ok(paths.some(path => /^ui-dist\/assets\/.*\.js$/.test(path)), 'assets of the interface')
  t.same(paths.filter(path => !/^(dist|ui-dist|docs)\/|^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)), [])
  t.same(paths.filter(path => /\.test\.|\.env|node_modules/.test(path)), [])
})

t.test('importing the package reads few files, and npm installs few', async t => {
  t.ok(paths.filter(path => /^dist\/.*\.js$/.test(path)).length <= 60)
  t.ok(paths.length <= 400, String(paths.length))
})

t.test('every file that a thread or process starts with is packed', async t => {
  const started = listFiles('lib', /\.ts$/).flatMap(path =>
    [...readText(path).matchAll(/\bownFile\('([^']+)'\)|\bCONTEXT_FILE = '([^']+)'/g)].map(([, path, context]) => path ?? context!))
  t.ok(started.length >= 3)
  for (const path of started) t.ok(paths.includes(`dist/lib/${path}.js`), path)
})

t.test('the bundler keeps class names, because users see them', async t => {
  const code = paths.filter(path => /^dist\/.*\.js$/.test(path)).map(path => readText(path))
  t.same(code.flatMap(text => text.match(/^.*\bclass (?:_\w+|\w+\d) .*$/gm) ?? []), [])
})

t.test('the exports of package.json resolve in every runtime', async t => {
  const { messages, pkg } = await publint({ pkgDir: PROJECT, pack: false })
  t.same(messages.filter(message => message.type !== 'suggestion').map(message => formatMessage(message, pkg)), [])
})

t.test('the version in the code is that of the package', async t => {
  t.equal(VERSION, manifest.version)
})

t.test('the plugin accepts the Fastify range of the package, which does not depend on Fastify', async t => {
  t.equal(FASTIFY_RANGE, manifest.peerDependencies['fastify'])
  t.notOk('fastify' in manifest.dependencies)
})

t.test('the lock file names no registry host', async t => {
  const lock = await readFile(join(PROJECT, 'package-lock.json'), 'utf8')
  t.notMatch(lock, /"resolved"/)
})

t.test('every link in the packed documents leads to a file in the package or to an absolute URL', async t => {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '')
  const documents = paths.filter(path => path.endsWith('.md'))
  t.ok(documents.length > 10)
  for (const document of documents) {
    const links = linksOf(readText(document))
    for (const link of links) {
      const [address = '', anchor] = link.split('#')
      const own = new RegExp(`^${repository}/(?:blob|tree)/main/(.+)$`).exec(address)?.[1]
      const path = own ?? (address === '' ? document : posix.normalize(posix.join(dirname(document), address)))
      if (own !== undefined) t.ok(existsSync(join(PROJECT, path)), `${document}: ${link} is in the repository`)
      else if (/^https?:/.test(address)) continue
      else

        t.ok(paths.some(packed => packed === path || packed.startsWith(`${path.replace(/\/$/, '')}/`)), `${document}: ${link} is packed`)
      if (anchor !== undefined && path.endsWith('.md'))
        t.ok(anchorsOf(readText(path)).includes(anchor), `${document}: ${link} is a heading`)
    }
  }
})

/** The targets of links and images outside code. */
function linksOf(markdown: string): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, 'code')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)].map(match => match[1]!)
}

/** Anchors as GitHub and npm derive them from headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(match => match[1]!.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'))
}
