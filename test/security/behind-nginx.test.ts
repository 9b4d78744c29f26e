import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { QueueApp, dashboardPlugin } from '../../lib/index.ts'
import { findNginx } from '../support/servers/binaries.ts'
import { createChildServer } from '../support/servers/child-server.ts'
import { freePort } from '../support/servers/free-port.ts'
import { setVariable } from '../support/set-variable.ts'
import { readText } from '../support/source-files.ts'

/** nginx's defaults from 1.29.7 on. */
const SINCE_1_29_7 = 'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $proxy_host;'

const queueApp = QueueApp.fromUrls()
queueApp.task('reports/daily', async () => 1)
const fastify = Fastify()
t.teardown(async () => { await fastify.close(); await queueApp.stop() })
const scheduleId = await queueApp.createScheduler().scheduleCron('reports/daily', '0 6 * * *', 'Daily')
await queueApp.start()
await fastify.register(dashboardPlugin, { prefix: '/tasks', queueApp, auth: { username: 'ana', password: 'secret' } })
await fastify.register(dashboardPlugin, { prefix: '/tasks-local', queueApp })
const putBack = setVariable('NODE_ENV', 'production')
await fastify.register(dashboardPlugin, { prefix: '/tasks-production', queueApp })
putBack()
await fastify.listen({ port: 0, host: '127.0.0.1' })
const proxy = await startNginx((fastify.server.address() as { port: number }).port)
const authorization = `Basic ${btoa('ana:secret')}`

t.test('pages, the API and names with a slash work through the nginx of docs/production.md', async t => {
  const page = await fetch(`${proxy}/tasks/`, { headers: { authorization } })
  t.match(await page.text(), '<base href=')
  t.equal((await fetch(`${proxy}/tasks/api/stats`, { headers: { authorization } })).status, 200)
  const task = await fetch(`${proxy}/tasks/api/tasks/reports%2Fdaily`, { headers: { authorization } })
  t.match(await task.json(), { name: 'reports/daily' })
  t.equal((await fetch(`${proxy}/tasks/api/stats`)).status, 401)
})

t.test('a write passes only if its Origin is the address that the browser sees', async t => {
  const write = (origin: string) =>
    fetch(`${proxy}/tasks/api/schedules/${scheduleId}/disable`, { method: 'PUT', headers: { authorization, origin } })
  t.equal((await write(proxy)).status, 200)
  const refused = await write('https://elsewhere.example')
  t.equal(refused.status, 403)
  t.match(await refused.json(), { code: 'CROSS_SITE_WRITE' })
})

t.test('a dashboard without configured access refuses everybody behind a proxy, even a local one', async t => {
  const answer = await fetch(`${proxy}/tasks-local/api/stats`)
  t.equal(answer.status, 403)
  t.match(await answer.json(), { code: 'NOT_LOCAL' })
})

t.test('a dashboard without configured access refuses a proxy without forwarded headers that looks like a local client', async t => {
  const answer = await fetch(`${proxy}/bare/api/stats`)
  t.equal(answer.status, 403)
  t.match(await answer.json(), { code: 'NOT_LOCAL' })
})

t.test('a proxy with HTTP/1.1 and no header looks like a local client, which is why production requires a choice', async t => {
  t.equal((await fetch(`${proxy}/current/api/stats`)).status, 200, 'indistinguishable from a local request')
  const answer = await fetch(`${proxy}/production/api/stats`)
  t.match(await answer.json(), { status: 403, code: 'ACCESS_NOT_CONFIGURED' })
})

/** Starts nginx with the documented server block, except TLS and ports, and locations with nginx's defaults. */
async function startNginx(upstream: number): Promise<string> {
  const command = findNginx()
  if (command === null) throw new Error('nginx is not installed: apt-get install nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-nginx-'))
  const port = await freePort()
  const printed = /```nginx\n([\s\S]*?)```/.exec(readText('docs/production.md'))![1]!
  const server = printed.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`).replace(/^ *ssl_.*$/gm, '').replace(
    '127.0.0.1:3000', `127.0.0.1:${upstream}`
  )
    .replace(/\}\s*$/, `location /bare/ { proxy_pass http://127.0.0.1:${upstream}/tasks-local/; }
      location /current/ { proxy_pass http://127.0.0.1:${upstream}/tasks-local/; ${SINCE_1_29_7} }
      location /production/ { proxy_pass http://127.0.0.1:${upstream}/tasks-production/; ${SINCE_1_29_7} } }`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary}\n${server} }`
  )
  const nginx = createChildServer({
    command,
    args: ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'],
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => fetch(`http://127.0.0.1:${port}/tasks`).then(() => true, () => false)
  })
  t.teardown(async () => { await nginx.stop(); await rm(folder, { recursive: true, force: true }) })
  await nginx.start()
  return `http://127.0.0.1:${port}`
}
