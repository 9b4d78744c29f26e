import { createServer } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import t from 'tap'
import { createBlueprint, createRouter, type RouterOptions } from '../../lib/index.ts'
import { sampleQueueApp } from '../dashboard/sample-queue-app.ts'
import { listen } from '../support/network/listen.ts'
import { FORWARDED, startNginx } from '../support/servers/nginx.ts'
import { isSoak } from '../support/soak.ts'
import { launchBrowser, openPage } from './browser.ts'

const deep = await serve([
  ['/tasks', {}], ['/a/b/tasks', {}], ['/shown', { publicPath: '/rewritten/q' }],
  ['/secret', { auth: { username: 'ana', password: 'secret' } }]
])
const atRoot = await serve([['/', { trustForwarded: true }]])
const host = express()
host.use('/admin/tasks', createBlueprint(sampleQueueApp(), { access: 'host' }))
const onExpress = await listen(t, createServer(host))

/** How browsers reach the dashboard, and how nginx rewrites the requests. */
const locations: Array<{ title: string; mount: string; nginx: string }> = [
  { title: 'passed on as it is', mount: '/tasks', nginx: `location /tasks { proxy_pass ${deep}; }` },
  { title: 'passed on as it is, three levels deep', mount: '/a/b/tasks', nginx: `location /a/b/tasks { proxy_pass ${deep}; }` },
  { title: 'a segment before it taken off', mount: '/strip/tasks', nginx: `location /strip/ { proxy_pass ${deep}/; }` },
  {
    title: 'a segment put before it', mount: '/tasks-of/tasks',
    nginx: `location /tasks-of/ { rewrite ^/tasks-of/(.*)$ /a/b/$1 break; proxy_pass ${deep}; }`
  },
  {
    title: 'taken off to the root, X-Forwarded-Prefix', mount: '/ops',
    nginx: `location /ops { rewrite ^/ops/?(.*)$ /$1 break; proxy_pass ${atRoot}; ${FORWARDED} proxy_set_header X-Forwarded-Prefix /ops; }`
  },
  {
    title: 'its last segment replaced, publicPath', mount: '/rewritten/q',
    nginx: `location /rewritten/q { rewrite ^/rewritten/q(.*)$ /shown$1 break; proxy_pass ${deep}; }`
  },
  { title: 'Express, a segment before it taken off', mount: '/x/admin/tasks', nginx: `location /x/ { proxy_pass ${onExpress}/; }` },
  { title: 'basic authentication', mount: '/secret', nginx: `location /secret { proxy_pass ${deep}; }` }
]
const proxy = await startNginx(t, locations.map(({ nginx }) => nginx).join('\n'))
const browser = await launchBrowser(t)

for (const [index, { title, mount, nginx }] of locations.entries()) {
  t.test(`behind a proxy: ${title}`, async t => {
    const options = mount === '/secret' ? { httpCredentials: { username: 'ana', password: 'secret' } } : {}
    // nginx decodes %2F where it changes the path.
    const id = /rewrite|\/;/.test(nginx) ? 'e-1' : 'a%2Fb'
    const deep = `/tasks/?execution=${id}`
    const others = ['', '/', '/schedules', '/no/such/page']
    for (const path of isSoak ? [deep, ...others] : [deep, others[index % others.length]!]) {
      const { page, troubles } = await openPage(t, browser, proxy + mount + path, options)
      if (path === '/no/such/page') await page.getByRole('link', { name: 'Schedules' }).first().waitFor()
      else await page.locator('[data-row-link]').first().waitFor()
      t.equal(await page.evaluate('document.baseURI'), `${proxy}${mount}/`, `${path}: base`)
      t.ok(
        await page.evaluate('document.styleSheets.length > 0 && [...document.styleSheets].every(sheet => sheet.cssRules.length > 0)'),
        `${path}: style`
      )
      await page.getByRole('link', { name: 'Schedules' }).first().click()
      await page.waitForURL(`${proxy}${mount}/schedules`)
      await page.reload()
      await page.locator('[data-row-link]').first().waitFor()
      t.same(troubles, [], path)
      await page.context().close()
    }
  })
}

t.test('a page of another site can read nothing in local mode, even if the host allows every origin', async t => {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  // What @fastify/cors does with `origin: true`, for every request.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', request.headers.origin ?? '*').header('access-control-allow-headers', '*').header(
      'access-control-allow-methods', '*'
    )
    reply.header('access-control-allow-private-network', 'true')
  })
  await app.register(createRouter(sampleQueueApp(), {}), { prefix: '/local' })
  await app.register(createRouter(sampleQueueApp(), { access: 'host' }), { prefix: '/open' })
  const dashboard = (await app.listen({ port: 0, host: '127.0.0.1' }))
  const elsewhere = await listen(
    t, createServer((_request, response) => { response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>') })
  )
  const context = await browser.newContext()
  t.teardown(() => context.close())
  const page = await context.newPage()
  await page.goto(elsewhere)
  const read = (path: string, init: RequestInit = {}) =>
    page.evaluate<{ status: number; text: string }>(
      `fetch(${JSON.stringify(dashboard + path)}, ${JSON.stringify(init)}).then(async answer => ({ status: answer.status, text: await ` +
        `answer.text() }), () => ({ status: 0, text: '' }))`
    )
  for (const path of ['/api/executions/e-1', '/api/session', '/']) {
    // Without CORS, the browser would block the response because of our Cross-Origin-Resource-Policy. With the host's CORS headers, it
    // would hand the response over.
    t.equal((await read(`/open${path}`)).status, 200, `${path} is readable where the host opens it`)
    const { status, text } = await read(`/local${path}`)
    t.ok(status === 403 || status === 0, `${path} is ${status}`)
    t.notMatch(text, /a@b\.c|"actions"|<base/)
    t.same(await read(`/local${path}`, { mode: 'no-cors' }), { status: 0, text: '' })
  }
  const write = await read('/local/api/schedules/s-1/disable', { method: 'PUT' })
  t.ok(write.status === 403 || write.status === 0, `a write is ${write.status}`)
})

t.test('pages do not send requests with the credentials in their address', async t => {
  const { page, troubles } = await openPage(t, browser, `${proxy.replace('//', '//ana:secret@')}/secret/schedules`)
  await page.locator('[data-row-link]').first().waitFor()
  t.same(troubles, [])
})

t.test('a write succeeds with the forwarded headers of the production guide, and one from another site gets 403', async t => {
  for (const { mount } of locations) {
    const headers = mount === '/secret' ? { authorization: `Basic ${btoa('ana:secret')}` } : {}
    const write = (origin: string) =>
      fetch(`${proxy}${mount}/api/schedules/s-1/disable`, { method: 'PUT', headers: { ...headers, origin } })
    t.equal((await write(proxy)).status, 200, mount)
    t.equal((await write('https://elsewhere.example')).status, 403, mount)
  }
})

t.test('OpenAPI servers and the Location of a new schedule are correct behind each proxy', async t => {
  for (const { mount } of locations) {
    const headers = { 'content-type': 'application/json', ...(mount === '/secret' ? { authorization: `Basic ${btoa('ana:secret')}` } : {}) }
    const address = `${proxy}${mount}/api/openapi.json`
    const { servers } = await (await fetch(address, { headers })).json() as { servers: [{ url: string }] }
    const root = new URL(servers[0].url, address).href.replace(/\/$/, '')
    t.equal(root, `${proxy}${mount}`, `${mount}: servers`)
    const made = await fetch(`${root}/api/schedules/cron`, {
      method: 'POST', headers, body: JSON.stringify({ task_name: 'email:send', cron: '0 9 * * 1' })
    })
    t.equal(made.status, 201, mount)
    const location = new URL(made.headers.get('location')!, made.url).href
    t.match(location, `${proxy}${mount}/api/schedules/`, `${mount}: Location`)
    t.match(await (await fetch(location, { headers })).json(), { task_name: 'email:send' }, mount)
  }
})

t.test('names of every kind pass a proxy that leaves the path unchanged', async t => {
  for (const mount of ['/tasks', '/a/b/tasks']) {
    for (const name of ['reports/daily', 'a b', '日報 🎉', '100%', 'x'.repeat(1000)]) {
      const answer = await (await fetch(`${proxy}${mount}/api/tasks/${encodeURIComponent(name)}/executions`)).json() as object
      const direct = await (await fetch(`${deep}${mount}/api/tasks/${encodeURIComponent(name)}/executions`)).json() as object
      t.same({ ...answer, request_id: '' }, { ...direct, request_id: '' }, name.slice(0, 20))
    }
  }
})

t.test('forwarded headers from a client change nothing when no proxy is trusted', async t => {
  const spoofed = {
    'x-forwarded-prefix': '/evil', 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'gopher', 'x-forwarded-for': '127.0.0.1',
    forwarded: 'for=127.0.0.1;host=elsewhere.example'
  }
  for (const { mount } of locations.filter(each => each.mount !== '/ops')) {
    const headers = { ...spoofed, ...(mount === '/secret' ? { authorization: `Basic ${btoa('ana:secret')}` } : {}) }
    for (const path of ['', '/schedules', '/api/openapi.json'])
      t.notMatch(await (await fetch(proxy + mount + path, { headers })).text(), /evil|elsewhere|gopher/, mount + path)
    t.equal((await fetch(`${proxy}${mount}/api/schedules/s-1/disable`, { method: 'PUT', headers: { ...headers, origin: 'https://elsewhere.example' } })).status, 403, mount)
  }
  t.equal((await fetch(`${proxy}/secret/api/stats`, { headers: spoofed })).status, 401)
})

async function serve(mounts: ReadonlyArray<readonly [prefix: string, options: RouterOptions]>): Promise<string> {
  const app = Fastify({ forceCloseConnections: true, trustProxy: true })
  t.teardown(() => app.close())
  for (const [prefix, options] of mounts) {
    await app.register(
      options.auth ? createRouter(sampleQueueApp(), options) : createRouter(sampleQueueApp(), { access: 'host', ...options }), { prefix }
    )
  }
  return app.listen({ port: 0, host: '127.0.0.1' })
}
