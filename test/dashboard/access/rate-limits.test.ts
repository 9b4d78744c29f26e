import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { networkOf } from '../../../lib/dashboard/access/client-address.ts'
import { createRateLimits } from '../../../lib/dashboard/access/rate-limits.ts'
import { dashboardPlugin } from '../../../lib/dashboard/plugin.ts'
import type { AuditPage } from '../../../schemas/audit.ts'
import { buildDashboard } from '../build-dashboard.ts'
import { sampleQueueApp } from '../sample-queue-app.ts'

const AUTH = { auth: { username: 'ops', password: 'secret' } }
const RIGHT = { authorization: `Basic ${btoa('ops:secret')}` }
const WRONG = { authorization: `Basic ${btoa('ops:guess')}` }
const STATS = '/tasks/api/stats'
const DISABLE = { method: 'PUT', url: '/tasks/api/schedules/s-1/disable' } as const

t.test('after too many wrong passwords, an address is refused for the rest of the minute, even with the right one', async t => {
  const app = await buildDashboard(t, { ...AUTH, rateLimit: { failedSignInsPerMinute: 3 } })
  for (let attempt = 1; attempt <= 3; attempt++) t.equal((await app.inject({ url: STATS, headers: WRONG })).statusCode, 401)
  for (const headers of [WRONG, RIGHT]) {
    const refused = await app.inject({ url: STATS, headers })
    t.match(refused.json(), { status: 429, code: 'TOO_MANY_SIGN_INS' })
    const seconds = Number(refused.headers['retry-after'])
    t.ok(seconds >= 1 && seconds <= 60, `${seconds} s`)
  }
  const elsewhere = await app.inject({ url: STATS, headers: RIGHT, remoteAddress: '10.0.0.9' })
  t.equal(elsewhere.statusCode, 200, 'another address is not affected')
})

t.test('guesses that arrive in one packet are counted one by one', async t => {
  const app = await buildDashboard(t, { ...AUTH, rateLimit: { failedSignInsPerMinute: 3 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const request = ({ authorization }: typeof WRONG): string =>
    `GET ${STATS} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let answers = ''
  const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  const all = new Promise<void>(resolve => socket.on('data', data => {
    answers += data.toString()
    if (statuses().length === 21) resolve()
  }))
  socket.write(request(WRONG).repeat(20) + request(RIGHT))
  await all
  t.same(statuses(), [...Array.from({ length: 3 }, () => '401'), ...Array.from({ length: 18 }, () => '429')])
})

t.test('concurrent requests with the right password are all accepted', async t => {
  const app = await buildDashboard(t, { ...AUTH, rateLimit: { failedSignInsPerMinute: 1 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject({ url: STATS, headers: RIGHT })))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
})

t.test('a client cannot get a new count by using another address of its network, or another port', async t => {
  const same = [
    ['192.0.2.1', '192.0.2.1:4711', '::ffff:192.0.2.1', '[::ffff:192.0.2.1]:4711'],
    ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::', '2001:0db8:0001:0002:3:4:5:6', '[2001:db8:1:2::9]:443', '2001:db8:1:2::1%eth0'],
    ['2001:db8::1', '2001:db8:0:0:1::'], ['2001::5', '2001:0:0:0:9::'], ['1:2:3:4:5:6:7:8', '1:2:3:4::']
  ]
  for (const addresses of same) t.equal(new Set(addresses.map(networkOf)).size, 1, addresses.join(' '))
  const others = [
    '192.0.2.1', '192.0.2.2', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8::1', '::1', '64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2',
    'unknown', 'fe80::1%eth0', '', '[', '1.2.3:4:5', '%', '::ffff:1.2.3', '999.1.1.1'
  ]
  t.equal(new Set(others.map(networkOf)).size, others.length)

  const app = await buildDashboard(t, { ...AUTH, rateLimit: { failedSignInsPerMinute: 2 } })
  const statuses = []
  for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::3'])
    statuses.push((await app.inject({ url: STATS, headers: WRONG, remoteAddress })).statusCode)
  t.same(statuses, [401, 401, 429, 401])
})

t.test('a forwarded address counts, and is recorded, only if the host trusts the proxy that sent it', async t => {
  for (const [trustProxy, known] of [[false, '127.0.0.1'], ['10.0.0.1', '127.0.0.1'], ['127.0.0.1', '203.0.113.9']] as const) {
    const { write, recorded } = await behind(t, trustProxy)
    const statuses = []
    for (const forged of ['10.9.9.1', '::1', 'x'.repeat(9_000)]) statuses.push(await write(forged))
    t.same(statuses, [200, 200, 429], 'no one escapes the limit')
    t.same(await recorded(), [known, known, known], String(trustProxy))
  }
  const { write, recorded } = await behind(t, true)
  await write('x'.repeat(9_000))
  t.equal((await recorded())[0]!.length, 100, 'no longer than an address')
})

async function behind(t: Test, trustProxy: boolean | string) {
  const app = Fastify({ trustProxy })
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(), ...AUTH, rateLimit: { writesPerMinute: 2 } })
  return {
    async write(forged: string): Promise<number> {
      const headers = { ...RIGHT, 'x-forwarded-for': `${forged}, 203.0.113.9`, forwarded: `for=${forged}`, 'x-real-ip': forged }
      return (await app.inject({ ...DISABLE, headers })).statusCode
    },
    recorded: async () => (await app.inject({ url: '/tasks/api/audit', headers: RIGHT })).json<AuditPage>().items.map(each => each.address!)
  }
}

t.test('requests without a password and right passwords do not count as failed', async t => {
  const app = await buildDashboard(t, { ...AUTH, rateLimit: { failedSignInsPerMinute: 1 } })
  for (let attempt = 1; attempt <= 3; attempt++) {
    t.equal((await app.inject(STATS)).statusCode, 401)
    t.equal((await app.inject({ url: STATS, headers: RIGHT })).statusCode, 200)
  }
})

t.test('writes are limited per user and address, before anything is changed, and reads are not', async t => {
  let user = 'ana'
  let writes = 0
  const app = await buildDashboard(t, { access: 'local', identify: () => user, rateLimit: { writesPerMinute: 2 } }, {
    operations: { setScheduleEnabled: async () => { writes++; throw new Error('not reached more than expected') } }
  })
  const statuses = []
  for (let sent = 1; sent <= 4; sent++) statuses.push((await app.inject(DISABLE)).statusCode)
  t.same(statuses, [500, 500, 429, 429])
  t.equal(writes, 2)
  const refused = await app.inject(DISABLE)
  t.match(refused.json(), { code: 'TOO_MANY_WRITES' })
  t.match(refused.headers['retry-after'], /^\d+$/)
  t.equal((await app.inject('/tasks/api/schedules')).statusCode, 200)
  user = 'ben'
  t.equal((await app.inject(DISABLE)).statusCode, 500, 'another user is not affected')
})

t.test('a refusal because of too many writes, or of the reason, does not use up an Idempotency-Key', async t => {
  let user = 'ana'
  const app = await buildDashboard(t, {
    access: 'local', identify: () => user, rateLimit: { writesPerMinute: 1 }, requireReason: ['tasks:run']
  })
  const run = (headers: object) => app.inject({
    method: 'POST', url: '/tasks/api/tasks/email%3Asend/run', payload: {}, headers: { 'idempotency-key': 'k-1', ...headers }
  })
  const reason = { 'audit-reason': 'by%20hand' }
  t.match((await run({})).json(), { code: 'REASON_REQUIRED' })
  t.match((await run({ 'audit-reason': '%' })).json(), { code: 'INVALID_INPUT' })
  t.equal((await run(reason)).statusCode, 202)
  t.match((await run(reason)).headers, { 'idempotent-replayed': 'true' })
  for (let sent = 1; sent <= 2; sent++) {
    const { headers, statusCode } = await run({ ...reason, 'idempotency-key': 'k-2' })
    t.match([statusCode, headers['retry-after']], [429, /^\d+$/], 'not replayed')
  }
  user = 'ben'
  t.equal((await run(reason)).statusCode, 202)
})

t.test('without a client address from the host, sign-ins are not limited, because all clients would share the count', async t => {
  const limits = createRateLimits({ writesPerMinute: 1, failedSignInsPerMinute: 1 })
  await limits.countFailedSignIn(null)
  t.equal(await limits.refusesSignIn(null), null)
  t.equal(await limits.countWrite(null, null), null)
  t.type(await limits.countWrite(null, null), 'number')
})

t.test('which addresses share a count is unpredictable and differs between processes', async t => {
  const [one, other] = [1, 2].map(() => createRateLimits({ writesPerMinute: 1, failedSignInsPerMinute: 1 }))
  await one!.countFailedSignIn('192.0.2.1')
  let shared = ''
  for (let number = 0; shared === ''; number++) {
    const address = `2001:db8::${number}`
    if (await one!.refusesSignIn(address) !== null) shared = address
  }
  await other!.countFailedSignIn('192.0.2.1')
  t.equal(await other!.refusesSignIn(shared), null, shared)
})

t.test('limits are whole numbers from 1 to 1,000,000', async t => {
  for (const rateLimit of [{ writesPerMinute: 0 }, { writesPerMinute: 1_000_001 }, { failedSignInsPerMinute: 1.5 }, { perHour: 3 }])
    await t.rejects(buildDashboard(t, { rateLimit }), { code: 'INVALID_OPTIONS', message: /rateLimit/ }, JSON.stringify(rateLimit))
})
