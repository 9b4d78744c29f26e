import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { QueueApp, dashboardPlugin } from '../../lib/index.ts'
import { ports, servers } from '../support/programs/example-machine.ts'
import type { ReadersOwn } from '../support/readers-own.d.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { compileSnippets, createReaderProject, namesOfReader, readSnippets, type Snippet } from '../support/programs/snippets.ts'
import { ROOT } from '../support/source-files.ts'
import { redisUrl, startRedis } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

// Compiling takes half of this on a busy machine.
t.setTimeout(600_000)

const snippets = readSnippets()
const project = await createReaderProject(snippets)
t.teardown(project.remove)

const credentials = { username: 'operator', password: 'secret' }
Object.assign(process.env, { DASHBOARD_USER: credentials.username, DASHBOARD_PASSWORD: credentials.password })
const headers = { authorization: `Basic ${btoa(`${credentials.username}:${credentials.password}`)}` }

t.test('every TypeScript block of README and docs compiles under strict types as printed', async t => {
  t.ok(snippets.filter(({ document }) => document === 'README.md').length >= 3, 'README has its blocks')
  t.same(compileSnippets(project, snippets, join(ROOT, 'test/support/readers-own.d.ts')), [])
})

t.test("a block with a file name continues that file, and only names that the page calls the reader's own " +
  'may be undeclared', async t => {
  const pages = new Map([['docs/a.md', [
    'In the examples, `queueApp` and `auth` are yours.', '```ts', '// app.ts', 'const one: number = 1', '```', '```js', 'not()', '```',
    '```ts', '// app.ts', 'one.toFixed()', '// other.ts', 'export const two: string = 2', '```', '```ts', 'void [one, queueApp, fastify]',
    '```'
  ].join('\n')]])
  const read = (path: string): string => pages.get(path)!
  const found = readSnippets(['docs/a.md'], read)
  t.same(found.map(({ name, where }) => [name, where]), [['app.ts', 'docs/a.md:3'], ['other.ts', 'docs/a.md:12'], [null, 'docs/a.md:16']])
  t.equal(found[0]!.text, '// app.ts\nconst one: number = 1\n// app.ts\none.toFixed()')
  t.same([...namesOfReader('docs/a.md', read)], ['queueApp', 'auth'])
})

t.test('every stand-alone block runs, and its dashboard responds', async t => {
  const queueApp = QueueApp.fromUrls({ broker: await redisUrl(t) })
  queueApp.task('email:send', async (to: string, _subject: string) => to)
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  // Serves at the address that the documentation uses for your dashboard.
  const own = Fastify()
  await own.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'local' })
  await own.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => own.close())
  ports.set(3000, (own.server.address() as AddressInfo).port)

  // The blocks of your-store.md each need a server and are covered by test/stores/your-store.test.ts.
  for (const snippet of snippets.filter(({ name, document }) => name === null && document !== 'docs/your-store.md')) {
    await t.test(snippet.where, async t => { await runBlock(t, snippet, queueApp) })
  }
})

async function runBlock(t: Test, snippet: Snippet, queueApp: QueueApp): Promise<void> {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const handlers: Array<(request: Request) => Promise<Response>> = []
  Object.assign(globalThis, {
    queueApp, fastify,
    auth: credentials,
    sessionOf: async () => ({ id: '7', name: 'Ana', role: 'operator' }),
    mayUse: () => true,
    mayRead: () => true,
    requireAdmin: (_request, _reply, done) => { done() },
    router: { add: (method, path, handler) => { if (method === 'GET' && path.endsWith('/api/health')) handlers.push(handler) } },
    AppModule: class {},
    tokenFor: async () => 'token'
  } satisfies ReadersOwn)
  servers.length = 0
  const module = await import(pathToFileURL(join(project.folder, snippet.compiled)).href) as { GET?: (typeof handlers)[0] }
  t.teardown(async () => {
    for (const server of servers) {
      if ('closeAllConnections' in server) (server as unknown as { closeAllConnections(): void }).closeAllConnections()
      if (server.listening) await once(server.close(), 'close')
    }
  })
  t.pass('runs')

  await fastify.ready()
  if (fastify.hasRoute({ method: 'GET', url: '/tasks/api/health' }))
    t.equal((await fastify.inject({ url: '/tasks/api/health', headers })).statusCode, 200)
  for (const server of [...servers]) {
    const { port } = server.address() as AddressInfo
    t.equal((await fetch(`http://127.0.0.1:${port}/tasks/api/health`, { headers })).status, 200)
  }
  if (module.GET) handlers.push(module.GET)
  for (const handle of handlers) t.equal((await handle(new Request('http://localhost/tasks/api/health', { headers }))).status, 200)
}

t.test('every program made of blocks with file names runs in its own process ' +
  'and stops on SIGTERM', async t => {
  const { port } = await startRedis(t, { persistent: false })
  const env = { EXAMPLE_REDIS_PORT: String(port), REDIS_URL: 'redis://localhost:6379/0' }
  const programs = snippets.filter(({ name, document }) => name !== null && !isImported(name, document))
  for (const document of new Set(programs.map(program => program.document))) {
    await t.test(document, async t => {
      const running = []
      for (const program of programs.filter(each => each.document === document)) {
        // A program that only works never gets past run().
        const deeds = program.text.includes('.run()') ? ['stops on SIGTERM'] as const : ['ran', 'stops on SIGTERM'] as const
        running.push(await runProgram(t, join(project.folder, program.compiled), deeds, env))
      }
      for (const { address } of running) {
        if (address === null) continue
        const page = await fetch(`${address}/tasks`, { headers })
        t.match([page.status, await page.text()], [200, '<base href="./tasks/">'], 'its page')
        if (document === 'README.md') {
          await waitFor('the execution that it enqueued', async () => {
            const { items } = await (await fetch(`${address}/tasks/api/executions?status=success`, { headers })).json() as {
              items: Array<{ task_name: string }>
            }
            return items.some(({ task_name: name }) => name === 'email:send')
          })
        }
      }
      for (const program of running.toReversed()) {
        const { code, signal, stderr } = await program.stop()
        t.same([code, signal], [0, null], 'it stops cleanly', { stderr })
      }
    })
  }
})

/** Imported by another file of the page. */
function isImported(name: string, document: string): boolean {
  const base = name.replace(/\.ts$/, '')
  return snippets.some(other =>
    other.document === document && other.name !== name && ['', '.js', '.ts'].some(ending => other.text.includes(`'./${base}${ending}'`)))
}
