import { createServer } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import { examine } from '../../../lib/cli/commands/doctor.ts'
import { createBlueprint, createRouter, type Monitoring, type RouterOptions } from '../../../lib/index.ts'
import { sampleQueueApp } from '../../dashboard/sample-queue-app.ts'
import { closedPort } from '../../support/servers/closed-port.ts'
import { listen } from '../../support/network/listen.ts'
import { runCommands } from '../../support/programs/run-command.ts'
import { startNginx } from '../../support/servers/nginx.ts'

/** The output for every wrong command. */
const USAGE = /^Usage: fastify-task-dashboard --broker <url>[^]*\n +fastify-task-dashboard doctor <url>/m
const fine = { healthy: true, message: 'fine' }
const monitoring: Monitoring = {
  ...sampleQueueApp().monitoring,
  health: async () => ({
    status: 'healthy', timestamp: 0, uptimeMs: 0, components: { app: fine, broker: fine, backend: fine, scheduler: fine, workers: fine }
  }),
  datastores: async () => ({
    broker: { kind: 'redis', version: '7.2.0', evictionPolicy: 'noeviction', persistence: 'log' },
    backend: { kind: 'postgres', version: '16.1', evictionPolicy: null, persistence: 'log' }
  })
}
const upstream = await serve([
  ['/tasks', {}], ['/shown', {}], ['/framed', { frameAncestors: ['self'] }],
  ['/guarded', { auth: { username: 'ana', password: 'a b:c' } }], ['/closed', { authorize: () => false }]
])
const proxy = await startNginx(t, `
  location /tasks { proxy_pass ${upstream}; }
  location /guarded { proxy_pass ${upstream}; }
  location /local { proxy_pass ${await serve([['/local', null]])}; }
  location /closed { proxy_pass ${upstream}; }
  location /replaced/q { rewrite ^/replaced/q(.*)$ /shown$1 break; proxy_pass ${upstream}; }
  location /decoded/ { proxy_pass ${upstream}/; }
  location /hostless/ { proxy_pass ${upstream}/; proxy_set_header Host upstream.internal; proxy_set_header X-Forwarded-Host $http_host; }
  location /prefixed/ { proxy_pass ${upstream}/; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Prefix /prefixed; }
  location /policy/ { proxy_pass ${upstream}/; add_header Content-Security-Policy "default-src 'self'"; }
  location /bare/ { proxy_pass ${upstream}/; proxy_hide_header Content-Security-Policy; }
  location /held/ { proxy_pass ${upstream}/; proxy_buffering on; proxy_ignore_headers X-Accel-Buffering; }
  location /unheld/ { proxy_pass ${upstream}/; proxy_buffering off; proxy_ignore_headers X-Accel-Buffering; }
  location /cloud/ { proxy_pass ${upstream}/; proxy_set_header Host $http_host; proxy_set_header X-Real-IP ""; proxy_set_header
    X-Forwarded-For ""; proxy_set_header X-Forwarded-Proto ""; proxy_set_header CF-Connecting-IP $remote_addr; }
  location /files/ { proxy_pass ${upstream}/; location ~ ^/files/.*[.]js$ { return 404; } }
`)

t.test('a correct mount has no findings, with or without a slash at the end', async t => {
  const signedIn = `${proxy}/guarded`.replace('//', '//ana:a%20b%3Ac@')
  for (const address of [`${proxy}/tasks`, `${proxy}/tasks/`, `${upstream}/tasks?x#y`, `${upstream}/framed`, signedIn]) {
    const findings = await examine(new URL(address), null)
    t.same(findings.filter(({ level }) => level !== 'ok'), [], address)
    t.same(
      [...new Set(findings.map(({ check }) => check))].sort(),
      [
        'backend', 'broker', 'clock', 'csp', 'eviction', 'host', 'names', 'persistence', 'prefix', 'proxy', 'scheduler', 'stream',
        'versions', 'workers'
      ]
    )
  }
  t.equal((await doctor(`${proxy}/guarded`, '--user', 'ana', '--password', 'a b:c')).code, 0)
})

const faults: Array<[path: string, check: string, level: string, fix: RegExp]> = [
  ['/guarded', 'access', 'error', /--user/],
  ['/local', 'access', 'error', /auth: \{ username/],
  ['/closed', 'access', 'error', /authorize/],
  ['/none', 'prefix', 'error', /prefix: '\/none'/],
  ['/replaced/q', 'prefix', 'error', /publicPath: '\/replaced\/q'/],
  ['/decoded/tasks', 'names', 'error', /proxy_pass/],
  ['/hostless/tasks', 'host', 'error', /proxy_set_header Host \$http_host;/],
  ['/hostless/tasks', 'proxy', 'error', /proxy_set_header Host \$http_host;/],
  ['/prefixed/tasks', 'prefix', 'warning', /trustForwarded: true/],
  ['/prefixed/tasks', 'proxy', 'warning', /proxy_set_header X-Forwarded-Proto \$scheme;/],
  ['/held/tasks', 'stream', 'error', /proxy_buffering off;/],
  ['/policy/tasks', 'csp', 'warning', /add_header/],
  ['/bare/tasks', 'csp', 'error', /proxy_hide_header/],
  ['/files/tasks', 'prefix', 'error', /location/]
]

t.test('each fault of a proxy is named with the setting that fixes it', async t => {
  for (const [path, check, level, fix] of faults) {
    const findings = await examine(new URL(proxy + path), null)
    t.match(findings.filter(finding => finding.check === check && fix.test(finding.fix ?? '')), [{ level }], `${path}: ${check}`)
  }
})

t.test("a proxy that only sends its cloud's header is detected", async t => {
  const findings = (await examine(new URL(`${proxy}/cloud/tasks`), null)).filter(({ check }) => check === 'proxy')
  t.same(
    findings.map(({ level, message }) => [level, message]),
    ['x-real-ip', 'x-forwarded-for', 'x-forwarded-proto'].map(name => ['warning', `The proxy does not send ${name}`])
  )
  const { request } = await (await fetch(`${proxy}/cloud/tasks/api/doctor`)).json() as { request: { forwarded: string[] } }
  t.same(request.forwarded, ['cf-connecting-ip'])
})

t.test('a proxy that does not buffer events is fine, whether configured so or following our header', async t => {
  for (const path of ['/tasks', '/unheld/tasks']) {
    const findings = await examine(new URL(proxy + path), null)
    t.match(findings.filter(({ check }) => check === 'stream'), [{ level: 'ok' }], path)
  }
})

t.test('faults of datastores, workers and clocks are named', async t => {
  const sick = createBlueprint(sampleQueueApp(), { access: 'host' })
  const address = await listen(t, createServer((request, response) => {
    const { end } = response
    // Makes the dashboard's clock five minutes slow.
    response.end = ((body: string | Buffer) =>
      end.call(response, typeof body === 'string' ? shiftMinutes(body) : body, 'utf8')) as typeof response.end
    void sick(request, response)
  }))
  const { findings, code, text } = await doctor(address)
  const mended = Object.fromEntries(findings.filter(({ level }) => level !== 'ok').map(({ check, fix }) => [check, fix]))
  t.match(mended, {
    eviction: 'maxmemory-policy noeviction', persistence: 'appendonly yes', workers: 'await queueApp.run()',
    clock: 'timedatectl set-ntp true'
  })
  t.equal(code, 1)
  t.match(text, /✗ eviction: .*allkeys-lru[^\n]*\n {4}maxmemory-policy noeviction\n/)
})

t.test('for existing queues, the fixes are those of the command, and nothing of their owner is to be changed', async t => {
  const down = { healthy: false, message: 'down' }
  const observed: Monitoring = {
    ...monitoring,
    supports: { ...monitoring.supports, changes: false },
    health: async () => ({
      status: 'unhealthy', timestamp: 0, uptimeMs: 0, components: { app: fine, broker: down, backend: down, scheduler: fine, workers: fine }
    }),
    datastores: async () => ({
      broker: { kind: 'redis', version: '7.2.0', evictionPolicy: 'allkeys-lru', persistence: null },
      backend: { kind: 'embedded', version: '17.5', evictionPolicy: null, persistence: 'memory' }
    })
  }
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(createRouter(sampleQueueApp({ monitoring: observed }), { access: 'host' }), { prefix: '/tasks' })
  const findings = (await examine(new URL(`${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`), null))
    .filter(({ level }) => level !== 'ok')
  t.same(findings.map(({ check, level, fix }) => [check, level, fix]), [
    ['broker', 'error', '--broker redis://localhost:6379  # in code: QueueApp.fromQueues({ broker: \'redis://localhost:6379\' })'],
    ['backend', 'error', '--backend redis://localhost:6379/1  # in code: QueueApp.fromQueues(…, { backend: \'redis://localhost:6379/1\' })'],
    ['eviction', 'warning', null],
    ['persistence', 'warning', '--backend embedded:./history  # in code: QueueApp.fromQueues(…, { backend: \'embedded:./history\' })']
  ])
  t.match(findings.find(({ check }) => check === 'eviction')?.message, /its owner/)
})

t.test('an unreachable dashboard and a wrong command give clear messages', async t => {
  const { code, findings } = await doctor(`http://127.0.0.1:${await closedPort(t)}/tasks`)
  t.match(findings, [{ check: 'reach', level: 'error', message: /ECONNREFUSED/ }])
  t.equal(code, 1)
  const wrong = [[], ['doctor'], ['doctor', 'nonsense'], ['nonsense', proxy], ['doctor', proxy, '--nonsense']]
  const outcomes = await runCommands([...wrong, ['--help']])
  for (const [index, args] of wrong.entries()) t.match(outcomes[index], { code: 2, err: USAGE }, args.join(' '))
  t.match(outcomes.at(-1), { code: 0, out: /Usage/ })
})

t.test('a server that is not a dashboard is reported, and its answers cannot control the terminal', async t => {
  let body = ''
  const server = createServer((_request, response) => { response.setHeader('content-type', 'application/json').end(body) })
  const address = new URL(await listen(t, server))
  for (body of ['null', '{}', '[]', '7', '{"findings":[null],"request":{},"timestamp":""}']) {
    t.match(await examine(address, null), [{ check: 'prefix', level: 'error', message: /not from a dashboard/ }], body)
  }
  body = JSON.stringify({
    findings: [{ check: 'x', level: 'ok', message: '\u001b]0;title\u0007 \u009b31m \u202e', fix: 'one\ntwo' }], request: { host: 'x' },
    timestamp: ''
  })
  const [{ out } = { out: '' }] = await runCommands([['doctor', address.href]])
  t.match(out, /^✓ x: \ufffd\]0;title\ufffd \ufffd31m \ufffd\n {4}one\ufffdtwo\n/)
})

interface Found { check: string; level: string; message: string; fix: string | null }

async function doctor(address: string, ...options: string[]): Promise<{ code: number; findings: Found[]; text: string }> {
  const [asJson, asText] = await runCommands([['doctor', address, '--json', ...options], ['doctor', address, ...options]])
  return { code: asJson!.code, findings: JSON.parse(asJson!.out) as Found[], text: asText!.out }
}

async function serve(mounts: ReadonlyArray<readonly [prefix: string, options: RouterOptions | null]>): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  for (const [prefix, options] of mounts) {
    const guarded = options?.auth || options?.authorize || options === null
    await app.register(createRouter(sampleQueueApp({ monitoring }), guarded ? options ?? {} : { access: 'host', ...options }), { prefix })
  }
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** Keeps the length, so that content-length stays correct. */
function shiftMinutes(body: string): string {
  return body.replace(/"timestamp":"([^"]+)"/, (_all, instant: string) =>
    `"timestamp":"${new Date(Date.parse(instant) - 300_000).toISOString()}"`)
}
