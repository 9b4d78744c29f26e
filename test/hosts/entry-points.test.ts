import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import swagger from '@fastify/swagger'
import express from 'express'
import Fastify from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { normalizePrefix, matchedPrefix, pathBelow } from '../../lib/hosts/paths/mount-path.ts'
import { createBlueprint, createRouter, getUrls, hostRequestOf, type HostOptions } from '../../lib/index.ts'
import { getUrls as getHapiUrls } from '../../lib/hosts/hapi.ts'
import { createBlueprint as createHonoBlueprint } from '../../lib/hosts/hono.ts'
import { createBlueprint as createKoaBlueprint } from '../../lib/hosts/koa.ts'
import { mountDashboard } from '../../lib/hosts/nest.ts'
import { createRouteHandlers } from '../../lib/hosts/next.ts'
import { sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import { listen } from '../support/network/listen.ts'

const queueApp = sampleQueueApp()
const quiet = { auth: { username: 'ana', password: 'secret' } } satisfies HostOptions
const headers = { authorization: `Basic ${btoa('ana:secret')}` }

t.test('a path is below a prefix only if it has exactly its characters', async t => {
  const cases: Array<[url: string, prefix: string, below: string | null]> = [
    ['/tasks', '/tasks', '/'], ['/tasks/', '/tasks', '/'], ['/tasks?a=/b', '/tasks', '/?a=/b'],
    ['/tasks/api/a%2Fb?x#y', '/tasks', '/api/a%2Fb?x#y'], ['/tasksX', '/tasks', null],
    ['/Tasks', '/tasks', null], ['/', '/tasks', null], ['/a', '/a/b', null], ['/a/b/c', '/a/b', '/c'], ['/x', '', '/x'],
    ['/%E6%97%A5%E5%A0%B1/x', '/日報', '/x'], ['/t%61sks/x', '/tasks', null], ['//tasks/x', '/tasks', null],
    ['/%E6%97%A5%e5%a0%b1/x', '/日報', null],
    ['/%ff/x', '/tasks', null], ['/a%2Fb/x', '/a/b', null], ['http://host/tasks', '/tasks', null], ['*', '/tasks', null]
  ]
  for (const [url, prefix, below] of cases) t.equal(pathBelow(url, prefix), below, `${url} below ${prefix}`)
  for (const [prefix, normal] of [[undefined, ''], ['', ''], ['/', ''], ['/a/', '/a'], ['a/b', '/a/b']] as const)
    t.equal(normalizePrefix(prefix), normal)
  t.equal(matchedPrefix('/acme/tasks/api/stats', '/:tenant/tasks/*'), '/acme/tasks')
  t.equal(matchedPrefix('/api/stats', '/*'), '')
  t.equal(matchedPrefix('/tasks', '/tasks/*'), '/tasks')
})

t.test('when a Router of Express strips the path, the option prefix gives its spelling', async t => {
  const [app, router] = [express(), express.Router()]
  router.use('/tasks', createBlueprint(queueApp, { access: 'host', prefix: '/ops/tasks' }))
  app.use('/ops', router)
  app.use(['/one', '/:tenant/two'], createBlueprint(queueApp, { access: 'host' }))
  const address = await listen(t, createServer(app))
  const status = async (path: string) => (await fetch(`${address}${path}/api/stats`)).status
  for (const path of ['/ops/tasks', '/one', '/acme/two']) t.equal(await status(path), 200, path)
  for (const path of ['/ops/TASKS', '/OPS/tasks', '/One']) t.equal(await status(path), 404, path)
})

t.test("createRouter takes prefix and tags at registration, and with tags the API is part of the host's document", async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Host', version: '1' } } })
  await app.register(createRouter(queueApp, { title: 'One' }), { prefix: '/one/', tags: ['operations'] })
  await app.register(createRouter(queueApp, { title: 'Two' }), { prefix: '/two' })
  await app.ready()
  t.match((await app.inject('/one/api/session')).json(), { title: 'One' })
  t.match((await app.inject('/two/api/session')).json(), { title: 'Two' })
  const document = JSON.parse(JSON.stringify(app.swagger())) as { paths: Record<string, Record<string, { tags: string[] }>> }
  const own = (await app.inject('/one/api/openapi.json')).json<{ paths: Record<string, object> }>()
  t.same(Object.keys(document.paths).sort(), Object.keys(own.paths).map(path => `/one${path}`).sort())
  for (const [path, methods] of Object.entries(document.paths)) {
    t.same(Object.keys(methods), Object.keys(own.paths[path.slice('/one'.length)]!), path)
    for (const { tags } of Object.values(methods)) t.same(tags, ['operations'])
  }
  t.notMatch(JSON.stringify(document), /TaskDashboard|\$ref/)
})

t.test('wrong options throw when the dashboard is created, not at its first request', async t => {
  const wrong = { title: '', nonsense: 1 } as HostOptions
  for (const make of [createBlueprint, getUrls, createRouteHandlers]) {
    t.throws(() => make(queueApp, wrong), { code: 'INVALID_OPTIONS', message: /title.*nonsense|nonsense.*title/ })
    t.throws(() => make({} as never), { code: 'INVALID_OPTIONS', message: /queueApp/ })
  }
  t.throws(() => createRouter(queueApp, wrong), { code: 'INVALID_OPTIONS', message: /title/ })
  t.throws(() => createRouter(queueApp, { prefix: '/tasks', stopOnClose: 1 } as object), {
    code: 'INVALID_OPTIONS', message: /stopOnClose must be true or false; prefix belongs to the registration/
  })
  await t.rejects(
    async () => { await Fastify().register(createRouter(queueApp), wrong as object) }, { code: 'INVALID_OPTIONS', message: /title/ }
  )
  for (const options of [null, 7, []]) {
    t.throws(() => createBlueprint(queueApp, options as never), { code: 'INVALID_OPTIONS', message: /options must be an object/ })
    t.throws(() => createRouter(queueApp, options as never), { code: 'INVALID_OPTIONS', message: /options must be an object/ })
  }
})

t.test('all wrong options of a host are in one error, and an empty one is refused ' +
  'where its default would do harm', async t => {
  const wrong = {
    logger: 'stderr', configure: 7, stopOnClose: 'yes', prefix: 7, readOnly: 'no', tags: ['x'], nonsense: 1
  } as unknown as HostOptions
  for (const make of [createBlueprint, createKoaBlueprint, createHonoBlueprint, getUrls, getHapiUrls, createRouteHandlers]) {
    t.throws(() => make(queueApp, wrong), {
      code: 'INVALID_OPTIONS',
      message:
        /nonsense is not an option.*readOnly.*prefix must be.*logger must be.*configure must be.*stopOnClose must be.*tags is not an option here/
    })
    t.throws(() => make(queueApp, { prefix: undefined, configure: undefined, auth: undefined } as object), {
      code: 'INVALID_OPTIONS', message: /auth is undefined.*prefix is undefined.*leave it out for the root; configure is undefined/
    })
    await make(queueApp, { ...quiet, prefix: '', logger: undefined, stopOnClose: undefined } as object).close()
  }
  const nest = (type: string) => ({ use() {}, getHttpAdapter: () => ({ getType: () => type, getInstance: () => Fastify() }) })
  await t.rejects(mountDashboard(nest('fastify'), queueApp, {
    configure() {}, logger: pino({ level: 'silent' }) as never, prefix: undefined
  } as object), {
    code: 'INVALID_OPTIONS', message: /prefix is undefined.*logger is not an option here.*configure is not an option here/
  })
  await t.rejects(mountDashboard(nest('express'), queueApp, { prefix: undefined } as object), { code: 'INVALID_OPTIONS' })
  await mountDashboard(nest('fastify'), queueApp, quiet)
})

t.test('a closed dashboard responds with 503, and stops the queue app only with stopOnClose', async t => {
  let stops = 0
  const stoppable = { ...sampleQueueApp(), stop: async () => { stops++ } }
  for (const stopOnClose of [false, true]) {
    const [blueprint, urls] = [createBlueprint(stoppable, { ...quiet, stopOnClose }), getUrls(stoppable, { ...quiet, stopOnClose })]
    const address = await listen(t, createServer((request, response) => { void blueprint(request, response) }))
    const viaUrl = () => urls[0]!.handler(new Request('http://localhost/api/health', { headers }))
    t.equal((await fetch(`${address}/api/health`, { headers })).status, 200)
    t.equal((await viaUrl()).status, 200)
    await Promise.all([blueprint.close(), blueprint.close(), urls.close()])
    t.equal((await fetch(`${address}/api/health`, { headers })).status, 503)
    t.equal((await viaUrl()).status, 503)
    t.equal(stops, stopOnClose ? 2 : 0)
  }
  for (const stopOnClose of [false, true]) {
    const app = Fastify()
    await app.register(createRouter(stoppable, { stopOnClose }))
    await app.close()
    t.equal(stops, stopOnClose ? 3 : 2)
  }
})

t.test('every short form stops the queue app on close only with stopOnClose', async t => {
  for (const make of [createBlueprint, createKoaBlueprint, createHonoBlueprint, getUrls, getHapiUrls, createRouteHandlers]) {
    for (const stopOnClose of [false, true]) {
      let stops = 0
      const dashboard = make({ ...sampleQueueApp(), stop: async () => { stops++ } }, { ...quiet, stopOnClose })
      await Promise.all([dashboard.close(), dashboard.close()])
      t.equal(stops, stopOnClose ? 1 : 0)
    }
  }
})

t.test('a body that the host has read as bytes or text works like a parsed one', async t => {
  const schedule = { task_name: 'email:send', cron: '0 9 * * 1', description: '日報 🎉' }
  for (const parser of [express.raw({ type: '*/*' }), express.text({ type: '*/*' }), express.json()]) {
    const app = express()
    app.use(parser)
    app.use('/tasks', createBlueprint(sampleQueueApp(), { access: 'host' }))
    const answer = await fetch(`${await listen(t, createServer(app))}/tasks/api/schedules/cron`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(schedule)
    })
    t.match({ status: answer.status, body: await answer.json() }, { status: 201, body: schedule }, parser.name)
  }
})

t.test("authorize can read the host's own request", async t => {
  const seen: unknown[] = []
  const authorize: NonNullable<HostOptions['authorize']> = request => {
    const hosts = hostRequestOf<(IncomingMessage & { user?: string }) | Request>(request)
    seen.push(hosts instanceof Request ? hosts.headers.get('x-user') : hosts.user)
    return true
  }
  const app = express()
  app.use((request, _response, next) => { Object.assign(request, { user: 'ana' }); next() })
  app.use('/tasks', createBlueprint(queueApp, { authorize }))
  t.equal((await fetch(`${await listen(t, createServer(app))}/tasks/api/stats`)).status, 200)
  const { handler } = getUrls(queueApp, { authorize }).find(({ path, method }) => path === '/api/stats' && method === 'GET')!
  t.equal((await handler(new Request('http://localhost/api/stats', { headers: { 'x-user': 'ben' } }))).status, 200)
  t.same(seen, ['ana', 'ben'])
})

t.test('a Web request never counts as local, whatever it claims', async t => {
  const { handler } = getUrls(queueApp)[0]!
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const answer = await handler(new Request(`http://${host}/api/health`, { headers: { host, 'x-real-ip': '127.0.0.1' } }))
    t.match(await answer.json(), { status: 403, code: 'NOT_LOCAL' })
  }
})

t.test('a response to a Web request stops when its reader leaves, and a request that was already read is refused clearly', async t => {
  let closed = 0
  const urls = getUrls(queueApp, {
    ...quiet,
    configure(app) {
      app.get('/slow', (_request, reply) => {
        reply.hijack()
        reply.raw.once('close', () => { closed++ })
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
        reply.raw.write('data: 1\n\n')
      })
      app.get('/never', (_request, reply) => { reply.raw.once('close', () => { closed++ }) })
    }
  })
  const { handler } = urls[0]!
  const answer = await handler(new Request('http://localhost/slow'))
  const reader = answer.body!.getReader()
  await reader.read()
  await reader.cancel()
  const leaving = new AbortController()
  const never = handler(new Request('http://localhost/never', { signal: leaving.signal }))
  setImmediate(() => leaving.abort())
  t.equal((await never).status, 499)
  while (closed < 2) await new Promise(setImmediate)
  const used = new Request('http://localhost/api/schedules/cron', { method: 'POST', body: '{}' })
  await used.text()
  await t.rejects(handler(used), { name: 'TypeError', message: /unread Request/ })
})

t.test('a body that was consumed and discarded is refused at once', async t => {
  const blueprint = createBlueprint(queueApp, quiet)
  const address = await listen(t, createServer((request, response) => {
    request.resume()
    void once(request, 'end').then(() => blueprint(request, response))
  }))
  const write = (method: string, path: string, body?: string) =>
    fetch(address + path, { method, headers: { ...headers, 'content-type': 'application/json' }, ...(body !== undefined && { body }) })
  const refused = await write('POST', '/api/schedules/cron', '{"task_name":"x"}')
  t.match(await refused.json(), { status: 400, code: 'INVALID_INPUT', detail: /mount the dashboard before/ })
  t.equal((await write('PUT', '/api/schedules/s-1/disable')).status, 200)
})

t.test('pages use a trusted X-Forwarded-Prefix, and ignore untrusted or hostile ones', async t => {
  const baseOf = async (options: HostOptions, url: string, forwarded: string) => {
    const { handler } = getUrls(queueApp, { access: 'host', ...options })[0]!
    const answer = await handler(new Request(`http://localhost${url}`, { headers: { 'x-forwarded-prefix': forwarded } }))
    return { base: /<base href="([^"]*)">/.exec(await answer.text())?.[1], vary: answer.headers.get('vary') }
  }
  const trusted = { trustForwarded: true }
  t.same(await baseOf(trusted, '/', '/ops/tasks'), { base: '/ops/tasks/', vary: 'X-Forwarded-Prefix' })
  t.match(await baseOf(trusted, '/schedules/x', '/ops/'), { base: '/ops/' })
  t.match(await baseOf({ ...trusted, prefix: '/tasks' }, '/tasks/schedules', '/ops'), { base: '/ops/tasks/' })
  t.match(await baseOf({ ...trusted, publicPath: '/shown' }, '/schedules', '/ops'), { base: '/shown/' })
  t.same(await baseOf({}, '/schedules/x', '/ops'), { base: '../', vary: null })
  for (const hostile of ['//evil.example', 'https://evil.example', '/a//b', '/"><script>', '/a b', 'ops', `/${'x'.repeat(1000)}`, '/\\evil'])
    t.match(await baseOf(trusted, '/x', hostile), { base: './' }, hostile)
})

t.test('with trustForwarded, the Origin of a write is compared with the host that the browser sees', async t => {
  const write = async (options: HostOptions) => {
    const { handler } = getUrls(queueApp, { access: 'host', ...options })[0]!
    const forwarded = { origin: 'https://example.com', host: 'upstream:3000', 'x-forwarded-host': 'example.com, inner.example' }
    return (await handler(new Request('http://upstream:3000/api/schedules/s-1/disable', { method: 'PUT', headers: forwarded }))).status
  }
  t.equal(await write({ trustForwarded: true }), 200)
  t.equal(await write({}), 403)
})

t.test('configure may be async, and if it fails the dashboard responds with 503 without ending the process', async t => {
  const late = createBlueprint(queueApp, {
    ...quiet,
    configure: async app => {
      await new Promise(setImmediate)
      app.addHook('onRequest', async (_request, reply) => { reply.header('x-late', 'yes') })
    }
  })
  const get = async (blueprint: ReturnType<typeof createBlueprint>) =>
    fetch(`${await listen(t, createServer(blueprint))}/api/stats`, { headers })
  t.equal((await get(late)).headers.get('x-late'), 'yes', 'a hook added late applies to every response')

  t.throws(() => createBlueprint(queueApp, { ...quiet, configure() { throw new Error('wrong') } }), { message: 'wrong' })
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: line => { lines.push(line) } }) as unknown as NonNullable<HostOptions['logger']>
  const rejecting = createBlueprint(queueApp, { ...quiet, logger, configure: async () => { throw new Error('no such secret') } })
  await new Promise(setImmediate)
  for (const answer of [await get(rejecting), await get(rejecting)]) {
    const text = await answer.text()
    t.equal(answer.status, 503)
    t.match(JSON.parse(text), { status: 503, code: 'BUSY', instance: '/api/stats' })
    t.notMatch(text, 'secret')
  }
  t.match(lines, [/did not start/], 'logged once')
  t.match(lines[0], /no such secret/)
  // A host that waits for the handler gets the error.
  let told: unknown
  await new Promise<void>(resolve => { void rejecting({ url: '/' } as never, {} as never, error => { told = error; resolve() }) })
  t.match(told, { message: 'no such secret' })
  await t.rejects(getUrls(queueApp, {
    ...quiet, logger, configure: async () => { throw new Error('no') }
  })[0]!.handler(new Request('http://localhost/api/stats')), { message: 'no' })
})
