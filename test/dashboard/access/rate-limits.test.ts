import t from 'tap'
import { createRateLimits } from '../../../lib/dashboard/access/rate-limits.ts'
import { buildDashboard } from '../build-dashboard.ts'

const AUTH = { auth: { username: 'ops', password: 'secret' } }
const RIGHT = { authorization: `Basic ${btoa('ops:secret')}` }
const WRONG = { authorization: `Basic ${btoa('ops:guess')}` }
const STATS = '/tasks/api/stats'
const DISABLE = { method: 'PUT', url: '/tasks/api/schedules/s-1/disable' } as const

t.test('after too many wrong passwords, an address is refused for the rest of the minute, also with the right one', async t => {
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

t.test('a refusal for too many writes, or for the reason, does not use up an Idempotency-Key', async t => {
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

t.test('an address that the host does not tell is not limited in its sign-ins, because everybody shares it', async t => {
  const limits = createRateLimits({ writesPerMinute: 1, failedSignInsPerMinute: 1 })
  await limits.countFailedSignIn(null)
  t.equal(await limits.refusesSignIn(null), null)
  t.equal(await limits.countWrite(null, null), null)
  t.type(await limits.countWrite(null, null), 'number')
})

t.test('nobody can know which addresses share a count', async t => {
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
